//! Lists with something wrong in them: what is plain is repaired, what is not costs one tool, and all of
//! it is said.

use promptline_diagnostic::{Diagnostic, Severity};
use promptline_tools::read_tools;
use serde_json::{Value, json};

use crate::shapes::{messages, names, schema};

/// A schema, what it becomes, and what is said about it (without the place of the schema itself).
macro_rules! schemas {
    ($($name:ident: $schema:tt => $want:tt, [$($said:literal),*];)*) => {$(
        #[test]
        fn $name() {
            let good = json!({"name": "good", "inputSchema": {"type": "object"}});
            let list = read_tools(&json!([{"name": "t", "inputSchema": $schema}, good.clone()]));
            assert_eq!(names(&list), ["t", "good"]);
            assert_eq!(schema(&list.tools[0]), &json!($want));
            let said: Vec<String> = messages(&list)
                .iter()
                .map(|said| said.replacen("/0/inputSchema", "", 1))
                .collect();
            assert_eq!(said, [$($said),*] as [&str; _]);
            let of_tool = |d: &Diagnostic| d.subject.as_deref() == Some("t");
            assert!(list.diagnostics.iter().all(of_tool), "{:?}", list.diagnostics);
            // What is repaired is sound.
            let again = read_tools(&json!([{"name": "t", "inputSchema": $want}]));
            assert_eq!(messages(&again), Vec::<&str>::new());
            assert_eq!(schema(&again.tools[0]), &json!($want));
        }
    )*};
}

