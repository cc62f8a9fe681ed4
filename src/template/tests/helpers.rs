//! Helpers of a host: what they get, what becomes of what they give, and what is refused.

use handlebars::{
    Context, Handlebars, Helper, HelperResult, Output, RenderContext, RenderErrorReason,
    Renderable, handlebars_helper,
};

use super::scopes::{TestScope, pieces};
use super::*;

handlebars_helper!(upper: |text: str| text.to_uppercase());
handlebars_helper!(sorted: |list: array| {
    let mut list: Vec<Value> = list.clone();
    list.sort_by_key(Value::to_string);
    list
});
handlebars_helper!(pick: |value: Json, {key: str = "id"}| value.get(key).cloned());
handlebars_helper!(now: | | "noon");

/// Writes, and gives no value.
fn shout(
    h: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    let text = h.param(0).and_then(|param| param.value().as_str()).unwrap_or("?");
    out.write(text)?;
    out.write("!")?;
    Ok(())
}

/// Its body, each line after a bar; as often as `times` says.
struct Quote;

impl handlebars::HelperDef for Quote {
    fn call<'reg: 'rc, 'rc>(
        &self,
        h: &Helper<'rc>,
        registry: &'reg Handlebars<'reg>,
        data: &'rc Context,
        context: &mut RenderContext<'reg, 'rc>,
        out: &mut dyn Output,
    ) -> HelperResult {
        let times = h.hash_get("times").and_then(|times| times.value().as_u64()).unwrap_or(1);
        for _ in 0..times {
            let body =
                h.template().map(|body| body.renders(registry, data, context)).transpose()?;
            for line in body.unwrap_or_default().lines() {
                out.write("| ")?;
                out.write(line)?;
                out.write("\n")?;
            }
        }
        Ok(())
    }
}

fn fails(
    _: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    _: &mut dyn Output,
) -> HelperResult {
    Err(RenderErrorReason::Other("the moon is not up".to_owned()).into())
}

fn partials() -> Partials {
    let helpers = Helpers::new();
    let helpers = helpers.with("upper", upper).and_then(|helpers| helpers.with("sorted", sorted));
    let helpers = helpers.and_then(|helpers| helpers.with("pick", pick)?.with("now", now));
    let helpers = helpers.and_then(|helpers| helpers.with("shout", shout)?.with("fails", fails));
    let helpers = helpers.and_then(|helpers| helpers.with("quote", Quote)).unwrap();
    let partials = Partials::default().with_helpers(helpers);
    partials.with_files([("card", "card.md", "[{{upper title}}]")]).unwrap()
}

fn read(source: &str) -> Template {
    Template::parse_named("t.md", source, &partials()).unwrap_or_else(|error| panic!("{error:#}"))
}

macro_rules! helps {
    ($($name:ident: $template:expr, $values:tt, $right:expr;)*) => {$(
        #[test]
        fn $name() {
            let template = read($template);
            assert_eq!(template.render(&object(json!($values))).unwrap(), $right);
        }
    )*};
}

