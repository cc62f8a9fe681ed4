//! What the flags of `render` say about the request, on a pack that prints it.

use crate::{project_with_pack, run, run_with};

const TEMPLATE: &str = "\
provider {{PROVIDER}}, model {{MODEL}}, variant {{MODEL_FAMILY}}
date {{CURRENT_DATE}}, {{#if mode.plan}}plan{{else}}{{#if mode.act}}act{{else}}no mode{{/if}}{{/if}}
set {{TICKET}}
param {{params.limit}} {{params.name}}{{#if params.on}} on{{/if}}
flags{{#if flag.browser}} browser{{/if}}{{#if flag.cli}} cli{{/if}}{{#if flag.task_progress}} task_progress{{/if}}
";

const CONTEXT: &str = r#"{"model": {"provider": "p", "id": "m"}, "mode": "act", "date": "2030-01-01",
    "flags": ["cli"], "params": {"limit": 1, "name": "n", "on": false}, "runtime": {"TICKET": "T-1"}}"#;

/// The prompt of the pack for the context, with these flags.
fn render(args: &[&str]) -> String {
    let project = project_with_pack(TEMPLATE, &[("cx.json", CONTEXT)]);
    let base = ["render", "--pack", "pack", "--context", "cx.json"];
    run(project.path(), &[&base[..], args].concat()).quiet()
}

fn line(args: &[&str], start: &str) -> String {
    let prompt = render(args);
    prompt.lines().find(|line| line.starts_with(start)).unwrap().to_owned()
}

#[test]
fn without_flags_the_context_decides() {
    insta::assert_snapshot!(render(&[]), @r"
    provider p, model m, variant mine
    date 2030-01-01, act
    set T-1
    param 1 n
    flags cli
    ");
}

/// Flags, the beginning of a line, and what it says then.
macro_rules! lines {
    ($($name:ident: $args:expr => $want:literal;)*) => {$(
        #[test]
        fn $name() {
            let want: &str = $want;
            let start = want.split(' ').next().unwrap();
            assert_eq!(line(&$args, start), want);
        }
    )*};
}

lines! {
    provider_wins: ["--provider", "q"] => "provider q, model m, variant mine";
    model_wins: ["--model", "n:1/x"] => "provider p, model n:1/x, variant mine";
    variant_may_be_given: ["--variant", "mine@1"] => "provider p, model m, variant mine";
    date_wins: ["--date", "2031-05-06"] => "date 2031-05-06, act";
    mode_wins: ["--mode", "plan"] => "date 2030-01-01, plan";
    a_mode_of_ones_own: ["--mode", "night"] => "date 2030-01-01, no mode";
    set_wins: ["--set", "TICKET=T-2"] => "set T-2";
    a_set_value_is_text: ["--set", "TICKET={{MODEL}} 1"] => "set {{MODEL}} 1";
    a_set_value_holds_equals_signs: ["--set", "TICKET=a=b="] => "set a=b=";
    the_last_set_wins: ["--set", "TICKET=1", "--set", "TICKET=2"] => "set 2";
    set_reaches_standard_names: ["--set", "MODEL=x"] => "provider p, model x, variant mine";
    a_param_is_json: ["--param", "limit=[1, 2.50]"] => "param [1,2.5] n";
    a_param_is_else_text: ["--param", "limit=1 or 2", "--param", "name=\"q\""] => "param 1 or 2 q";
    a_zero_param_does_not_hold: ["--param", "on=0"] => "param 1 n";
    a_true_param_holds: ["--param", "on=true"] => "param 1 n on";
    flags_are_added: ["--flag", "browser"] => "flags browser cli";
    flags_may_be_listed: ["--flag", "browser,focus_chain"] => "flags browser cli task_progress";
    flags_may_be_repeated: ["--flag", "browser", "--flag", "yolo"] => "flags browser cli";
}

#[test]
fn a_later_pack_lies_over_an_earlier_one() {
    let project = project_with_pack(
        "first",
        &[
            ("more/variants/pack.toml", "schema = 1\nname = \"more\"\nvariants = [\"mine\"]\n"),
            ("more/variants/mine/variant.toml", "schema = 1\ncomponents = []\n"),
            ("more/variants/mine/template.md", "second"),
            ("cx.json", r#"{"model": {"id": "m"}}"#),
        ],
    );
    let render = |packs: &[&str]| {
        let args = [&["render", "--context", "cx.json"], packs].concat();
        run(project.path(), &args).quiet()
    };
    assert_eq!(render(&["--pack", "pack", "--pack", "more"]), "second\n");
    assert_eq!(render(&["--pack", "more", "--pack", "pack"]), "first\n");
}

#[test]
fn the_built_in_variants_are_still_there_below_a_pack() {
    let project = project_with_pack("mine", &[]);
    let args = ["render", "--pack", "pack", "--context", "-", "--variant", "xs"];
    let prompt = run_with(project.path(), &args, b"{}").quiet();
    assert!(prompt.starts_with("You are a coding agent."));
}

#[test]
fn a_render_without_a_model_warns() {
    let project = project_with_pack("x", &[("cx.json", "{}")]);
    let run = run(project.path(), &["render", "--pack", "pack", "--context", "cx.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "x\n"));
    assert!(run.stderr.starts_with("warning[no-model]: "), "{}", run.stderr);
}

#[test]
fn unresolved_names_stay_and_are_reported_on_stderr() {
    let project = project_with_pack("a {{NOBODY}}", &[("cx.json", r#"{"model": {"id": "m"}}"#)]);
    let run = run(project.path(), &["render", "--pack", "pack", "--context", "cx.json"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), "a {{NOBODY}}\n"));
    insta::assert_snapshot!(run.stderr, @"warning[unresolved]: nothing provides `NOBODY`, which `_template` asks for");
}
