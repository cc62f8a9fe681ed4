//! One line, one case. What a scope sees, hostile input and properties are in files of their own.

#[cfg(feature = "handlebars")]
mod helpers;
mod hostile;
mod properties;
mod scopes;

use serde_json::{Map, Value, json};

use super::*;
use promptline_diagnostic::ErrorKind;

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

/// Both lanes, where both can.
fn render(template: &str, values: Value) -> String {
    let values = object(values);
    let read = Template::parse(template).unwrap_or_else(|error| panic!("{error:#}"));
    let plain = read.render(&values).unwrap();
    #[cfg(feature = "handlebars")]
    assert_eq!(forced(template).render(&values).unwrap(), plain, "the lanes differ");
    plain
}

#[cfg(feature = "handlebars")]
fn forced(template: &str) -> Template {
    let template = Template::build("template", template, &Partials::default(), true).unwrap();
    assert!(template.uses_logic());
    template
}

macro_rules! renders {
    ($($name:ident: $template:expr, $values:tt, $right:expr;)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(render($template, json!($values)), $right);
        }
    )*};
}

macro_rules! fails {
    ($($name:ident: $template:expr, $at:expr, $message:expr;)*) => {$(
        #[test]
        fn $name() {
            let error = Template::parse($template).expect_err("a load error");
            assert_eq!(error.kind(), ErrorKind::Template);
            assert_eq!(error.line_column(), Some($at), "{error:#}");
            assert!(error.message().contains($message), "{error:#}");
            assert!(error.help().is_some(), "no help: {error:#}");
        }
    )*};
}

