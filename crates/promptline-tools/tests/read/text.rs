//! Lists as text: one value, several, or none.

use promptline_diagnostic::ErrorKind;
use promptline_tools::{ReadOptions, ToolList, read_tools_text};

use crate::shapes::{messages, names};

fn read(text: &str) -> Result<ToolList, promptline_diagnostic::Error> {
    read_tools_text("list.json", text, &ReadOptions::new())
}

#[test]
fn the_lines_of_a_transcript_are_one_list() {
    let list = read(
        "\u{FEFF}{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"serverInfo\":{\"name\":\"s\"}}}\n\
         {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"t\",\"inputSchema\":{}}]}}\n",
    )
    .unwrap();
    assert_eq!((names(&list), messages(&list)), (vec!["s/t".to_owned()], vec![]));
}

#[test]
fn what_is_not_json_is_an_error_with_its_place() {
    for (text, line, column, what) in [
        ("", 1, 1, "there is no JSON in it"),
        ("[{\"name\": \"t\",\n  nope}]", 2, 3, "it is not JSON: key must be a string"),
        ("{\"tools\": [", 1, 11, "it is not JSON: EOF while parsing a list"),
    ] {
        let error = read(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Tool);
        assert_eq!(error.line_column(), Some((line, column)), "{error:#}");
        assert_eq!(error.file(), Some("list.json"));
        assert_eq!(error.message(), what);
    }
}

#[test]
fn deep_nesting_costs_what_is_nested() {
    for depth in [101, 1_000, 1_000_000] {
        let deep = format!("{}{}", "{\"items\":".repeat(depth), "}".repeat(depth));
        let deep = deep.replace(":}", ":7}");
        let list = read(&format!(
            "[{{\"name\": \"a\", \"inputSchema\": {{\"properties\": {{\"x\": {deep}}}}}}},\n\
             {{\"name\": \"b \\\" [[[\", \"inputSchema\": {{}}}}]"
        ))
        .unwrap();
        assert_eq!(names(&list), ["a", "b \" [[["]);
        let said = messages(&list);
        assert!(
            said[0].ends_with(": what is nested more than 100 deep is taken for `null`"),
            "{said:?}"
        );
        assert!(said[0].starts_with("list.json:1:"), "{said:?}");
        assert!(said[1].ends_with("/items`: it is null; it is left out"), "{said:?}");
    }
    // What never closes is not JSON, however deep.
    let error = read(&"[".repeat(1_000_000)).unwrap_err();
    assert!(error.message().starts_with("it is not JSON: EOF"), "{error}");
}

#[test]
fn the_tools_block_of_a_prompt() {
    let prompt = "Functions stand in <tools></tools> tags.\n<tools>\n\
         {\"type\":\"function\",\"function\":{\"name\":\"a\"}}\n\
         {\"type\":\"function\",\"function\":{\"name\":\"b\"}}\n</tools>\nAnd {more}.";
    let list = read(prompt).unwrap();
    assert_eq!((names(&list), messages(&list)), (vec!["a".to_owned(), "b".to_owned()], vec![]));
    let error = read(&prompt.replace("}}\n</tools>", "}\n</tools>")).unwrap_err();
    assert_eq!(error.line_column(), Some((5, 1)), "{error:#}");
    assert!(read("no tools").unwrap_err().message().starts_with("it is not JSON"));
}
