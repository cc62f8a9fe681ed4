//! What is looked up in a scope, what is authored and what is not, and partials.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::*;
use crate::template::scope::DataKind;
#[cfg(feature = "handlebars")]
use crate::text::Piece;
use crate::text::Source;

#[derive(Default)]
pub(super) struct TestScope {
    values: BTreeMap<String, Resolved<'static>>,
    empty: bool,
    pub(super) asked: Mutex<Vec<String>>,
    unresolved: Mutex<Vec<(String, NamePlace)>>,
}

impl TestScope {
    pub(super) fn data(values: Value) -> Self {
        let found = |(name, value): (String, Value)| {
            let source = Source::new(&format!("test:{name}"));
            (name, Resolved::Data { value: Cow::Owned(value), kind: DataKind::Block, source })
        };
        Self { values: object(values).into_iter().map(found).collect(), ..Self::default() }
    }
}

#[cfg(feature = "handlebars")]
impl TestScope {
    pub(super) fn unresolved(&self) -> Vec<String> {
        self.unresolved.lock().unwrap().iter().map(|(name, _)| name.clone()).collect()
    }
}

impl Scope for TestScope {
    fn lookup(&self, name: &str) -> Option<Resolved<'_>> {
        self.asked.lock().unwrap().push(name.to_owned());
        self.values.get(name).cloned()
    }

    fn unresolved(&self, name: &str, place: NamePlace) -> Unresolved {
        self.unresolved.lock().unwrap().push((name.to_owned(), place));
        if self.empty { Unresolved::Empty } else { Unresolved::Keep }
    }
}

/// Pieces as `a:text` or `source:text`.
#[cfg(feature = "handlebars")]
pub(super) fn pieces(template: &Template, scope: &TestScope) -> Vec<String> {
    let text = template.render_in(scope).unwrap();
    text.pieces()
        .map(|piece| match piece {
            Piece::Authored(text) => format!("a:{text}"),
            Piece::Verbatim { text, source } => format!("{source}:{text}"),
        })
        .collect()
}

#[test]
fn one_mark_where_nothing_was_printed() {
    let marks = |template: &str| {
        let scope = TestScope { empty: true, ..TestScope::data(json!({"E": "", "T": true})) };
        let template = Template::parse(template).unwrap();
        template.render_in(&scope).unwrap().skeleton().matches('\u{FDD2}').count()
    };
    assert_eq!(marks("a{{E}}b"), 1);
    assert_eq!(marks("a{{NOPE}}b"), 1);
    assert_eq!(marks("a{{#if E}}x{{/if}}b"), 1);
    assert_eq!(marks("a{{#if T}}{{E}}{{/if}}b"), 1);
    assert_eq!(marks("a{{#if E}}x{{else if E}}y{{else if E}}{{/if}}b"), 1);
    assert_eq!(marks("a{{#if T}}x{{/if}}b{{! c }}{{{{raw}}}}{{{{/raw}}}}"), 0);
    #[cfg(feature = "handlebars")]
    {
        assert_eq!(marks("a{{#each NOPE}}x{{/each}}b"), 1);
        assert_eq!(marks("{{#with T}}{{#if E}}{{/if}}{{/with}}"), 1);
    }
}

#[test]
fn unresolved_names_are_reported_with_their_place() {
    let template = "{{A}}{{#if B}}{{/if}}{{#unless T}}{{C}}{{/unless}}";
    let scope = TestScope::data(json!({"T": true}));
    Template::parse(template).unwrap().render_in(&scope).unwrap();
    let right = [("A".to_owned(), NamePlace::Print), ("B".to_owned(), NamePlace::Condition)];
    assert_eq!(*scope.unresolved.lock().unwrap(), right);
}

#[cfg(feature = "handlebars")]
mod logic_lane {
    use super::*;

    #[test]
    fn unresolved_names_of_loops_and_helpers() {
        let template = "{{#each A}}{{/each}}{{#with B}}{{/with}}{{json C}}{{#if (eq D 1)}}{{/if}}\
                        {{#if (not E)}}{{/if}}{{#each X}}{{F}}{{this.g}}{{#if this.h}}{{/if}}{{/each}}";
        let scope = TestScope::data(json!({"X": [1]}));
        Template::parse(template).unwrap().render_in(&scope).unwrap();
        let asked: Vec<_> = scope.unresolved.lock().unwrap().clone();
        let asked: Vec<_> = asked.iter().map(|(name, place)| (name.as_str(), *place)).collect();
        let right = [
            ("A", NamePlace::Loop),
            ("B", NamePlace::Loop),
            ("C", NamePlace::Json),
            ("D", NamePlace::Condition),
            ("E", NamePlace::Condition),
            ("F", NamePlace::Print),
            ("this.g", NamePlace::Print),
            ("this.h", NamePlace::Condition),
        ];
        assert_eq!(asked, right);
    }