renders! {
    plain: "Hello {{NAME}}.", {"NAME": "Ada"}, "Hello Ada.";
    nothing: "", {}, "";
    blanks_and_breaks_in_the_braces: "{{ A }}{{\nA\t}}", {"A": 1}, "11";
    triple_and_ampersand: "{{{A}}} {{&A}} {{& A }}", {"A": "<b>"}, "<b> <b> <b>";
    one_brace_more: "{{A}}}", {"A": "v"}, "v}";
    closing_braces_are_text: "A}} {a} }", {}, "A}} {a} }";
    json_around: r#"{"a":{{A}}}"#, {"A": 1}, r#"{"a":1}"#;
    unknown_stays_as_written: "{{ A }}{{{ B }}}{{&C}}{{~D~}} ", {}, "{{ A }}{{{ B }}}{{&C}}{{~D~}}";
    null_is_unknown: "{{A}}{{B.c}}", {"A": null, "B": {"c": null}}, "{{A}}{{B.c}}";
    a_value_is_never_read: "{{A}}", {"A": "{{B}} {{{{raw}}}} \\{{"}, "{{B}} {{{{raw}}}} \\{{";
    noncharacters_go: "a\u{FDD0}{{A}}", {"A": "\u{FDD0}0\u{FDD1}"}, "a0";
    blanks_are_a_value: "[{{A}}]", {"A": " \n "}, "[ \n ]";
    outer_lines_of_a_value_stay: "[{{A}}]", {"A": "\n\na\n\n"}, "[\n\na\n\n]";
    everything_else_is_json: "{{O}}{{A}}{{N}}{{F}}", {"O": {"b": [1, null]}, "A": ["x"], "N": 0, "F": false},
        r#"{"b":[1,null]}["x"]0false"#;
    crlf_and_mark_are_normalised: "\u{FEFF}a\r\n{{A}}\r\n\rb", {"A": "\r\n"}, "a\n\r\n\n\rb";
    backslashes_are_text: r"\{{A}} \\{{A}} \\", {"A": 1}, r"\1 \\1 \\";
    a_helper_word_alone_is_a_name: "{{len}} {{eq}} {{json}} {{lookup}}", {"len": 1, "eq": 2, "json": 3, "lookup": 4}, "1 2 3 4";
    words_of_literals_are_names_where_nothing_else_can_be: "{{true}} {{12}}", {"true": "a", "12": "b"}, "a b";
    names_in_many_scripts: "{{größe}} {{名}} {{हिन्दी}} {{e\u{301}}} {{1st}} {{x-y_z}}",
        {"größe": 1, "名": 2, "हिन्दी": 3, "e\u{301}": 4, "1st": 5, "x-y_z": 6}, "1 2 3 4 5 6";

    flat_before_nested: "{{a.b}}", {"a.b": "flat", "a": {"b": "nested"}}, "flat";
    flat_null_lets_nested_answer: "{{a.b}}", {"a.b": null, "a": {"b": "nested"}}, "nested";
    no_mixed_look_up: "{{a.b.c}}", {"a.b": {"c": 1}}, "{{a.b.c}}";
    lists_have_indices: "{{l.0}}{{l.1}}{{l.01}}{{l.length}}", {"l": ["a"]}, "a{{l.1}}{{l.01}}{{l.length}}";
    strings_have_no_parts: "{{s.0}}{{s.length}}", {"s": "abc"}, "{{s.0}}{{s.length}}";

    if_else: "{{#if A}}1{{else}}2{{/if}}{{#if B}}3{{else}}4{{/if}}", {"A": true}, "14";
    unless: "{{#unless A}}1{{else}}2{{/unless}}{{#unless B}}3{{/unless}}", {"A": true}, "23";
    else_if: "{{#if A}}a{{else if B}}b{{else if C}}c{{else}}d{{/if}}", {"C": 1}, "c";
    else_unless: "{{#if A}}a{{else unless B}}b{{else}}c{{/if}}", {"B": 1}, "c";
    caret_is_else: "{{#if A}}a{{^}}b{{/if}}", {}, "b";
    nested: "{{#if A}}{{#if B}}x{{else}}y{{/if}}{{/if}}", {"A": 1}, "y";
    truth: "{{#if a}}a{{/if}}{{#if b}}b{{/if}}{{#if c}}c{{/if}}{{#if d}}d{{/if}}{{#if e}}e{{/if}}{{#if f}}f{{/if}}",
        {"a": "", "b": 0, "c": [], "d": {}, "e": "0", "f": " "}, "def";
    literal_conditions: "{{#if 1}}a{{/if}}{{#if 0}}b{{/if}}{{#if ''}}c{{/if}}{{#unless null}}d{{/unless}}", {}, "ad";
    tilde_else_if: "{{#if 1}}\n{{~else if 0 }}\n{{/if}}", {}, "";

    comments: "a{{! x }}b{{!-- }} {{y}} --}}c{{!}}d{{!--}}e{{~! x ~}} f", {}, "abcdef";
    raw: "{{{{raw}}}}{{A}} {{! \\{{{{/raw}}}}{{A}}", {"A": 1}, "{{A}} {{! \\1";
    raw_is_not_trimmed: "{{#if A~}}{{{{raw}}}}\n x \n{{{{/raw}}}}{{~/if}}\n", {"A": 1}, "\n x \n\n";
    raw_of_nothing: "[{{{{raw}}}}{{{{/raw}}}}]", {}, "[]";

    tilde: "a \n {{~A~}} \n b {{~#if A~}} c {{~/if~}} d", {"A": 1}, "a1bcd";
    tilde_stops_at_a_tag: "a {{!}}{{~A}}", {"A": 1}, "a 1";
    standalone: "a\n  {{#if A}}  \nb\n\t{{/if}}\nc", {"A": 1}, "a\nb\nc";
    standalone_else: "{{#if A}}\na\n {{else}}\nb\n{{/if}}", {}, "b\n";
    standalone_at_the_ends: "  {{#if A}}\nb\n{{/if}}  ", {"A": 1}, "b\n";
    standalone_comment: "a\n {{! x\ny }}\nb", {}, "a\nb";
    placeholders_do_not_stand_alone: "a\n  {{A}}  \nb", {"A": 1}, "a\n  1  \nb";
    two_tags_on_a_line_stay: "{{#if A}}{{#if A}}\nb\n{{/if}}{{/if}}\n", {"A": 1}, "\nb\n\n";
    only_one_line_break_goes: "{{#if A}}\n\nb{{/if}}", {"A": 1}, "\nb";
}