helps! {
    inline: "Hello {{upper NAME}}.", {"NAME": "Ada"}, "Hello ADA.";
    of_a_literal: "{{upper 'x'}}{{{upper \"y\"}}}", {}, "XY";
    one_that_writes: "{{shout A}}{{shout NOPE}}", {"A": "hey"}, "hey!?!";
    one_that_writes_gives_a_string: "{{#if (eq (shout A) 'hey!')}}yes{{/if}}", {"A": "hey"}, "yes";
    without_arguments: "{{(now)}} {{#if (eq (now) 'noon')}}yes{{/if}}", {}, "noon yes";
    a_bare_name_is_a_placeholder: "{{now}}{{upper}}", {"now": 1}, "1{{upper}}";
    named_arguments: "{{pick A}} {{pick A key='n'}}", {"A": {"id": 7, "n": "x"}}, "7 x";
    structures_print_as_json: "{{sorted A}} {{pick A key='0'}}", {"A": [3, 1]}, "[1,3] ";
    loops_over_an_answer: "{{#each (sorted A)}}{{this}};{{/each}}", {"A": ["b", "a"]}, "a;b;";
    with_an_answer: "{{#with (pick A)}}{{x}}{{/with}}", {"A": {"id": {"x": 1}}}, "1";
    json_of_an_answer: "{{json (sorted A) indent=1}}", {"A": [2, 1]}, "[\n 1,\n 2\n]";
    lookup_in_an_answer: "{{lookup (sorted A) 0}}", {"A": [2, 1]}, "1";
    calls_in_calls: "{{upper (shout (upper A))}}", {"A": "a"}, "A!";
    in_a_partial: "{{> card title=A}}{{> card title=(shout A)}}", {"A": "a"}, "[A][A!]";
    in_a_loop: "{{#each A}}{{upper this}}{{upper n}}{{/each}}", {"A": ["x", "y"], "n": "n"}, "XNYN";
    conditions: "{{#if (pick A)}}1{{else}}2{{/if}}{{#unless (pick B)}}3{{/unless}}", {"A": {"id": 0}, "B": {}}, "23";
    block: "{{#quote}}a\n{{B}}\n{{/quote}}", {"B": "b\nc"}, "| a\n| b\n| c\n";
    block_twice: "{{#quote times=2}}{{@x}}{{/quote}}".replace("{{@x}}", "{{A}}").as_str(), {"A": 1}, "| 1\n| 1\n";
    blocks_in_blocks: "{{#quote}}{{#each A}}{{#quote}}{{this}}{{/quote}}{{/each}}{{/quote}}", {"A": [1, 2]}, "| | 1\n| | 2\n";
    what_it_writes_is_never_read: "{{shout A}}", {"A": "{{B}} {{{{raw}}}}"}, "{{B}} {{{{raw}}}}!";
    forged_marks_go: "{{shout A}}{{B}}", {"A": "\u{FDD0}0\u{FDD1}", "B": "b"}, "0!b";
}

#[test]
fn what_it_gives_is_text_of_the_host() {
    let scope = TestScope::data(json!({"A": "a\n====\n## ", "N": "{{x}}"}));
    let of = |source: &str| pieces(&read(source), &scope);
    assert_eq!(of("x {{upper A}} y"), ["a:x ", "helper:upper:A\n====\n## ", "a: y"]);
    // Line breaks around it are layout, as those of a template are.
    assert_eq!(of("{{#quote}}x\n{{N}}{{/quote}}z"), ["helper:quote:| x\n| {{x}}", "a:\nz"]);
    assert_eq!(of("{{json (upper N)}}"), ["helper:upper:\"{{X}}\""]);
    // What only decides or counts has no text.
    assert_eq!(of("{{#if (eq (upper N) '{{X}}')}}yes{{/if}}{{len (upper N)}}"), ["a:yes5"]);
}

#[test]
fn nothing_printed_is_a_mark() {
    let marks = |source: &str| {
        let scope = TestScope::data(json!({"A": {}}));
        read(source).render_in(&scope).unwrap().skeleton().matches('\u{FDD2}').count()
    };
    assert_eq!(marks("a{{pick A}}b"), 1);
    assert_eq!(marks("a{{upper ''}}b"), 1);
    assert_eq!(marks("a{{#quote}}{{/quote}}b"), 1);
    assert_eq!(marks("a{{#quote}}x{{#if A.b}}y{{/if}}{{/quote}}b"), 0);
}

#[test]
fn unresolved_arguments_are_reported() {
    let scope = TestScope::default();
    read("{{upper A}}{{pick A key=B}}").render_in(&scope).unwrap_err();
    let scope = TestScope::default();
    read("{{shout A}}{{shout (pick B key='x')}}").render_in(&scope).unwrap();
    assert_eq!(scope.unresolved(), ["A", "B"]);
}

#[test]
fn a_failure_names_the_helper_and_the_file() {
    let failure = |source: &str| read(source).render(&Map::new()).unwrap_err();
    for source in ["{{(fails)}}", "{{fails 1}}", "{{#if (fails)}}{{/if}}", "{{#fails}}{{/fails}}"] {
        let error = failure(source);
        assert_eq!(error.message(), "the helper `fails` failed: the moon is not up");
        assert_eq!((error.file(), error.kind()), (Some("t.md"), ErrorKind::Template));
    }
    assert!(failure("{{upper 1}}").message().starts_with("the helper `upper` failed"));
    // The innermost one is the reason.
    let nested = failure("{{#quote}}{{fails 1}}{{/quote}}");
    assert!(nested.message().starts_with("the helper `fails`"), "{nested}");
}

