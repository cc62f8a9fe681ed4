//! Hostile input ends in an error or a text, never in a panic, an abort or a long wait.

use super::*;
use promptline_diagnostic::Error;

#[cfg(not(feature = "handlebars"))]
#[test]
fn logic_needs_the_feature() {
    let error = Template::parse("a {{#each A}}{{/each}}").unwrap_err();
    assert_eq!(error.line_column(), Some((1, 3)));
    assert!(error.help().unwrap().contains("feature `handlebars`"));
}

#[test]
fn hostile_input_ends_in_an_error_or_a_text() {
    let fails = |source: &str| {
        let error: Error = Template::parse(source).unwrap_err();
        assert!(error.message().len() < 200 && error.line_column().is_some(), "{error}");
    };
    fails(&"{{{{".repeat(10_000));
    fails(&"{{".repeat(40_000));
    fails(&"{{a".repeat(40_000));
    fails(&"{{!--".repeat(40_000));
    fails(&"{{#if A}}".repeat(5_000));
    fails(&format!("{{{{#if {}A{}}}}}{{{{/if}}}}", "(not ".repeat(5_000), ")".repeat(5_000)));
    fails(&format!("{{{{#if {}A{}}}}}{{{{/if}}}}", "(lookup ".repeat(5_000), " 1)".repeat(5_000)));
    fails(&format!("{{{{#if {}{}}}}}{{{{/if}}}}", "[".repeat(5_000), "]".repeat(5_000)));
    fails(&format!("{{{{#if A}}}}{}{{{{/if}}}}", "{{else if A}}".repeat(5_000)));
    fails(&format!("{{{{#if A}}}}{}{{{{/if}}}}", "x".repeat(256 * 1024)));
    fails("{{~else if");
    fails("{{~else if}}");
    fails("{{~else if A~}}");
    fails(&format!("{{{{{}}}}}", "x/".repeat(100_000)));
    let large = "a {b} }} \n".repeat(400_000);
    assert_eq!(Template::parse(&large).unwrap().render(&Map::new()).unwrap(), large);
    assert!(Template::parse(&"{{A}} ".repeat(100_000)).is_ok());
}

#[cfg(feature = "handlebars")]
mod limits {
    use super::*;

    #[test]
    fn doubling_partials_end_in_an_error() {
        let partials = (0..20).map(|n| match n {
            19 => ("p19".to_owned(), "x".to_owned()),
            n => (format!("p{n}"), format!("{{{{> p{0}}}}}{{{{> p{0}}}}}", n + 1)),
        });
        let error = Partials::from_sources(partials).unwrap_err();
        assert!(error.message().contains("100000 partials"), "{error}");
        assert!(error.line_column().is_some());
    }

    #[test]
    fn loops_end_in_an_error() {
        let items: Vec<u32> = (0..2000).collect();
        let values = object(json!({"XS": items, "S": "x".repeat(1_000_000)}));
        let fails = |source: &str| Template::parse(source).unwrap().render(&values).unwrap_err();
        let nested = "{{#each XS}}{{#each ../XS}}{{#if @first}}{{/if}}{{/each}}{{/each}}";
        assert!(fails(nested).message().contains("steps"));
        assert_eq!(fails(nested).kind(), ErrorKind::Template);
        assert!(fails("{{#each XS}}{{S}}{{/each}}").message().contains("16 MB"));
        assert!(fails("{{#each XS}}{{#if (eq S S)}}{{/if}}{{/each}}").message().contains("steps"));
        assert!(fails(&"{{S}}".repeat(17)).message().contains("16 MB"));
    }

    #[test]
    fn the_deepest_template_renders_on_a_small_stack() {
        let blocks = 40;
        let deep = format!(
            "{}{{{{#if {}A{}}}}}x{{{{/if}}}}{}",
            "{{#with A}}".repeat(blocks),
            "(not ".repeat(24),
            ")".repeat(24),
            "{{/with}}".repeat(blocks)
        );
        let wide = format!("{}{}", "{{#with A}}".repeat(64), "{{/with}}".repeat(64));
        let run = move || {
            let values = object(json!({"A": true}));
            assert_eq!(Template::parse(&deep).unwrap().render(&values).unwrap(), "x");
            assert_eq!(Template::parse(&wide).unwrap().render(&values).unwrap(), "");
        };
        std::thread::Builder::new().stack_size(1024 * 1024).spawn(run).unwrap().join().unwrap();
    }
}