#[cfg(feature = "handlebars")]
renders! {
    each: "{{#each XS}}- {{this}}\n{{/each}}", {"XS": ["a", "b"]}, "- a\n- b\n";
    each_of_an_object: "{{#each O}}{{@key}}={{this}}{{#unless @last}},{{/unless}}{{/each}}", {"O": {"z": 1, "a": 2}}, "z=1,a=2";
    each_variables: "{{#each XS}}{{@index}}{{#if @first}}f{{/if}}{{#if @last}}l{{/if}}{{@key}} {{/each}}", {"XS": [7, 8, 9]}, "0f 1 2l ";
    each_else: "{{#each XS}}x{{else}}none{{/each}}{{#each S}}x{{else}}none{{/each}}", {"XS": [], "S": "str"}, "nonenone";
    each_unknown: "[{{#each XS}}x{{/each}}]", {}, "[]";
    fields_before_placeholders: "{{#each XS}}{{name}}/{{N}}/{{this.name}} {{/each}}", {"XS": [{"name": "a"}, {"N": 2, "name": "b"}], "N": 1, "name": "x"}, "a/1/a b/2/b ";
    missing_in_a_loop_stays: "{{#each XS}}{{NOPE}} {{this.nope}}{{/each}}", {"XS": [1]}, "{{NOPE}} {{this.nope}}";
    null_items: "{{#each XS}}[{{this}}{{json this}}]{{/each}}", {"XS": [null, 1]}, "[null][11]";
    null_fields_look_on: "{{#each XS}}{{A}}{{/each}}", {"XS": [{"A": null}], "A": 1}, "1";
    flat_fields: "{{#each XS}}{{a.b}}{{/each}}", {"XS": [{"a.b": 1}, {"a": {"b": 2}}]}, "12";
    with: "{{#with U}}{{name}}{{@first}}{{/with}}{{#with X}}x{{else}}none{{/with}}", {"U": {"name": "Ada"}}, "Adanone";
    outwards: "{{#each XS}}{{#each ys}}{{this}}{{../n}}{{../this.n}}{{../../n}} {{/each}}{{/each}}", {"n": "top", "XS": [{"n": 1, "ys": ["a", "b"]}]}, "a11top b11top ";
    conditions_are_no_level: "{{#each XS}}{{#if this}}{{../n}}{{/if}}{{/each}}", {"n": 1, "XS": [1]}, "1";
    block_parameters: "{{#each XS as |x i|}}{{i}}{{x.n}}{{#each x.ys as |y|}}{{y}}{{x.n}}{{i}}{{/each}} {{/each}}", {"XS": [{"n": "a", "ys": [7]}]}, "0a7a0 ";
    block_parameter_of_with: "{{#with U as |u|}}{{u.name}}{{/with}}", {"U": {"name": "Ada"}}, "Ada";
    key_parameter: "{{#each O as |v k|}}{{k}}{{v}}{{/each}}", {"O": {"a": 1}}, "a1";
    else_is_outside: "{{#each XS as |x|}}{{else}}{{x}}{{/each}}", {"x": 1}, "1";
    lookup: "{{lookup L 1}}{{lookup O 'b.c'}}{{lookup O K}}{{lookup (lookup N 0) 'x'}}[{{lookup L 9}}]", {"L": [1, 2], "O": {"b.c": 3, "d": 4}, "K": "d", "N": [{"x": 5}]}, "2345[]";
    lookup_by_index: "{{#each XS}}{{lookup ../YS @index}}{{/each}}", {"XS": [0, 0], "YS": ["a", "b"]}, "ab";
    comparisons: "{{#if (eq A 'x')}}1{{/if}}{{#if (ne A \"x\")}}2{{/if}}{{#if (and (gt N 1) (lte N 2))}}3{{/if}}{{#if (or Z (not Z))}}4{{/if}}{{len L}}{{eq N 2}}", {"A": "x", "N": 2, "L": [1, 2, 3]}, "1343true";
    json: "{{json O}}{{json S}}{{json NOPE}}{{{json 'a'}}}", {"O": {"b": 1, "a": [1.0]}, "S": "q\""}, r#"{"b":1,"a":[1.0]}"q\""null"a""#;
    json_indented: "{{json O indent=2}}\n{{json L indent=1}}{{json E indent=2}}{{json N indent=0}}", {"O": {"b": [1, {}], "a": "x"}, "L": [1], "E": [], "N": [1]},
        "{\n  \"b\": [\n    1,\n    {}\n  ],\n  \"a\": \"x\"\n}\n[\n 1\n][][\n1\n]";
    json_as_an_argument: "{{#if (eq (json A indent=1) B)}}same{{/if}}", {"A": [1], "B": "[\n 1\n]"}, "same";
    a_call_is_printed: "{{(eq A 1)}} {{(len L)}}", {"A": 1, "L": [1]}, "true 1";
    strings_have_no_escapes: r"{{#if (eq A '\')}}1{{/if}}", {"A": "\\"}, "1";
    strings_hold_braces: "{{#if (eq A '}}{{')}}1{{/if}}", {"A": "}}{{"}, "1";
    loops_stand_alone: "a\n{{#each XS}}\n- {{this}}\n{{/each}}\nb", {"XS": [1, 2]}, "a\n- 1\n- 2\nb";
    raw_and_backslashes_in_the_logic_lane: r"{{#each XS}}\{{this}}\\{{{{raw}}}}{{x}}{{{{/raw}}}}{{/each}}", {"XS": [1]}, r"\1\\{{x}}";
    each_in_else: "{{#if A}}{{else each XS}}{{this}}{{/if}}", {"XS": [1, 2]}, "12";
}

