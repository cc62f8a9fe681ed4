//! The words of each language. A sentence is written out in each, and never put together from the words of
//! another.

use serde_json::Value;

use super::{Language, Unknown};
use crate::shape::{BOOL, INT, LIST, NULL, NUM, OBJ, STR, Shape, Shapes};

impl Language {
    pub(super) fn only(self, object: bool) -> &'static str {
        match (self, object) {
            (Self::English, true) => {
                "Answer with one JSON object and nothing else: no explanation, no text before or after it, \
                 no Markdown fence."
            }
            (Self::English, false) => {
                "Answer with one JSON value and nothing else: no explanation, no text before or after it, \
                 no Markdown fence."
            }
            (Self::Chinese, true) => {
                "只输出一个 JSON 对象，不要任何解释、前后缀文字或 Markdown 代码块。"
            }
            (Self::Chinese, false) => {
                "只输出一个 JSON 值，不要任何解释、前后缀文字或 Markdown 代码块。"
            }
        }
    }

    pub(super) fn fields(self) -> &'static str {
        match self {
            Self::English => "Its fields:",
            Self::Chinese => "字段如下：",
        }
    }

    pub(super) fn one_of_forms(self, count: usize) -> String {
        match self {
            Self::English => format!("It has one of these {count} forms:"),
            Self::Chinese => format!("必须是以下 {count} 种形式之一："),
        }
    }

    pub(super) fn one_of_forms_below(self, count: usize) -> String {
        match self {
            Self::English => format!("one of the {count} forms below"),
            Self::Chinese => format!("下列 {count} 种形式之一"),
        }
    }

    pub(super) fn form(self, number: usize, kind: &str) -> String {
        match self {
            Self::English => format!("- form {number}: {kind}"),
            Self::Chinese => format!("- 形式 {number}：{kind}"),
        }
    }

    pub(super) fn field(self, name: &str, kind: &str, said: Option<&str>) -> String {
        // A name with a line break in it would be two lines.
        let quoted = name.contains(char::is_control).then(|| Value::from(name).to_string());
        let name = quoted.as_deref().unwrap_or(name);
        match (self, said) {
            (Self::English, Some(said)) => format!("- {name}: {kind}; {said}"),
            (Self::English, None) => format!("- {name}: {kind}"),
            (Self::Chinese, Some(said)) => format!("- {name}：{kind}；{said}"),
            (Self::Chinese, None) => format!("- {name}：{kind}"),
        }
    }

    pub(super) fn optional(self) -> &'static str {
        match self {
            Self::English => " (may be left out)",
            Self::Chinese => "（可省略）",
        }
    }

    pub(super) fn the_same(self) -> &'static str {
        match self {
            Self::English => " (the same fields as the object that it is in)",
            Self::Chinese => "（字段与其所在的对象相同）",
        }
    }

    pub(super) fn example(self) -> &'static str {
        match self {
            Self::English => "Example of the form (not of the content):",
            Self::Chinese => "格式示例（内容仅作示意）：",
        }
    }

    /// With which characters the answer begins and ends, where every value of the root has the same.
    pub(super) fn begins_and_ends(self, shapes: &Shapes) -> Option<&'static str> {
        let branches = shapes.with_branches(vec![0]);
        let kinds: Vec<u8> = branches
            .into_iter()
            .map(|id| shapes.get(id))
            .filter(|shape| shape.any_of.is_empty())
            .map(root_kind)
            .collect();
        let first = *kinds.first()?;
        if kinds.iter().any(|kind| *kind != first) {
            return None;
        }
        Some(match (self, first) {
            (Self::English, OBJ) => "Your answer begins with { and ends with }.",
            (Self::Chinese, OBJ) => "你的回答必须以 { 开头，以 } 结尾。",
            (Self::English, LIST) => "Your answer begins with [ and ends with ].",
            (Self::Chinese, LIST) => "你的回答必须以 [ 开头，以 ] 结尾。",
            (Self::English, STR) => "Your answer begins and ends with a double quote (\").",
            (Self::Chinese, STR) => "你的回答必须以英文双引号 \" 开头和结尾。",
            _ => return None,
        })
    }

    /// What to do when something is not known.
    pub(super) fn closing(self, unknown: &Unknown, closed: bool) -> String {
        let what = match (self, unknown.null, unknown.gap, unknown.neither) {
            (Self::English, true, false, false) => {
                "When the information is missing, write null; do not guess."
            }
            (Self::English, true, false, true) => {
                "When the information is missing, write null where null is allowed; do not guess."
            }
            (Self::English, false, true, _) => {
                "When the information is missing, leave the field out where it may be; do not guess."
            }
            (Self::English, true, true, _) => {
                "When the information is missing, write null where null is allowed, or leave the field out \
                 where it may be; do not guess."
            }
            (Self::English, false, false, _) => "Write only what is known; do not guess.",
            (Self::Chinese, true, false, false) => "信息不足时填 null，不要猜测。",
            (Self::Chinese, true, false, true) => "信息不足时，允许 null 的字段填 null，不要猜测。",
            (Self::Chinese, false, true, _) => "信息不足时，可省略的字段直接省略，不要猜测。",
            (Self::Chinese, true, true, _) => {
                "信息不足时，允许 null 的字段填 null，可省略的字段直接省略，不要猜测。"
            }
            (Self::Chinese, false, false, _) => "只填写已知的内容，不要猜测。",
        };
        let others = match (self, closed) {
            (_, false) => "",
            (Self::English, true) => " Write no other fields.",
            (Self::Chinese, true) => "不要输出其他字段。",
        };
        format!("{what}{others}")
    }

    pub(super) fn types(self, types: u8) -> String {
        let names: [(u8, &[&str]); 7] = match self {
            Self::English => [
                (STR, &["string"]),
                (INT, &["integer"]),
                (NUM, &["number"]),
                (LIST, &["list"]),
                (OBJ, &["object"]),
                (BOOL, &["true", "false"]),
                (NULL, &["null"]),
            ],
            Self::Chinese => [
                (STR, &["字符串"]),
                (INT, &["整数"]),
                (NUM, &["数字"]),
                (LIST, &["列表"]),
                (OBJ, &["对象"]),
                (BOOL, &["true", "false"]),
                (NULL, &["null"]),
            ],
        };
        let parts: Vec<String> = names
            .into_iter()
            .filter(|(bit, _)| types & bit != 0)
            .flat_map(|(_, names)| names.iter().map(|name| (*name).to_owned()))
            .collect();
        match (self, parts.is_empty()) {
            (_, false) => self.or(&parts),
            (Self::English, true) => "any JSON value".to_owned(),
            (Self::Chinese, true) => "任意 JSON 值".to_owned(),
        }
    }

    /// `a, b or c`; `a、b 或 c`, with a blank beside Latin letters only.
    pub(super) fn or(self, parts: &[String]) -> String {
        let [all @ .., last] = parts else { return String::new() };
        if all.is_empty() {
            return last.clone();
        }
        let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii());
        match self {
            Self::English => format!("{} or {last}", all.join(", ")),
            Self::Chinese => {
                let all = all.join("、");
                let before = if latin(all.chars().next_back()) { " " } else { "" };
                let behind = if latin(last.chars().next()) { " " } else { "" };
                format!("{all}{before}或{behind}{last}")
            }
        }
    }

    pub(super) fn one_of(self, values: &[&Value]) -> String {
        let all: Vec<String> = values.iter().map(|value| value.to_string()).collect();
        match (self, all.as_slice()) {
            (Self::English, [one]) => format!("always {one}"),
            (Self::Chinese, [one]) => format!("固定为 {one}"),
            (Self::English, all) => format!("one of {}", all.join(" / ")),
            (Self::Chinese, all) => format!("取值只能是 {}", all.join(" / ")),
        }
    }

    /// Other words for allowed values.
    pub(super) fn called<'v>(self, all: impl Iterator<Item = (&'v str, Value)>) -> String {
        let all: Vec<String> = all
            .map(|(said, meant)| match self {
                Self::English => format!("\"{said}\" means {meant}"),
                Self::Chinese => format!("“{said}”即 {meant}"),
            })
            .collect();
        match (self, all.is_empty()) {
            (_, true) => String::new(),
            (Self::English, false) => format!(" ({})", all.join(", ")),
            (Self::Chinese, false) => format!("（{}）", all.join("，")),
        }
    }

    /// What every element of a list is.
    pub(super) fn each(self, item: &str) -> String {
        match self {
            Self::English => format!(", each element: {item}"),
            Self::Chinese => format!("，每个元素：{item}"),
        }
    }

    /// What the elements of a list are, one after the other.
    pub(super) fn in_order(self, items: &[String]) -> String {
        match self {
            Self::English => format!(", exactly: [{}]", items.join("; ")),
            Self::Chinese => format!("，依次为：[{}]", items.join("；")),
        }
    }

    pub(super) fn table_of(self, value: &str) -> String {
        match self {
            Self::English => format!("object with keys of your choice, each value: {value}"),
            Self::Chinese => format!("对象，键名不限，每个值：{value}"),
        }
    }

    pub(super) fn comma(self) -> &'static str {
        match self {
            Self::English => ", ",
            Self::Chinese => "，",
        }
    }

    /// A rule in words; formats that have no well-known form are said by their name.
    pub(super) fn rule(self, keyword: &str, value: &Value) -> Option<String> {
        let english = self == Self::English;
        let said = match keyword {
            "minimum" if english => format!("at least {value}"),
            "minimum" => format!("不小于 {value}"),
            "maximum" if english => format!("at most {value}"),
            "maximum" => format!("不大于 {value}"),
            "exclusiveMinimum" if english => format!("more than {value}"),
            "exclusiveMinimum" => format!("大于 {value}"),
            "exclusiveMaximum" if english => format!("less than {value}"),
            "exclusiveMaximum" => format!("小于 {value}"),
            "multipleOf" if english => format!("a multiple of {value}"),
            "multipleOf" => format!("必须是 {value} 的倍数"),
            "minLength" if english => format!("{value} or more characters"),
            "minLength" => format!("至少 {value} 个字符"),
            "maxLength" if english => format!("{value} or fewer characters"),
            "maxLength" => format!("最多 {value} 个字符"),
            "minItems" if english => format!("{value} or more elements"),
            "minItems" => format!("至少 {value} 项"),
            "maxItems" if english => format!("{value} or fewer elements"),
            "maxItems" => format!("最多 {value} 项"),
            "uniqueItems" if value != &Value::Bool(true) => return None,
            "uniqueItems" if english => "no element twice".to_owned(),
            "uniqueItems" => "元素不可重复".to_owned(),
            "pattern" if english => format!("matching the regular expression {}", value.as_str()?),
            "pattern" => format!("须匹配正则表达式 {}", value.as_str()?),
            "format" => self.format(value.as_str()?)?,
            _ => return None,
        };
        Some(said)
    }

    fn format(self, format: &str) -> Option<String> {
        let form = match format {
            "date" => "YYYY-MM-DD",
            "date-time" => "YYYY-MM-DDThh:mm:ssZ",
            "time" => "hh:mm:ssZ",
            // Schemas made of types call their numbers so.
            "double" | "float" => return None,
            other if other.starts_with("int") || other.starts_with("uint") => return None,
            other => other,
        };
        Some(match self {
            Self::English => format!("as {form}"),
            Self::Chinese => format!("格式 {form}"),
        })
    }
}

/// The one kind of value that a shape accepts, as a bit; 0: several.
fn root_kind(shape: &Shape) -> u8 {
    match &shape.choices {
        Some(choices) if choices.iter().all(|choice| choice.value.is_string()) => STR,
        Some(_) => 0,
        None if matches!(shape.types, OBJ | LIST | STR) => shape.types,
        None => 0,
    }
}
