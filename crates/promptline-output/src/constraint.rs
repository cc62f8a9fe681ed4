//! The form of an answer in words, for the prompt: short, strict, a line a field, one example. It says what
//! to do when something is unknown, since a model that is not told guesses.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::shape::{BOOL, INT, LIST, NULL, NUM, OBJ, Rest, STR, Shape, ShapeId, Shapes};
use crate::spec::OutputSpec;

/// The language of a constraint text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Chinese, in simplified characters.
    Chinese,
}

/// The words of a language.
struct Words {
    only_object: &'static str,
    only_value: &'static str,
    fields: &'static str,
    unknown: &'static str,
    no_others: &'static str,
    example: &'static str,
    one_of: &'static str,
    optional: &'static str,
    list_of: &'static str,
    types: [(u8, &'static str); 7],
    colon: &'static str,
    open: &'static str,
    close: &'static str,
    or: &'static str,
}

const ENGLISH: Words = Words {
    only_object: "Answer with one JSON object and nothing else: no explanation, no text before or after \
        it, no Markdown fence.",
    only_value: "Answer with one JSON value and nothing else: no explanation, no text before or after \
        it, no Markdown fence.",
    fields: "Its fields:",
    unknown: "When the information is missing, write null; do not guess.",
    no_others: "Write no other fields.",
    example: "Example of the form (not of the content):",
    one_of: "one of",
    optional: "may be left out",
    list_of: "list of",
    types: [
        (STR, "string"),
        (INT, "integer"),
        (NUM, "number"),
        (BOOL, "true or false"),
        (LIST, "list"),
        (OBJ, "object"),
        (NULL, "null"),
    ],
    colon: ": ",
    open: " (",
    close: ")",
    or: " or ",
};

const CHINESE: Words = Words {
    only_object: "只输出一个 JSON 对象：不要解释，前后不要任何文字，不要 Markdown 围栏。",
    only_value: "只输出一个 JSON 值：不要解释，前后不要任何文字，不要 Markdown 围栏。",
    fields: "字段如下：",
    unknown: "信息不足时填 null，不要猜测。",
    no_others: "不要输出其他字段。",
    example: "格式示例（内容仅作示意）：",
    one_of: "取值只能是",
    optional: "可省略",
    list_of: "列表，元素为",
    types: [
        (STR, "字符串"),
        (INT, "整数"),
        (NUM, "数字"),
        (BOOL, "true 或 false"),
        (LIST, "列表"),
        (OBJ, "对象"),
        (NULL, "null"),
    ],
    colon: "：",
    open: "（",
    close: "）",
    or: " 或 ",
};

/// Objects in objects are listed so deep; deeper ones are only named.
const DEPTH: usize = 4;

impl OutputSpec {
    /// Says in a prompt what the answer is to look like.
    #[must_use]
    pub fn constraint(&self, language: Language) -> String {
        let words = match language {
            Language::English => &ENGLISH,
            Language::Chinese => &CHINESE,
        };
        let shapes = &self.shapes;
        let root = resolved(shapes, 0);
        let object = !root.props.is_empty();
        let mut text = String::new();
        text.push_str(if object { words.only_object } else { words.only_value });
        text.push('\n');
        if object {
            text.push_str(words.fields);
            text.push('\n');
            fields(&mut text, shapes, root, words, 0);
        } else if !root.is_any() {
            let _ = writeln!(text, "- {}", kind(shapes, 0, words, DEPTH));
            nested(&mut text, shapes, 0, words, 0);
        }
        let closing = if object
            && root.extra.patterns.is_empty()
            && !matches!(root.extra.rest, Rest::Free | Rest::Of(_))
        {
            format!("{}{}{}", words.unknown, space(language), words.no_others)
        } else {
            words.unknown.to_owned()
        };
        text.push_str(&closing);
        text.push('\n');
        let _ = write!(text, "{}\n{}", words.example, example(shapes, 0, DEPTH));
        text
    }
}

fn space(language: Language) -> &'static str {
    match language {
        Language::English => " ",
        Language::Chinese => "",
    }
}

/// A shape that only leads to another is that one.
fn resolved(shapes: &Shapes, id: ShapeId) -> &Shape {
    let mut shape = shapes.get(id);
    for _ in 0..16 {
        match shape.any_of.as_slice() {
            [only] if shape.types == 0 => shape = shapes.get(*only),
            _ => break,
        }
    }
    shape
}

fn fields(text: &mut String, shapes: &Shapes, shape: &Shape, words: &Words, depth: usize) {
    for prop in &shape.props {
        let indent = "  ".repeat(depth);
        let name = &prop.name;
        let _ = write!(
            text,
            "{indent}- {name}{}{}",
            words.colon,
            kind(shapes, prop.shape, words, DEPTH)
        );
        if !prop.required {
            let _ = write!(text, "{}{}{}", words.open, words.optional, words.close);
        }
        let own = shapes.get(prop.shape).description.as_deref();
        if let Some(description) = own.or(resolved(shapes, prop.shape).description.as_deref()) {
            let line = description.split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = write!(text, "{}{line}", words.colon);
        }
        text.push('\n');
        nested(text, shapes, prop.shape, words, depth + 1);
    }
}

/// The fields of objects in a field or a list.
fn nested(text: &mut String, shapes: &Shapes, id: ShapeId, words: &Words, depth: usize) {
    if depth >= DEPTH {
        return;
    }
    let shape = resolved(shapes, id);
    if !shape.props.is_empty() {
        fields(text, shapes, shape, words, depth);
    } else if let Some(item) = shape.item {
        nested(text, shapes, item, words, depth);
    } else {
        for &branch in &shape.any_of {
            nested(text, shapes, branch, words, depth);
        }
    }
}

fn kind(shapes: &Shapes, id: ShapeId, words: &Words, depth: usize) -> String {
    let shape = resolved(shapes, id);
    if let Some(choices) = &shape.choices {
        let names: Vec<String> = choices.iter().map(|choice| choice.value.to_string()).collect();
        return format!("{} {}", words.one_of, names.join(" / "));
    }
    if !shape.any_of.is_empty() && depth > 0 {
        let parts: Vec<String> =
            shape.any_of.iter().map(|&branch| kind(shapes, branch, words, depth - 1)).collect();
        return parts.join(words.or);
    }
    if let (Some(item), LIST, true) = (shape.item, shape.types & !NULL, depth > 0) {
        return format!("{} {}", words.list_of, kind(shapes, item, words, depth - 1));
    }
    let parts: Vec<&str> = words
        .types
        .iter()
        .filter(|(bit, _)| shape.types & bit != 0)
        .map(|(_, name)| *name)
        .collect();
    if parts.is_empty() { "JSON".to_owned() } else { parts.join(words.or) }
}

/// A value of the form.
fn example(shapes: &Shapes, id: ShapeId, depth: usize) -> Value {
    let shape = resolved(shapes, id);
    if let Some(first) = shape.choices.as_ref().and_then(|choices| choices.first()) {
        return first.value.clone();
    }
    if depth == 0 {
        return Value::Null;
    }
    if let Some(&branch) = shape.any_of.first() {
        return example(shapes, branch, depth - 1);
    }
    if !shape.props.is_empty() {
        let fields = shape
            .props
            .iter()
            .map(|prop| (prop.name.clone(), example(shapes, prop.shape, depth - 1)));
        return Value::Object(fields.collect());
    }
    match shape.types {
        types if types & STR != 0 => Value::from("text"),
        types if types & INT != 0 => Value::from(1),
        types if types & NUM != 0 => Value::from(1.5),
        types if types & BOOL != 0 => Value::from(true),
        types if types & LIST != 0 => match shape.item {
            Some(item) => Value::Array(vec![example(shapes, item, depth - 1)]),
            None => Value::Array(Vec::new()),
        },
        types if types & NULL != 0 => Value::Null,
        _ => Value::Object(Map::new()),
    }
}
