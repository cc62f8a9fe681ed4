//! Specs from TOML outside of a pack, and from types of a host.

#[cfg(feature = "schema")]
use promptline::Param;
use promptline::{
    ErrorKind, PromptContext, ToolSpec,
    tools::{ToolInput, tool_section},
};

#[test]
fn a_tool_file_alone() {
    let spec = ToolSpec::from_toml(
        "t.toml",
        "\u{FEFF}schema = 1\r\nid = \"t\"\r\ndescription = \"In {{CWD}}.\"\r\n[[params]]\r\nname = \"a\"\r\nrequired = true\r\n",
    )
    .unwrap();
    assert!(matches!(&spec.input, ToolInput::Params(params) if params.len() == 1));
    let cx = PromptContext::default().with_cwd("/srv");
    let text = tool_section(&[spec], &cx).unwrap().text.to_string();
    assert!(
        text.starts_with("## t\nDescription: In /srv.\nParameters:\n- a: (required) "),
        "{text}"
    );
}

#[test]
fn a_mistake_in_a_tool_file_has_its_place() {
    let error =
        ToolSpec::from_toml("t.toml", "schema = 1\nid = \"t\"\nrole = \"x\"\n").unwrap_err();
    assert_eq!((error.kind(), error.line_column()), (ErrorKind::Tool, Some((3, 1))));
    let error =
        ToolSpec::from_toml("t.toml", "schema = 1\nid = \"t\"\ndescription = \"{{> p}}\"\n");
    assert_eq!(error.unwrap_err().line_column(), Some((3, 16)));
}

#[cfg(feature = "schema")]
mod types {
    use std::collections::BTreeMap;

    use promptline::ErrorKind;
    use schemars::JsonSchema;

    use super::*;

    /// Opens a ticket.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema counts")]
    struct Ticket {
        /// One line.
        title: String,
        /// Where it belongs.
        #[serde(default)]
        parents: Vec<Ticket>,
        level: Option<u8>,
    }

    #[test]
    fn a_struct_is_a_tool() {
        let spec = ToolSpec::from_type::<Ticket>("ticket").unwrap();
        let ToolInput::Schema(schema) = &spec.input else { panic!("a schema") };
        assert_eq!(schema["required"], serde_json::json!(["title"]));
        assert!(schema.get("description").is_none());
        // What is generated is valid, and what it allows is what serde reads.
        assert!(jsonschema::is_valid(
            schema,
            &serde_json::json!({"title": "t", "parents": [{"title": "u"}]})
        ));
        assert!(!jsonschema::is_valid(schema, &serde_json::json!({"title": 7})));
        let own = ToolSpec::new("ticket")
            .with_description("Opens a ticket.")
            .with_param(Param::required("title", "One line."))
            .with_param(Param::optional("parents", "Where it belongs."))
            .with_param(Param::optional("level", ""));
        let text =
            |spec| tool_section(&[spec], &PromptContext::default()).unwrap().text.to_string();
        assert_eq!(text(spec), text(own));
    }

    #[test]
    fn maps_are_objects_and_lists_are_not() {
        assert!(ToolSpec::from_type::<BTreeMap<String, u8>>("map").is_ok());
        for error in [
            ToolSpec::from_type::<Vec<u8>>("x").unwrap_err(),
            ToolSpec::from_type::<String>("x").unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Tool);
        }
    }
}