schemas! {
    null: null => {"type": "object", "properties": {}}, ["``: the schema is null; the tool takes nothing"];
    empty_list: [] => {"type": "object", "properties": {}},
        ["``: the schema is an empty list; the tool takes nothing"];
    anything: true => {"type": "object"}, ["``: the schema is `true`; the tool takes any object"];
    string_of_json: "{\"type\": \"object\"}" => {"type": "object"}, ["``: the schema was a string of JSON"];
    empty: {} => {}, [];
    properties_as_empty_list: {"type": "object", "properties": []} => {"type": "object", "properties": {}},
        ["`/properties`: the empty list is taken for an empty object"];
    properties_as_list: {"properties": [{"name": "a", "type": "string"}, {"name": "b"}]} =>
        {"properties": {"a": {"type": "string"}, "b": {}}},
        ["`/properties`: the list is taken for an object by `name`"];
    properties_null: {"type": "object", "properties": null} => {"type": "object"},
        ["`/properties`: it is null; it is left out"];
    property_null: {"properties": {"x": null}} => {"properties": {"x": {}}},
        ["`/properties/x`: it is no schema; anything is taken"];
    property_is_a_type: {"properties": {"x": "str"}} => {"properties": {"x": {"type": "string"}}},
        ["`/properties/x`: it is no schema; it is taken for the type `string`"];
    required_at_a_property: {"properties": {"a": {"type": "string", "required": true}, "b": {"required": false}}} =>
        {"properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]},
        ["`/properties/a/required`: which properties are required is said around them",
         "`/properties/b/required`: which properties are required is said around them"];
    required_in_both_ways: {"properties": {"a": {"required": true}, "b": {}}, "required": ["a", "b"]} =>
        {"properties": {"a": {}, "b": {}}, "required": ["a", "b"]},
        ["`/properties/a/required`: which properties are required is said around them"];
    required_deep_inside: {"properties": {"o": {"type": "object", "properties": {"a": {"required": true}}}}} =>
        {"properties": {"o": {"type": "object", "properties": {"a": {}}, "required": ["a"]}}},
        ["`/properties/o/properties/a/required`: which properties are required is said around them"];
    a_property_named_required: {"properties": {"required": {"type": "boolean"}, "type": {"type": "string"}}} =>
        {"properties": {"required": {"type": "boolean"}, "type": {"type": "string"}}}, [];
    required_at_the_root: {"properties": {"a": {}}, "required": true} => {"properties": {"a": {}}},
        ["`/required`: `true` says nothing here"];
    required_one_name: {"properties": {"a": {}}, "required": "a"} => {"properties": {"a": {}}, "required": ["a"]},
        ["`/required`: it is taken for a list of one"];
    required_no_names: {"properties": {"a": {}}, "required": ["a", 7, "a"]} =>
        {"properties": {"a": {}}, "required": ["a"]},
        ["`/required`: what is no name, or is there twice, is left out of the list"];
    description_number: {"properties": {"a": {"description": 7}}} => {"properties": {"a": {"description": "7"}}},
        ["`/properties/a/description`: it is no string; it is taken as it is written"];
    description_object: {"properties": {"a": {"description": {"en": "hi"}}}} =>
        {"properties": {"a": {"description": "{\"en\":\"hi\"}"}}},
        ["`/properties/a/description`: it is no string; it is taken as it is written"];
    description_null: {"properties": {"a": {"type": "string", "description": null}}} =>
        {"properties": {"a": {"type": "string"}}}, [];
    type_of_python: {"properties": {"a": {"type": "dict"}, "b": {"type": "Str"}}} =>
        {"properties": {"a": {"type": "object"}, "b": {"type": "string"}}},
        ["`/properties/a/type`: `\"dict\"` is taken for `\"object\"`", "`/properties/b/type`: `\"Str\"` is taken for `\"string\"`"];
    type_unknown: {"properties": {"a": {"type": "uuid"}}} => {"properties": {"a": {}}},
        ["`/properties/a/type`: `\"uuid\"` is no type; any is taken"];
    type_number: {"properties": {"a": {"type": 7}}} => {"properties": {"a": {}}},
        ["`/properties/a/type`: `7` is no type; any is taken"];
    types: {"properties": {"a": {"type": ["string", "null"]}}} => {"properties": {"a": {"type": ["string", "null"]}}}, [];
    types_with_a_bad_one: {"properties": {"a": {"type": ["string", "blob", "string"]}}} =>
        {"properties": {"a": {"type": ["string"]}}},
        ["`/properties/a/type`: `[\"string\",\"blob\",\"string\"]` is taken for `[\"string\"]`"];
    items_null: {"properties": {"a": {"type": "array", "items": null}}} => {"properties": {"a": {"type": "array"}}},
        ["`/properties/a/items`: it is null; it is left out"];
    items_of_a_tuple: {"properties": {"a": {"items": [{"type": "string"}, {"type": "int"}]}}} =>
        {"properties": {"a": {"items": [{"type": "string"}, {"type": "integer"}]}}},
        ["`/properties/a/items/1/type`: `\"int\"` is taken for `\"integer\"`"];
    any_of_one: {"properties": {"a": {"anyOf": {"type": "string"}}}} => {"properties": {"a": {"anyOf": [{"type": "string"}]}}},
        ["`/properties/a/anyOf`: it is taken for a list of one"];
    any_of_nothing: {"properties": {"a": {"anyOf": []}}} => {"properties": {"a": {}}},
        ["`/properties/a/anyOf`: the list is empty; it is left out"];
    enum_of_one: {"properties": {"a": {"enum": "x"}}} => {"properties": {"a": {"enum": ["x"]}}},
        ["`/properties/a/enum`: it is taken for a list of one"];
    enum_of_nothing: {"properties": {"a": {"enum": []}}} => {"properties": {"a": {}}},
        ["`/properties/a/enum`: the list is empty; it is left out"];
    numbers_as_strings: {"properties": {"a": {"minimum": "1.5", "maxLength": "9", "minItems": "x", "minLength": -1}}} =>
        {"properties": {"a": {"minimum": 1.5, "maxLength": 9}}},
        ["`/properties/a/minimum`: the string is taken for a number",
         "`/properties/a/minLength`: it is no whole number from 0 on; it is left out",
         "`/properties/a/maxLength`: the string is taken for a number",
         "`/properties/a/minItems`: it is no number; it is left out"];
    closed_by_a_boolean: {"type": "object", "additionalProperties": false} =>
        {"type": "object", "additionalProperties": false}, [];
    inside_of_defs: {"$defs": {"I": {"type": "int"}}, "properties": {"i": {"$ref": "#/$defs/I"}}} =>
        {"$defs": {"I": {"type": "integer"}}, "properties": {"i": {"$ref": "#/$defs/I"}}},
        ["`/$defs/I/type`: `\"int\"` is taken for `\"integer\"`"];
    a_place_with_slashes: {"properties": {"a/b~c": {"type": "int"}}} => {"properties": {"a/b~c": {"type": "integer"}}},
        ["`/properties/a~1b~0c/type`: `\"int\"` is taken for `\"integer\"`"];
    values_are_no_schemas: {"properties": {"a": {"default": null, "const": null, "examples": [{"type": "int"}]}}} =>
        {"properties": {"a": {"default": null, "const": null, "examples": [{"type": "int"}]}}}, [];
    unknown_keywords_stay: {"x-a": null, "properties": {"a": {"x-b": {"type": "int"}}}} =>
        {"x-a": null, "properties": {"a": {"x-b": {"type": "int"}}}}, [];
}

/// An entry of a list that is no tool, and what is said about it. The good tool beside it is read.
macro_rules! left_out {
    ($($name:ident: $entry:tt => $said:literal;)*) => {$(
        #[test]
        fn $name() {
            let list = read_tools(&json!([$entry, {"name": "good", "inputSchema": {"type": "object"}}]));
            assert_eq!(names(&list), ["good"]);
            assert_eq!(messages(&list), [$said]);
            assert_eq!(list.diagnostics[0].code, "tool-left-out");
        }
    )*};
}

left_out! {
    no_name: {"inputSchema": {}} => "`/0`: it is left out: it has no name";
    name_is_a_number: {"name": 7, "inputSchema": {}} => "`/0/name`: it is left out: its name is blank or no string";
    name_is_blank: {"name": " ", "inputSchema": {}} => "`/0/name`: it is left out: its name is blank or no string";
    schema_is_a_word: {"name": "t", "inputSchema": "object"} =>
        "`/0/inputSchema`: the tool `t` is left out: its schema is a string, not an object";
    schema_is_a_list: {"name": "t", "inputSchema": [1]} =>
        "`/0/inputSchema`: the tool `t` is left out: its schema is not an object";
    arguments_are_a_list: {"name": "t", "input_schema": {"type": "array"}} =>
        "`/0/input_schema`: the tool `t` is left out: the arguments of a tool are an object, and its schema says \"array\"";
    a_tool_of_the_provider: {"type": "web_search_20250305", "name": "web_search"} =>
        "`/0`: the tool `web_search` is left out: `web_search_20250305` is no function, but a tool that a provider brings itself";
    a_mark_for_the_cache: {"cachePoint": {"type": "default"}} =>
        "`/0`: it is left out: no tool can be seen in it; its keys are `cachePoint`";
    a_word: "search" => "`/0`: it is left out: a tool is an object";
    null_is_no_tool: null => "`/0`: it is left out: a tool is an object";
    function_is_a_word: {"type": "function", "function": "f"} => "`/0/function`: it is left out: it is not an object";
    tools_are_a_word: {"tools": "all"} => "`/0/tools`: it is left out: it is not a list";
    gemini_own: {"functionDeclarations": [], "googleSearch": {}} =>
        "`/0/googleSearch`: it is left out: it is no function, but a tool that a provider brings itself";
}

#[test]
fn what_is_there_twice_is_taken_once() {
    let list = read_tools(&json!([
        {"name": "a", "tools": [{"name": "q", "inputSchema": {}}, {"name": "q", "inputSchema": {}}]},
        {"name": "b", "tools": [{"name": "q", "inputSchema": {}}]},
    ]));
    assert_eq!(names(&list), ["a/q", "b/q"]);
    assert_eq!(
        messages(&list),
        [
            "`/0/tools/1`: the tool `q` is left out: there is one of this name already, at `/0/tools/0`"
        ]
    );
}

#[test]
fn a_tool_without_a_description_or_schema() {
    let list = read_tools(&json!([
        {"name": "a", "description": 7, "inputSchema": {"type": "object"}},
        {"name": "b"},
        {"name": "c", "description": null, "input_schema": {"type": "object"}},
    ]));
    assert_eq!(names(&list), ["a", "b", "c"]);
    assert_eq!(
        messages(&list),
        [
            "`/0/description`: the description is no string; it is taken as it is written",
            "`/1`: it has no schema, and takes nothing",
        ]
    );
}

#[test]
fn what_a_spec_has_no_place_for_is_said() {
    let list = read_tools(&json!([{
        "name": "t", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"},
        "strict": true, "defer_loading": null,
    }]));
    assert_eq!(messages(&list), ["`/0`: a tool has no place for `cache_control`, `strict`"]);
    assert_eq!(list.diagnostics[0].severity, Severity::Info);
}

#[test]
fn of_two_schemas_one_is_read_and_the_other_named() {
    let list = read_tools(&json!({"functionDeclarations": [{
        "name": "t", "parameters": {"type": "OBJECT"}, "parametersJsonSchema": {"type": "object"},
    }]}));
    assert_eq!(
        messages(&list),
        ["`/functionDeclarations/0/parameters`: it is not read: the schema is that under \
          `parametersJsonSchema`"]
    );
}

#[test]
fn a_page_that_is_not_the_last_says_so() {
    let list =
        read_tools(&json!({"tools": [{"name": "t", "inputSchema": {}}], "nextCursor": "p2"}));
    assert_eq!(names(&list), ["t"]);
    assert_eq!(messages(&list), ["`/`: there are more tools on the page behind the cursor `p2`"]);
}

#[test]
fn an_answer_that_is_an_error_says_so() {
    let error = json!({"code": -32601, "message": "no such method"});
    let list = read_tools(&json!({"jsonrpc": "2.0", "id": 1, "error": error}));
    assert_eq!(messages(&list), ["`/`: the server answered: no such method"]);
}

#[test]
fn a_tool_in_which_everything_is_wrong_does_not_drown_the_others() {
    let properties: serde_json::Map<String, Value> =
        (0..1000).map(|n| (format!("p{n}"), Value::Null)).collect();
    let list = read_tools(&json!([
        {"name": "bad", "inputSchema": {"properties": properties}},
        {"name": "odd", "inputSchema": null},
    ]));
    assert_eq!(names(&list), ["bad", "odd"]);
    assert_eq!(list.diagnostics.len(), 22);
    assert_eq!(list.diagnostics[20].message, "980 more things of this tool were repaired");
    assert_eq!(list.diagnostics[21].subject.as_deref(), Some("odd"));
}

#[test]
fn nesting_built_by_hand_costs_its_own_tool() {
    // Without recursion, and never dropped: dropping it is what would overflow.
    let mut deep = json!({});
    for _ in 0..100_000 {
        let mut outer = serde_json::Map::new();
        outer.insert("items".to_owned(), deep);
        deep = Value::Object(outer);
    }
    let value = json!([{"name": "good", "inputSchema": {}}, {"name": "deep"}]);
    let mut value = std::mem::ManuallyDrop::new(value);
    value[1]["inputSchema"] = deep;
    let list = read_tools(&value);
    assert_eq!(names(&list), ["good"]);
    assert_eq!(
        messages(&list),
        ["`/1`: the tool `deep` is left out: it is nested more than 120 deep"]
    );

    let mut lists = std::mem::ManuallyDrop::new(json!([]));
    for _ in 0..100_000 {
        *lists = Value::Array(vec![lists.take()]);
    }
    let list = read_tools(&lists);
    assert_eq!(list.diagnostics.len(), 1);
    assert!(
        list.diagnostics[0].message.ends_with("lists of tools are not nested more than 12 deep")
    );
}
