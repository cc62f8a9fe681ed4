use super::*;
use crate::context::PromptContext;
use crate::model_id::{LazyModelId, ModelTables};

fn condition(toml: &str) -> Condition {
    toml::from_str(toml).unwrap()
}

fn judge(toml: &str, cx: &PromptContext) -> Verdict {
    let named = BTreeMap::from([("small".to_owned(), condition("window = '<=16384'"))]);
    let tables = ModelTables::builtin();
    let model = LazyModelId::new(&tables, &cx.model, None);
    ConditionCx::new(cx, &named, &model).variant("generic").judge(&condition(toml))
}

/// One line, one test: name, condition, context, answer.
macro_rules! holds {
    ($($name:ident: $toml:expr, $cx:expr => $holds:expr;)*) => {$(
        #[test]
        fn $name() {
            let cx: PromptContext = $cx;
            let verdict = judge($toml, &cx);
            assert_eq!(verdict.holds, $holds, "{}", verdict.reason);
        }
    )*};
}

fn cx() -> PromptContext {
    PromptContext::new("Anthropic", "Claude-Sonnet-4-5")
}

holds! {
    empty_always_holds: "", cx() => true;
    provider_in_any_case: "provider = 'anthropic'", cx() => true;
    one_of_several: "provider = ['openai', 'anthropic']", cx() => true;
    no_provider: "provider = 'anthropic'", PromptContext::default() => false;
    glob: "model = 'claude-*-[4-9]*'", cx() => true;
    glob_is_whole: "model = 'sonnet'", cx() => false;
    glob_crosses_slashes: "model = '*haiku*'", PromptContext::new("x", "a/b/haiku-1") => true;
    kelvin_sign_is_no_k: "model = 'kimi*'", PromptContext::new("x", "\u{212A}imi-k2") => false;
    several_keys_mean_all: "provider = 'anthropic'\nflag = 'x'", cx() => false;
    flag_alias: "flag = 'yolo'", cx().with_flag("auto_approve") => true;
    window_known: "window = '>=4096, <16384'", cx().with_window(8192) => true;
    window_unknown: "window = '<16384'", cx() => false;
    family_in_any_case: "family = 'Claude'", cx() => true;
    family_of_another: "family = ['gpt', 'o']", cx() => false;
    family_unknown: "family = ''", PromptContext::new("x", "y") => false;
    family_is_no_substring: "family = 'claude'", PromptContext::new("x", "qwen-8b-sonnet-distill") => false;
    vendor_: "vendor = 'anthropic'", cx() => true;
    line_: "line = ['opus', 'sonnet']", cx() => true;
    line_of_two_words: "line = 'flash-lite'", PromptContext::new("", "gemini-2.5-flash-lite") => true;
    line_of_two_words_half: "line = 'flash-lite'", PromptContext::new("", "gemini-2.5-flash") => false;
    line_is_asked_by_membership: "line = 'flash'", PromptContext::new("", "gemini-2.5-flash-lite") => true;
    line_no_part_of_a_word: "line = 'lash'", PromptContext::new("", "gemini-2.5-flash") => false;
    suffix_: "suffix = 'free'", PromptContext::new("", "z-ai/glm-4.6:free") => true;
    suffix_negated: "suffix = 'reasoning'", PromptContext::new("", "grok-4-fast-non-reasoning") => false;
    distilled_: "distilled = true", PromptContext::new("", "qwen3-8b-gpt-5-distill") => true;
    not_distilled: "distilled = false", cx() => true;
    version_in: "version = '>=4, <5'", cx() => true;
    version_out: "version = '>4.5'", cx() => false;
    version_equal: "version = '=4.5'", cx() => true;
    version_is_no_fraction: "version = '>4.3'", PromptContext::new("", "grok-4.20") => true;
    version_with_zero_is_in: "version = '=4'", PromptContext::new("", "claude-sonnet-4-0") => true;
    version_missing: "version = '>=0'", PromptContext::new("", "claude-opus-latest") => false;
    version_none: "version = 'none'", PromptContext::new("", "claude-opus-latest") => true;
    version_none_with_one: "version = 'none'", cx() => false;
    several_model_keys: "family = 'claude'\nversion = '>=4'\nline = 'opus'", cx() => false;
    named: "is = 'small'", cx().with_window(8192) => true;
    not_: "not = { flag = 'cli' }", cx() => true;
    any_: "any = [{ flag = 'cli' }, { mode = 'plan' }]", cx().with_mode("plan") => true;
    any_none: "any = [{ flag = 'cli' }, { mode = 'plan' }]", cx().with_mode("act") => false;
    all_: "all = [{ flag = 'cli' }, { mode = 'plan' }]", cx().with_mode("plan") => false;
    os_word: "os = 'linux'", cx().with_os("Debian GNU/Linux 12") => true;
    os_prefix: "os = 'mac'", cx().with_os("macOS 15") => true;
    os_is_not_a_substring: "os = 'dows'", cx().with_os("Windows 11") => false;
    has_nothing: "has = 'skills'", cx() => false;
    has_param: "has = 'params.team'", cx().with_param("team", "blue") => true;
    has_blank_param: "has = 'params.team'", cx().with_param("team", "") => false;
    equals_: "equals = { 'params.n' = 3 }", cx().with_param("n", 3.0) => true;
    equals_missing: "equals = { 'params.n' = 3 }", cx() => false;
    variant_: "variant = 'generic'", cx() => true;
    no_tools_no_tool: "tool = 'read'", cx() => false;
    id_matches_: r"id_matches = '^acme-.*-v\d+$'", PromptContext::new("", "Acme-coder-v12") => true;
    id_matches_all_of_it: r"id_matches = '^acme-.*-v\d+$'", PromptContext::new("", "acme-coder-v12-fast") => false;
    id_matches_anywhere: "id_matches = 'coder|code'", PromptContext::new("", "x/acme-coder") => true;
    id_matches_one_of: "id_matches = ['^a', '^b']", PromptContext::new("", "beta-1") => true;
    id_matches_and_more: "id_matches = '^claude'\nflag = 'cli'", cx() => false;
}