#[test]
fn a_panic_is_an_error() {
    handlebars_helper!(first: |list: array| list[0].clone());
    let partials = Partials::default().with_helpers(Helpers::new().with("first", first).unwrap());
    let template = Template::parse_named("t.md", "{{first A}}", &partials).unwrap();
    let error = template.render(&object(json!({"A": []}))).unwrap_err();
    assert!(
        error.message().starts_with("the helper `first` failed: it panicked: index"),
        "{error}"
    );
    assert_eq!(template.render(&object(json!({"A": [1]}))).unwrap(), "1");
}

#[test]
fn a_helper_cannot_print_without_end() {
    let values = object(json!({"A": "x".repeat(1_000_000), "B": (0..2000).collect::<Vec<_>>()}));
    let fails = |source: &str| read(source).render(&values).unwrap_err().message().to_owned();
    assert!(fails("{{#each B}}{{upper ../A}}{{/each}}").contains("16 MB"));
    assert!(fails("{{#quote times=20}}{{A}}{{/quote}}").contains("16 MB"));
    let text = "y".repeat(10_000);
    assert!(
        fails(&format!("{{{{#quote}}}}{{{{#each B}}}}{text}{{{{/each}}}}{{{{/quote}}}}"))
            .contains("16 MB")
    );
    assert!(
        fails("{{#each B}}{{#each ../B}}{{#if (now)}}{{/if}}{{/each}}{{/each}}").contains("steps")
    );
}

#[test]
fn unknown_helpers_are_load_errors() {
    let error = |source: &str| Template::parse_named("t.md", source, &partials()).unwrap_err();
    let near = error("x {{uper A}}");
    assert_eq!(near.message(), "unknown helper `uper`");
    assert_eq!(near.help(), Some("did you mean `upper`?"));
    assert_eq!((near.code(), near.line_column()), ("unknown-helper", Some((1, 5))));
    let far = error("{{sluggify_all A}}");
    assert!(far.help().unwrap().contains("json, fails, now, pick, quote, shout, sorted, upper"));
    let block = error("{{#quotte}}{{/quotte}}");
    assert_eq!(block.help(), Some("did you mean {{#quote …}}?"));
    // One that is not there is the reason for what follows.
    assert_eq!(error("{{#esch A}}{{/each}}").message(), "unknown block `esch`");
    assert_eq!(error("{{#quote}}{{/if}}").message(), "{{/if}} where {{/quote}} is expected");
    assert!(error("{{#quote}}").message().contains("{{#quote …}} is not closed"));
    // Without a registration a template has none, and neither has a partial.
    assert_eq!(Template::parse("{{upper A}}").unwrap_err().code(), "unknown-helper");
    assert_eq!(Partials::from_sources([("p", "{{upper A}}")]).unwrap_err().file(), Some("p"));
}

#[test]
fn names_that_are_taken_are_refused() {
    let helpers = || Helpers::new().with("upper", upper).unwrap();
    for name in ["eq", "json", "if", "each", "lookup", "log", "this", "raw", "upper"] {
        let error = helpers().with(name, upper).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Duplicate, "{name}");
    }
    for name in ["", "a.b", "a b", "#x", "@x", "../x"] {
        assert_eq!(helpers().with(name, upper).unwrap_err().kind(), ErrorKind::Template, "{name}");
    }
    assert_eq!(format!("{:?}", helpers()), r#"{"upper"}"#);
}

proptest::proptest! {
    #[test]
    fn anything_with_helpers_is_read_or_refused(parts in proptest::collection::vec(
        proptest::sample::select(vec![
            "{{", "}}", "{{#quote}}", "{{#quote times=2}}", "{{else}}", "{{/quote}}", "{{#each A}}",
            "{{/each}}", "upper ", "shout ", "(now)", "(sorted A)", "json ", "indent=2", "indent=",
            "key=", "A", "S", "'x'", "(", ")", " ", "\n", "{{> card title=", "{{upper S}}",
        ]),
        0..16,
    )) {
        let source = parts.concat();
        if let Ok(template) = Template::parse_named("t.md", &source, &partials()) {
            // A helper may refuse what it is given; nothing else can go wrong.
            if let Err(error) = template.render(&object(json!({"A": [1, {"S": 2}], "S": "s"}))) {
                assert!(error.message().starts_with("the helper `"), "{source}: {error}");
            }
        }
    }
}
