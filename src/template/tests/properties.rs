//! What holds for any template and any values.

use proptest::prelude::*;

use super::scopes::TestScope;
use super::*;

/// Templates that both lanes can read.
fn template() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => "[a{}\\\\\"' \n\t]{0,6}".prop_map(|text| escape(&text)),
        2 => prop::sample::select(vec!["\n", "  \n", "\n  ", " ", "\n\n", "x"]).prop_map(str::to_owned),
        4 => prop::sample::select(vec![
            "{{A}}", "{{ B }}", "{{{C}}}", "{{&D.e}}", "{{~A}}", "{{B~}}", "{{~{C}~}}", "{{NOPE}}",
            "{{! note }}", "{{!-- }} --}}", "{{~!~}}", "{{{{raw}}}} {{A}}\n{{{{/raw}}}}",
        ])
        .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let list = prop::collection::vec(inner, 0..5).prop_map(|parts| parts.concat());
        let word = prop::sample::select(vec!["if", "unless"]);
        let name = prop::sample::select(vec!["A", "B", "C", "D.e", "NOPE", "1", "''"]);
        let (open, close) = (prop::bool::ANY, prop::bool::ANY);
        (list.clone(), list, word, name, open, close, 0..4).prop_map(
            |(body, other, word, name, open, close, form)| {
                let tilde = |yes| if yes { "~" } else { "" };
                let (o, c) = (tilde(open), tilde(close));
                match form {
                    0 => format!("{body}{other}"),
                    1 => format!("{{{{{o}#{word} {name}}}}}{body}{{{{/{word}{c}}}}}"),
                    2 => format!(
                        "{{{{#{word} {name}}}}}\n{body}{{{{{o}else{c}}}}}{other}\n{{{{/{word}}}}}\n"
                    ),
                    _ => format!(
                        "{{{{#{word} {name}}}}}{body}\n{{{{else if A}}}}\n{other}{{{{/{word}}}}}"
                    ),
                }
            },
        )
    })
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[{}\\\\\"' \na~#/]{0,8}".prop_map(Value::from),
        Just(json!("\u{FDD0}0\u{FDD1}")),
        Just(json!({"e": "{{A}}"})),
        Just(json!([1, "x", null])),
    ]
}

fn values() -> impl Strategy<Value = Map<String, Value>> {
    (value(), value(), value(), value())
        .prop_map(|(a, b, c, d)| object(json!({"A": a, "B": b, "C": c, "D": {"e": d}})))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[cfg(feature = "handlebars")]
    #[test]
    fn the_lanes_agree(source in template(), values in values()) {
        let plain = Template::parse(&source).unwrap();
        let logic = forced(&source);
        prop_assert!(!plain.uses_logic());
        prop_assert_eq!(plain.placeholders(), logic.placeholders());
        prop_assert_eq!(plain.render(&values).unwrap(), logic.render(&values).unwrap());
        let flat = Flat::new(&values, &Slots::default());
        let (plain, logic) = (plain.render_in(&flat).unwrap(), logic.render_in(&flat).unwrap());
        prop_assert_eq!(plain.skeleton(), logic.skeleton());
    }

    #[test]
    fn placeholders_are_what_is_asked(source in template(), values in values()) {
        let template = Template::parse(&source).unwrap();
        let scope = TestScope::data(Value::Object(values));
        template.render_in(&scope).unwrap();
        let asked = scope.asked.lock().unwrap().clone();
        for name in &asked {
            prop_assert!(template.placeholders().contains(name), "{} was asked for", name);
        }
        if !source.contains("{{#") && !source.contains("{{~#") {
            let all = template.placeholders().iter().all(|name| asked.contains(name));
            prop_assert!(all, "not asked for all of {:?}", template.placeholders());
        }
    }

    #[test]
    fn an_escaped_text_prints_itself(text in "(\\{|\\}|[a\n/]|raw|\\{\\{\\{\\{raw\\}\\}\\}\\}|\\{\\{\\{\\{/raw\\}\\}\\}\\}){0,12}") {
        prop_assert_eq!(unescape(&escape(&text)), text.clone());
        prop_assert_eq!(render(&escape(&text), json!({})), text.clone());
        // It may stand before and behind a placeholder.
        let around = format!("{}{{{{A}}}}{}", escape(&text), escape(&text));
        prop_assert_eq!(render(&around, json!({"A": 1})), format!("{text}1{text}"));
    }

    #[test]
    fn any_text_survives_escape(text in any::<String>()) {
        prop_assert_eq!(unescape(&escape(&text)), text.clone());
        let printed = Template::parse(&escape(&text)).unwrap().render(&Map::new()).unwrap();
        prop_assert_eq!(printed, crate::text::normalise(&text));
    }

    #[test]
    fn anything_is_read_or_refused(parts in prop::collection::vec(prop::sample::select(vec![
        "{{", "}}", "{{{", "}}}", "{", "}", "~", "#", "/", "^", ">", "&", "!", "--", "*", "if", "else", "each",
        "with", "this", "A", ".", "..", "/", " ", "\n", "(", ")", "=", "|", "as", "'", "\"", "eq", "lookup",
        "{{{{raw}}}}", "{{{{/raw}}}}", "@index", "é", "\u{301}", "1", "\\", "{{#each A}}", "{{/each}}", "{{else}}",
    ]), 0..24)) {
        let source = parts.concat();
        if let Ok(template) = Template::parse(&source) {
            template.render(&object(json!({"A": [1, {"A": 2}], "1": "x"}))).unwrap();
        }
    }
}

/// Templates that the crate's own parser reads as Handlebars.js does: no raw blocks and backslashes;
/// `~` only on the left (the crate lets `~}}` reach over comments and line ends behind it); a last
/// line with text (blanks alone there are no line to it).
#[cfg(feature = "handlebars")]
fn whitespace_template() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        &[
            "\n",
            "  \n",
            "\n  ",
            " ",
            "\t",
            "\n\n",
            "x",
            "x ",
            "{{A}}",
            "{{~A}}",
            "x{{! c }}",
            "x{{!-- c\n --}}\n",
            "\n{{! c }}\n",
        ][..],
    );
    let template = leaf.prop_map(str::to_owned).prop_recursive(4, 48, 6, |inner| {
        let list = || prop::collection::vec(inner.clone(), 0..5).prop_map(|parts| parts.concat());
        let tilde = || prop::sample::select(vec!["", "", "~"]);
        let space = || prop::sample::select(vec!["", "\n", " \n  ", "  "]);
        let word = prop::sample::select(vec![("if", "A"), ("unless", "A"), ("if", "B")]);
        let tildes = (tilde(), tilde(), tilde());
        (list(), list(), tildes, space(), space(), word).prop_map(
            |(body, other, (a, b, c), s, t, (word, name))| {
                let open = format!("{{{{{a}#{word} {name}}}}}{s}{body}{t}");
                format!("{open}{{{{{b}else}}}}{s}{other}{t}{{{{{c}/{word}}}}}")
            },
        )
    });
    template.prop_map(|template| format!("{template}\nend"))
}

#[cfg(feature = "handlebars")]
proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn whitespace_is_as_in_the_crate(source in whitespace_template()) {
        let mut itself = ::handlebars::Handlebars::new();
        itself.register_escape_fn(::handlebars::no_escape);
        itself.set_prevent_indent(true);
        let values = json!({"A": "a", "B": ""});
        let right = itself.render_template(&source, &values).unwrap();
        prop_assert_eq!(render(&source, values), right);
    }
}