#[test]
fn a_regular_expression_that_cannot_be_read_is_an_error_with_the_reason() {
    let refused = |expression: &str| IdPattern::new(expression).unwrap_err().to_string();
    assert_eq!(refused("acme-("), "the regular expression `acme-(` cannot be read: unclosed group");
    assert!(refused("(?=x)").contains("look-around"), "{}", refused("(?=x)"));
    assert!(refused(&"x".repeat(1001)).contains("longer than 1000 bytes"));
    assert!(refused("(\\w{100}){100}").contains("size"), "{}", refused("(\\w{100}){100}"));
}

#[test]
fn reasons_are_words() {
    assert_eq!(judge("flag = 'cli'", &cx()).reason, "flag cli is off");
    assert_eq!(judge("is = 'small'", &cx()).reason, "small: window unknown, needs <=16384");
}

#[test]
fn a_reason_names_the_family_and_what_it_lacks() {
    let asked = |toml: &str, id: &str| judge(toml, &PromptContext::new("", id)).reason;
    let any = "any = [{ family = 'gpt', version = '>=5' }, { family = 'claude', version = '>=4' }, \
               { family = 'claude', version = 'none', line = 'opus' }]";
    assert_eq!(asked(any, "claude-3.5-sonnet"), "family claude, version 3.5: needs >=4");
    assert_eq!(asked(any, "claude-opus-4-5"), "family claude; version 4.5 (>=4)");
    assert_eq!(asked(any, "llama-4-scout"), "family is llama, not gpt or claude");
    assert_eq!(asked(any, "my-model"), "no family is known, needs gpt or claude");
    assert_eq!(asked("version = '>=4'", "my-model"), "no version: needs >=4");
    assert_eq!(asked("line = ['a', 'b']", "gpt-5-pro"), "family gpt: needs the line a or b");
    assert_eq!(asked("distilled = false", "qwen3-8b-gpt-5-distill"), "distilled from gpt");
    assert_eq!(
        asked("any = [{ family = 'gpt' }, { flag = 'x' }]", "llama-4"),
        "flag x is off",
        "what can be changed is reported"
    );
}

#[test]
fn written_as_it_was_read() {
    let text = "provider = \"a\"\nwindow = \"<=5\"\nflag = [\"b\", \"c\"]\n";
    assert_eq!(toml::to_string(&condition(text)).unwrap(), text);
}

#[test]
fn bad_patterns_and_keys_are_errors() {
    for bad in [
        "model = '[a'",
        "window = 'small'",
        "window = '<='",
        "flga = 'x'",
        "version = '4'",
        "version = '>5, <4'",
    ] {
        assert!(toml::from_str::<Condition>(bad).is_err(), "{bad}");
    }
}

#[test]
fn circles_and_unknown_names_are_errors() {
    let named = |pairs: &[(&str, &str)]| -> BTreeMap<String, Condition> {
        pairs.iter().map(|(name, toml)| ((*name).to_owned(), condition(toml))).collect()
    };
    let conditions = named(&[("a", "is = 'b'"), ("b", "not = { is = 'a' }")]);
    let (about, circle) = check_named(&conditions).remove(0);
    assert_eq!(about, "a");
    assert!(circle.to_string().contains("a -> b -> a"));
    let conditions = named(&[("small", ""), ("a", "is = 'smal'")]);
    let (about, unknown) = check_named(&conditions).remove(0);
    assert_eq!(about, "a");
    assert!(unknown.to_string().contains("`small`"));
    assert!(!check_named(&named(&[("a", "tool = 'read'")])).is_empty());
}

#[test]
fn doubling_names_are_judged_once_each() {
    // 2^60 paths lead to the last one.
    let mut named = BTreeMap::from([("n60".to_owned(), condition("flag = 'x'"))]);
    for n in 0..60 {
        let next = format!("any = [{{ is = 'n{0}' }}, {{ is = 'n{0}' }}]", n + 1);
        named.insert(format!("n{n}"), condition(&next));
    }
    // Deeper than conditions may be nested, and said so; judging is quick all the same.
    assert!(!check_named(&named).is_empty());
    let cx = PromptContext::default();
    let tables = ModelTables::builtin();
    let model = LazyModelId::new(&tables, &cx.model, None);
    assert!(!ConditionCx::new(&cx, &named, &model).is("n0"));
}

#[test]
fn deep_conditions_are_an_error_not_an_overflow() {
    let mut deep = Condition::flag("x");
    for _ in 0..5_000 {
        deep = Condition::not(deep);
    }
    assert!(deep.check(Site::Anywhere).is_err());
    // Dropping it must not overflow either; 5,000 is what a host may do by mistake.
    drop(deep);
}
