//! Lists of MCP servers in pages: everything that was given is kept, and the asking ends.

use promptline_tools::{McpListing, collect_mcp_tools, collect_mcp_tools_async};
use serde_json::{Value, json};

fn page(tools: &[&str], next: Value) -> Value {
    let tools: Vec<Value> =
        tools.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}})).collect();
    json!({"tools": tools, "nextCursor": next})
}

fn names(listing: &McpListing) -> Vec<&str> {
    listing.tools.iter().map(|tool| tool.name.as_str()).collect()
}

fn messages(listing: &McpListing) -> Vec<&str> {
    listing.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect()
}

/// Answers by cursor, and counts how often it is asked. The async way gives the same.
fn collected(pages: impl Fn(Option<&str>) -> Result<Value, String>) -> (McpListing, usize) {
    let mut asked = 0;
    let listing = collect_mcp_tools("s", |cursor| {
        asked += 1;
        pages(cursor)
    });
    let mut asked_again = 0;
    let again = pollster::block_on(collect_mcp_tools_async("s", |cursor| {
        asked_again += 1;
        std::future::ready(pages(cursor.as_deref()))
    }));
    assert_eq!((names(&listing), messages(&listing)), (names(&again), messages(&again)));
    assert_eq!(asked, asked_again);
    assert_eq!(listing.server, "s");
    (listing, asked)
}

#[test]
fn all_pages_in_order() {
    let (listing, asked) = collected(|cursor| match cursor {
        None => Ok(page(&["b", "a"], json!("2"))),
        Some("2") => Ok(page(&["c"], json!(null))),
        Some(other) => Err(format!("no page {other}")),
    });
    assert_eq!((names(&listing), asked), (vec!["b", "a", "c"], 2));
    assert_eq!(messages(&listing), Vec::<&str>::new());
}

#[test]
fn whole_responses_will_do() {
    let (listing, asked) = collected(|cursor| match cursor {
        None => Ok(json!({"jsonrpc": "2.0", "id": 1, "result": page(&["a"], json!("2"))})),
        Some(_) => Ok(json!({"jsonrpc": "2.0", "id": 2, "result": page(&["b"], json!(null))})),
    });
    assert_eq!((names(&listing), asked), (vec!["a", "b"], 2));
    assert_eq!(messages(&listing), Vec::<&str>::new());
}

#[test]
fn a_page_that_fails_costs_no_other() {
    let (listing, _) = collected(|cursor| match cursor {
        None => Ok(page(&["a"], json!("2"))),
        Some(_) => Err("timed out".to_owned()),
    });
    assert_eq!(names(&listing), ["a"]);
    assert_eq!(
        messages(&listing),
        ["the tool list of the server `s` ends early: page 2 cannot be read: timed out"]
    );
}

#[test]
fn a_tool_that_comes_again_on_a_later_page_is_taken_once() {
    let (listing, _) = collected(|cursor| match cursor {
        None => Ok(page(&["a"], json!("2"))),
        Some(_) => Ok(page(&["a", "b"], json!(null))),
    });
    assert_eq!(names(&listing), ["a", "b"]);
    assert_eq!(
        messages(&listing),
        [
            "`/1/tools/0`: the tool `a` is left out: there is one of this name already, at `/0/tools/0`"
        ]
    );
}

#[test]
fn odd_pages_end_it() {
    for (odd, why) in [
        (json!("?"), "page 2 is no object"),
        (json!({"tools": "?"}), "page 2 has no list of tools"),
        (page(&[], json!(7)), "the cursor behind page 2 is no string"),
    ] {
        let (listing, asked) = collected(|cursor| match cursor {
            None => Ok(page(&["a"], json!("2"))),
            Some(_) => Ok(odd.clone()),
        });
        assert_eq!((names(&listing), asked), (vec!["a"], 2));
        assert!(messages(&listing)[0].ends_with(why), "{:?}", listing.diagnostics);
    }
}

#[test]
fn a_server_that_never_ends_is_left() {
    let next = |cursor: Option<&str>| cursor.map_or(0, |at| at.parse::<u64>().unwrap()) + 1;
    let (listing, asked) = collected(|cursor| Ok(page(&[], json!(next(cursor).to_string()))));
    assert_eq!((names(&listing).len(), asked), (0, 1000));
    assert!(messages(&listing)[0].ends_with("it goes on after 1000 pages"));

    let many: Vec<String> = (0..4000).map(|n| format!("t{n}")).collect();
    let (listing, asked) = collected(|cursor| {
        let page_number = next(cursor);
        let own: Vec<String> = many.iter().map(|name| format!("{name}_{page_number}")).collect();
        let own: Vec<&str> = own.iter().map(String::as_str).collect();
        Ok(page(&own, json!(page_number.to_string())))
    });
    assert_eq!((names(&listing).len(), asked), (10_000, 3));
    let said = messages(&listing);
    assert!(said[0].ends_with("it goes on after 10000 tools"), "{said:?}");
    assert!(said[1].contains("from here on tools are left out"), "{said:?}");
}

#[test]
fn the_future_can_be_sent_to_another_thread() {
    fn sent<T: Send>(_: &T) {}
    let future = collect_mcp_tools_async("s", |_| async { Err::<Value, _>("no") });
    sent(&future);
}