    #[test]
    fn data_is_never_authored() {
        let scope = TestScope::data(json!({
            "context.skills": [{"name": "a\nb", "description": "c\nd"}],
            "context.tags": ["x\ny"],
            "mcp": {"k\n1": "v\nw"},
        }));
        let template = Template::parse(
            "{{#each context.skills}}{{name}}|{{description}}{{/each}}{{#each context.tags}}{{this}}{{/each}}\
             {{#each mcp}}{{@key}}={{this}}{{@index}}{{/each}}{{json mcp}}{{lookup mcp 'k\n1'}}{{len mcp}}",
        )
        .unwrap();
        assert_eq!(
            pieces(&template, &scope),
            [
                "test:context.skills:a b",
                "a:|",
                "test:context.skills:c\nd",
                "test:context.tags:x y",
                "test:mcp:k 1",
                "a:=",
                "test:mcp:v\nw",
                "a:0",
                "test:mcp:{\"k\\n1\":\"v\\nw\"}",
                "test:mcp:v\nw",
                "a:1",
            ]
        );
    }

    #[test]
    fn texts_keep_their_pieces_and_are_strings_in_data() {
        let mut text = Text::authored("hello ");
        text.push_verbatim("{{you}}", "who");
        let mut scope = TestScope::default();
        scope.values.insert("T".to_owned(), Resolved::Text(Cow::Owned(text)));
        let template = Template::parse(
            "{{T}}{{#with T}}{{this}}{{/with}}{{#if (eq T 'hello {{you}}')}}!{{/if}}{{json T}}",
        )
        .unwrap();
        assert_eq!(
            pieces(&template, &scope),
            [
                "a:hello ",
                "who:{{you}}",
                "a:hello ",
                "who:{{you}}",
                "a:!",
                "template:\"hello {{you}}\""
            ]
        );
    }

    #[test]
    fn partials() {
        let partials = Partials::from_sources([
            ("card", "[{{title}}:{{name}}:{{N}}]"),
            ("item", "<{{this}}{{@index}}>"),
            ("outer", "{{> card title='o'}}{{#each XS}}{{> item}}{{title}}{{/each}}"),
            ("lines", "x\ny\n"),
        ])
        .unwrap();
        let values = object(
            json!({"N": 1, "name": "top", "title": "t", "XS": [7], "U": {"name": "Ada", "title": "u"}}),
        );
        let check = |source: &str, right: &str| {
            let template = Template::parse_named("t", source, &partials).unwrap();
            template.compile().unwrap();
            assert_eq!(template.render(&values).unwrap(), right, "{source}");
        };
        check("{{> card}}", "[t:top:1]");
        check("{{> card U}}", "[u:Ada:1]");
        check("{{> card title=\"x\"}}", "[x:top:1]");
        check("{{> card U title=N}}", "[1:Ada:1]");
        check("{{> card title=NOPE}}", "[{{title}}:top:1]");
        check("{{> outer title='g'}}", "[o:top:1]<70>g");
        check("{{#each XS}}{{> item}}{{/each}}", "<70>");
        check("{{> item U.name}}", "<Ada>");
        check("a\n  {{> lines}}\nb", "a\n  x\ny\nb");
        let names = |source: &str| {
            Template::parse_named("t", source, &partials).unwrap().placeholders().to_vec()
        };
        assert_eq!(names("{{A}}{{> outer}}{{N}}"), ["A", "name", "N", "XS", "title"]);
        assert_eq!(names("{{> card title=T name='x'}}"), ["T", "N"]);
        let error = Template::parse_named("t", "x {{> item}}", &partials).unwrap_err();
        assert!(error.message().contains("`item` uses the item of a loop"), "{error}");
        assert_eq!(error.line_column(), Some((1, 3)));
    }

    #[test]
    fn partial_mistakes() {
        let error =
            |sources: &[(&str, &str)]| Partials::from_sources(sources.iter().copied()).unwrap_err();
        let cycle = error(&[("z", "{{> a}}"), ("a", "{{> b}}"), ("b", "x\n {{> a}}")]);
        assert!(cycle.message().contains("partial cycle: a -> b -> a"), "{cycle}");
        assert_eq!(cycle.line_column(), Some((2, 2)));
        assert_eq!(cycle.file(), Some("b"));
        assert!(error(&[("a", "{{> a}}")]).message().contains("a -> a"));
        let unknown = error(&[("head", ""), ("a", "{{> haed}}")]);
        assert!(unknown.help().unwrap().contains("head"));
        assert_eq!(error(&[("a", ""), ("a", "")]).kind(), ErrorKind::Duplicate);
        let chain = (0..100).map(|n| {
            (
                format!("p{n:03}"),
                if n == 99 { String::new() } else { format!("{{{{> p{:03}}}}}", n + 1) },
            )
        });
        assert!(Partials::from_sources(chain).unwrap_err().message().contains("more than 64"));
    }
}
