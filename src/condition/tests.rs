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
    flag_alias: "flag = 'yolo'", cx().flag("auto_approve") => true;
    window_known: "window = '>=4096, <16384'", cx().window(8192) => true;
    window_unknown: "window = '<16384'", cx() => false;
    named: "is = 'small'", cx().window(8192) => true;
    not_: "not = { flag = 'cli' }", cx() => true;
    any_: "any = [{ flag = 'cli' }, { mode = 'plan' }]", cx().mode("plan") => true;
    any_none: "any = [{ flag = 'cli' }, { mode = 'plan' }]", cx().mode("act") => false;
    all_: "all = [{ flag = 'cli' }, { mode = 'plan' }]", cx().mode("plan") => false;
    os_word: "os = 'linux'", cx().os("Debian GNU/Linux 12") => true;
    os_prefix: "os = 'mac'", cx().os("macOS 15") => true;
    os_is_not_a_substring: "os = 'dows'", cx().os("Windows 11") => false;
    has_nothing: "has = 'skills'", cx() => false;
    has_param: "has = 'params.team'", cx().param("team", "blue") => true;
    has_blank_param: "has = 'params.team'", cx().param("team", "") => false;
    equals_: "equals = { 'params.n' = 3 }", cx().param("n", 3.0) => true;
    equals_missing: "equals = { 'params.n' = 3 }", cx() => false;
    variant_: "variant = 'generic'", cx() => true;
    no_tools_no_tool: "tool = 'read'", cx() => false;
}

#[test]
fn reasons_are_words() {
    assert_eq!(judge("flag = 'cli'", &cx()).reason, "flag cli is off");
    assert_eq!(judge("is = 'small'", &cx()).reason, "small: window unknown, asked for <=16384");
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