fails! {
    empty_braces: "{{}}", (1, 1), "empty";
    blank_braces: "a\n {{  }}", (2, 2), "empty";
    unclosed: "a\n{{NAME", (2, 1), "not closed";
    unclosed_at_the_end: "{{", (1, 1), "not closed";
    unclosed_before_another: "{{A {{B}}", (1, 1), "opening brace";
    parted_braces: "{{NAME} }", (1, 1), "unbalanced";
    two_for_three: "{{{x}}", (1, 1), "unbalanced";
    three_for_two: "{{{x}} }", (1, 1), "unbalanced";
    blank_in_a_name: "{{user name}}", (1, 3), "unknown helper `user`";
    slash_in_a_name: "{{a/b}}", (1, 4), "`/` is not allowed";
    brackets_in_a_name: "{{a[0]}}", (1, 4), "`[` is not allowed";
    dot_at_the_end: "{{a.}}", (1, 5), "dot";
    dot_at_the_start: "{{.a}}", (1, 3), "dot";
    two_dots: "{{a..b}}", (1, 5), "dot";
    json_in_braces: "{{\"k\": 1}}", (1, 1), "without a name";
    invisible_in_a_name: "{{a\u{200B}b}}", (1, 4), "is not allowed in a name";
    this_at_the_top: "{{this}}", (1, 3), "outside of a loop";
    this_field_at_the_top: "{{this.a}}", (1, 3), "outside of a loop";
    outwards_at_the_top: "{{../a}}", (1, 3), "outside of a loop";
    index_at_the_top: "{{@index}}", (1, 3), "outside of a loop";
    root_variable: "{{@root.a}}", (1, 3), "unknown variable";
    word_if: "{{if}}", (1, 3), "belongs to the template language";
    word_log: "{{log}}", (1, 3), "belongs to the template language";
    word_else: "{{else}}", (1, 1), "outside of a block";
    log: "{{log A}}", (1, 3), "`log`";
    if_without_hash: "{{if A}}", (1, 3), "is a block";
    unknown_helper: "{{#if (eqq A B)}}{{/if}}", (1, 8), "unknown helper `eqq`";
    unknown_block: "{{#esch A}}{{/esch}}", (1, 1), "unknown block `esch`";
    mustache_section: "{{#A}}x{{/A}}", (1, 1), "unknown block `A`";
    inverted_section: "{{^A}}x{{/A}}", (1, 1), "`^`";
    decorator: "{{* a}}", (1, 1), "decorators";
    block_decorator: "{{#*inline 'a'}}{{/inline}}", (1, 1), "decorators";
    partial_block: "{{#> a}}{{/a}}", (1, 1), "partial blocks";
    unclosed_block: "a\n{{#if A}}\n{{#if B}}{{/if}}", (2, 1), "not closed";
    mismatched: "{{#if A}}{{/unless}}", (1, 10), "{{/if}}";
    closes_nothing: "{{/if}}", (1, 1), "closes nothing";
    second_else: "{{#if A}}{{else}}{{else}}{{/if}}", (1, 18), "second `else`";
    if_of_nothing: "{{#if}}{{/if}}", (1, 1), "needs an argument";
    too_many_arguments: "{{#if A B}}{{/if}}", (1, 9), "too many";
    indent_of_nothing: "{{json A indent=}}", (1, 1), "number of blanks";
    indent_too_deep: "{{json A indent=17}}", (1, 17), "0 to 16";
    indent_elsewhere: "{{len A indent=2}}", (1, 9), "with a name";
    parenthesis_with_a_name: "{{(a.b c)}}", (1, 4), "unknown helper `a.b`";
    include_zero: "{{#if A includeZero=true}}{{/if}}", (1, 9), "with a name";
    too_few_arguments: "{{#if (eq A)}}{{/if}}", (1, 8), "needs 2";
    unclosed_parenthesis: "{{#if (eq A B}}{{/if}}", (1, 7), "without its `)`";
    list_literal: "{{#each [1]}}{{/each}}", (1, 9), "is not a name";
    unclosed_string: "{{#if (eq A 'x)}}{{/if}}", (1, 13), "string";
    unclosed_raw: "{{{{raw}}}} x", (1, 1), "raw block";
    other_raw: "{{{{x}}}} y {{{{/x}}}}", (1, 1), "raw block";
    unclosed_comment: "{{! a", (1, 1), "comment";
    unclosed_long_comment: "{{!-- a }}", (1, 1), "comment";
    unknown_partial: "{{> nope}}", (1, 1), "unknown partial `nope`";
    each_of_a_call: "{{#each (eq A B)}}{{/each}}", (1, 9), "no value";
    item_name: "{{#each A as |a.b|}}{{/each}}", (1, 15), "cannot name";
    columns_count_characters: "öö {{}}", (1, 4), "empty";
}

