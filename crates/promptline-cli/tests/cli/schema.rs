//! `promptline schema KIND`.

use serde_json::Value;

use crate::{project, run};

#[test]
fn every_format_has_a_schema() {
    let folder = project(&[]);
    for kind in ["pack", "variant", "tool", "component", "overlay", "context"] {
        let text = run(folder.path(), &["schema", kind]).quiet();
        let schema: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(schema["title"], format!("promptline: {kind}"));
        assert_eq!(schema["additionalProperties"], false, "{kind}");
    }
}

#[test]
fn another_kind_is_a_mistake() {
    run(project(&[]).path(), &["schema", "overlays"]).mistake();
}
