//! The second request: what came, why it cannot be used, field by field, and what is wanted. Never longer than
//! it must be: an answer without end is not sent back whole.

use promptline_model::{ChatRequest, ResponseFormat};

use crate::answer::Attempt;
use crate::constraint::Language;
use crate::parsed::{Issue, IssueKind, Parsed};
use crate::spec::Spec;

/// The limit of tokens of a second answer when the first was cut off and had none.
const MORE_TOKENS: u32 = 4096;

/// Reasons that are listed; more would not be read.
const REASONS: usize = 12;

/// Bytes of the first answer that are sent back.
const ECHO: usize = 8 << 10;

pub(super) fn request(
    spec: &Spec,
    mut request: ChatRequest,
    first: &Attempt,
    language: Language,
) -> ChatRequest {
    let mut message = message(&first.parsed, first.is_cut(), language);
    let held = matches!(request.response_format, Some(ResponseFormat::JsonSchema { .. }));
    if held && !first.is_cut() {
        // It was to be held to the schema, and was not: so the schema is said.
        message.push_str("\n\n");
        message.push_str(&spec.constraint(language));
    }
    if first.is_cut() {
        let doubled = request.max_tokens.map(|tokens| tokens.saturating_mul(2));
        request.max_tokens = Some(doubled.unwrap_or(MORE_TOKENS));
    }
    let raw = &first.parsed.raw;
    // Providers refuse a message without text.
    if !raw.trim().is_empty() {
        let end = raw.floor_char_boundary(ECHO);
        let rest = if end < raw.len() { "…" } else { "" };
        request = request.assistant(format!("{}{rest}", raw.get(..end).unwrap_or_default()));
    }
    request.user(message)
}

pub(super) fn message(parsed: &Parsed, is_cut: bool, language: Language) -> String {
    let reasons = reasons(&parsed.issues, language);
    match (language, is_cut) {
        (Language::Chinese, true) => format!(
            "上一次的回答在中途被截断，不能使用。{reasons}\n请从头重新输出完整的 JSON，并尽量简短；只返回 JSON。"
        ),
        (Language::Chinese, false) => format!(
            "上一次的回答不能使用，原因如下：{reasons}\n请改正以上问题，重新输出完整的 JSON；只返回 JSON。"
        ),
        (Language::English, true) => format!(
            "Your last answer was cut off before its end and cannot be used.{reasons}\nWrite the whole \
             JSON again from the beginning, and keep it short. Answer with the JSON only."
        ),
        (Language::English, false) => format!(
            "Your last answer cannot be used. Reasons:{reasons}\nCorrect this and write the whole JSON \
             again. Answer with the JSON only."
        ),
    }
}

fn reasons(issues: &[Issue], language: Language) -> String {
    let mut text = String::new();
    for issue in issues.iter().take(REASONS) {
        text.push_str("\n- ");
        match language {
            Language::English => text.push_str(&issue.message),
            Language::Chinese => text.push_str(&in_chinese(issue)),
        }
    }
    let more = issues.len().saturating_sub(REASONS);
    if more > 0 {
        text.push_str(&match language {
            Language::English => format!("\n- and {more} more of this kind"),
            Language::Chinese => format!("\n- 另有 {more} 处类似问题"),
        });
    }
    text
}

fn in_chinese(issue: &Issue) -> String {
    let what = match issue.kind {
        IssueKind::Empty => "内容为空",
        IssueKind::Thinking => "只有思考过程，没有给出答案",
        IssueKind::NoJson => "其中没有合法的 JSON",
        IssueKind::Truncated => "在此处被截断",
        IssueKind::Missing => "缺少该字段",
        IssueKind::Type => "类型不对",
        IssueKind::Enum => "取值不在允许范围内",
        IssueKind::Ambiguous => "有歧义，无法确定是哪一个",
        IssueKind::Unknown => "不允许出现该字段",
        IssueKind::Wrapped => "字段被包在多余的一层里，请直接写在最外层",
        IssueKind::Rejected => "未通过检查",
        IssueKind::Schema | IssueKind::Risk | IssueKind::Limit => "不符合 schema 的规定",
    };
    let place =
        if issue.path.is_empty() { "回答".to_owned() } else { format!("`{}`", issue.path) };
    let mut text = format!("{place}：{what}");
    if issue.kind != IssueKind::Unknown && !issue.expected.is_empty() {
        let expected: Vec<&str> = issue.expected.split(" | ").map(chinese).collect();
        text.push_str(&format!("，应为 {}", expected.join(" / ")));
    }
    if issue.kind == IssueKind::Rejected {
        // The host's own words.
        return format!("{place}：{}", issue.message.split_once(": ").map_or("", |(_, what)| what));
    }
    if !issue.found.is_empty() {
        text.push_str(&format!("，实际为 {}", found_in_chinese(&issue.found)));
    }
    text
}

/// Types by their names; allowed values are what they are.
fn chinese(expected: &str) -> &str {
    match expected {
        "string" => "字符串",
        "integer" => "整数",
        "number" => "数字",
        "boolean" => "布尔值",
        "list" => "列表",
        "object" => "对象",
        "any value" => "任意值",
        "the rest" => "完整内容",
        other => other,
    }
}

fn found_in_chinese(found: &str) -> String {
    match found.strip_prefix("a list of ") {
        Some(length) => format!("{length} 项的列表"),
        None if found == "an object" => "对象".to_owned(),
        None => found.to_owned(),
    }
}