#[test]
fn near_names_are_offered() {
    let help = |source| Template::parse(source).unwrap_err().help().unwrap().to_owned();
    assert!(help("{{#esch A}}{{/esch}}").contains("{{#each"));
    assert!(help("{{#if (nto A)}}{{/if}}").contains("`not`"));
    assert!(help("{{#each A}}{{@indx}}{{/each}}").contains("`@index`"));
    let partials = Partials::from_sources([("header", "h")]).unwrap();
    let error = Template::parse_named("base.md", "\n {{> heade}}", &partials).unwrap_err();
    assert_eq!(error.line_column(), Some((2, 2)));
    assert_eq!(error.file(), Some("base.md"));
    assert!(error.help().unwrap().contains("{{> header}}"));
}

#[test]
fn public_functions() {
    assert_eq!(placeholders("{{B}}{{#if A}}{{B}}{{/if}}{{! C }}").unwrap(), ["B", "A"]);
    assert_eq!(missing("{{AxB}}", &["A.B", "A(B", "AxB"]).unwrap(), ["A.B", "A(B"]);
    assert!(missing("{{", &[]).is_err());
    let template = Template::parse("\u{FEFF}a\r\n{{A}}").unwrap();
    assert_eq!(template.source(), "a\n{{A}}");
    assert!(!template.uses_logic());
    assert!(format!("{template:?}").contains("placeholders"));
}

#[test]
fn escape_is_what_it_says() {
    for text in
        ["", "plain }}", "{{A}}", "a{", "{{{{raw}}}}", "{{{{{/raw}}}}}", "{{{{raw}}}}{{{{/raw}}}}{"]
    {
        assert_eq!(render(&escape(text), json!({})), text);
        assert_eq!(unescape(&escape(text)), text);
    }
    assert_eq!(escape("plain }} {"), "{{{{raw}}}}plain }} {{{{{/raw}}}}");
    assert_eq!(escape("plain }} { "), "plain }} { ");
}
