//! The JSON Schemas and the loader are of one mind: what one refuses, the other does, as far as one
//! file can check by its keys and types.

use std::sync::LazyLock;

use crate::pack::Folder;
use jsonschema::Validator;
use promptline::schema::{Kind, schema};
use promptline::{Overlay, PromptContext};
use proptest::prelude::*;
use serde_json::Value;

/// Made once for each format: the property asks often.
static VALIDATORS: LazyLock<[Validator; 4]> =
    LazyLock::new(|| [Kind::Pack, Kind::Variant, Kind::Tool, Kind::Component].map(validator));

fn validator(kind: Kind) -> Validator {
    jsonschema::draft7::new(&schema(kind)).expect("the schema is one")
}

/// The loader takes the file, in a pack that has no other mistakes.
fn loads(kind: Kind, text: &str) -> bool {
    let folder = Folder::over_small("");
    match kind {
        Kind::Pack => folder.put("variants/pack.toml", text),
        Kind::Variant => folder.put("variants/v/variant.toml", text),
        Kind::Tool => folder.put("templates/tools/t.toml", text),
        Kind::Component => folder.put("templates/components/b.md", format!("+++\n{text}\n+++\nB")),
        Kind::Overlay => return Overlay::from_toml("overlay.toml", text).is_ok(),
        _ => return serde_json::from_str::<PromptContext>(text).is_ok(),
    }
    folder.load().is_ok()
}

fn fits(kind: Kind, validator: &Validator, text: &str) -> bool {
    let value: Value = match kind {
        Kind::Context => serde_json::from_str(text).unwrap(),
        _ => toml::from_str(text).unwrap(),
    };
    validator.is_valid(&value)
}

#[track_caller]
fn agree(kind: Kind, good: &[&str], bad: &[&str]) {
    let validator = validator(kind);
    for (texts, expected) in [(good, true), (bad, false)] {
        for text in texts {
            assert_eq!(loads(kind, text), expected, "the loader on {text}");
            assert_eq!(fits(kind, &validator, text), expected, "the schema on {text}");
        }
    }
}

const PACK: &str = "schema = 1\nname = 'n'\nvariants = ['v']\n";

#[test]
fn packs() {
    let with = |more: &str| format!("{PACK}{more}\n");
    let good = [
        with(""),
        with("description = 'd'\nflags = ['f']\noffers = []"),
        with("placeholders = { A = 1, B = { c = [true] } }"),
        with("conditions = { a = {}, b = { model = 'claude-*', window = '>=1, <2_000' } }"),
        with(
            "conditions = { a = { any = [{ flag = ['x', 'y'] }, { not = { is = 'b' } }] }, b = {} }",
        ),
        with(
            "conditions = { a = { vendor = 'x', family = ['claude', 'gpt'], line = 'opus', suffix = 'free' } }",
        ),
        with(
            "conditions = { a = { distilled = false, version = '>=4, <5.10' }, b = { version = 'none' } }",
        ),
        with("conditions = { a = { has = 'skills', equals = { 'params.x' = 1 }, os = 'mac' } }"),
    ];
    let bad = [
        "name = 'n'\nvariants = ['v']".to_owned(),
        "schema = 2\nname = 'n'\nvariants = ['v']".to_owned(),
        "schema = '1'\nname = 'n'\nvariants = ['v']".to_owned(),
        "schema = 1\nvariants = ['v']".to_owned(),
        "schema = 1\nname = 1\nvariants = ['v']".to_owned(),
        with("descripton = 'd'"),
        with("flags = 'f'"),
        with("offers = [1]"),
        with("placeholders = []"),
        with("conditions = { a = { flg = 'x' } }"),
        with("conditions = { a = { window = 'small' } }"),
        with("conditions = { a = { window = 5 } }"),
        with("conditions = { a = { version = 5 } }"),
        with("conditions = { a = { version = '5' } }"),
        with("conditions = { a = { version = '>=v5' } }"),
        with("conditions = { a = { version = '' } }"),
        with("conditions = { a = { distilled = 'no' } }"),
        with("conditions = { a = { family = 5 } }"),
        with("conditions = { a = { flag = 5 } }"),
        with("conditions = { a = { any = {} } }"),
        with("conditions = { a = [] }"),
        with("conditions = { a = { any = [[]] } }"),
        with("conditions = { a = { not = [] } }"),
        with("conditions = { a = 'b' }"),
        with("conditions = { a = { equals = 'b' } }"),
    ];
    agree(Kind::Pack, &good.each_ref().map(String::as_str), &bad.each_ref().map(String::as_str));
}

#[test]
fn variants() {
    agree(
        Kind::Variant,
        &[
            "schema = 1",
            "schema = 1\nversion = 3\ndescription = 'd'\nextends = 'x'\nwhen = { mode = 'plan' }",
            "schema = 1\ncomponents = ['A_SECTION']\ntools = []\ntool_form = 'none'",
            "schema = 1\ntool_form = 'either'\ndialect = 'hermes'\nmcp_form = 'first-class'",
            "schema = 1\n[traits]\nedit_tool = 'patch'\ncalls_per_message = 'many'\npreamble = 'off'",
            "schema = 1\n[traits]\nbudget_tokens = 4000\nsampling = { temperature = 0.15 }",
            "schema = 1\nlabels = { stable = 1 }\ntags = ['t']\nplaceholders = { A = 'b' }",
            "schema = 1\n[component.A_SECTION]\nenabled = false\norder = -5",
            "schema = 1\n[tool.x]\nenabled = true\norder = 1\nname = 'n'\ndescription = 'd'",
        ],
        &[
            "",
            "version = 1",
            "schema = 0",
            "schema = 1\nversion = -1",
            "schema = 1\nversion = 'x'",
            "schema = 1\ntool_form = 'yaml'",
            "schema = 1\nlabels = { stable = 'x' }",
            "schema = 1\ntags = 't'",
            "schema = 1\ncomponent = []",
            "schema = 1\n[component.A_SECTION]\nenable = false",
            "schema = 1\n[tool.x]\norder = 'first'",
            "schema = 1\nwhen = 'always'",
            "schema = 1\nwhen = []",
            "schema = 1\n[tool]\nx = []",
            "schema = 1\ntool_form = {}",
            "schema = 1\ntool_form = 'either'\ndialect = 'native'",
            "schema = 1\nmcp_form = 'xml'",
            "schema = 1\ntraits = []",
            "schema = 1\n[traits]\npreamble = 'loud'",
            "schema = 1\n[traits]\nvoice = 'loud'",
            "schema = 1\n[traits]\nsampling = { temperature = 'low' }",
        ],
    );
}

#[test]
fn tools() {
    agree(
        Kind::Tool,
        &[
            "schema = 1\nid = 't'",
            "schema = 1\nid = 't'\nname = 'n'\ntool_role = 'read'\ndescription = 'd'\nwhen = { os = 'mac' }",
            "schema = 1\nid = 't'\nannotations = { read_only = true }",
            "schema = 1\nid = 't'\nannotations = { title = 'T', destructive = false, idempotent = true, open_world = true }",
            "schema = 1\nid = 't'\ninput = 'params'",
            "schema = 1\nid = 't'\ninput = 'freeform'\ngrammar = { syntax = 'regex', definition = 'a+' }",
            "schema = 1\nid = 't'\n[[params]]\nname = 'p'\nrequired = true\nbody = true\nusage = 'u'",
            "schema = 1\nid = 't'\n[[params]]\nname = 'p'\ntype = 'array'\nitems = { type = 'string' }",
        ],
        &[
            "id = 't'",
            "schema = 1",
            "schema = 1\nid = 't'\nrole = 'read'",
            "schema = 1\nid = 't'\nannotations = { readonly = true }",
            "schema = 1\nid = 't'\nparams = {}",
            "schema = 1\nid = 't'\nannotations = []",
            "schema = 1\nid = 't'\ninput = 'text'",
            "schema = 1\nid = 't'\ninput = 'freeform'\ngrammar = { syntax = 'bnf', definition = 'a' }",
            "schema = 1\nid = 't'\ninput = 'freeform'\ngrammar = { syntax = 'lark' }",
            "schema = 1\nid = 't'\ninput = 'freeform'\ngrammar = []",
            "schema = 1\nid = 't'\nparams = [['p', true]]",
            "schema = 1\nid = 't'\nwhen = []",
            "schema = 1\nid = 't'\n[[params]]\nrequired = true",
            "schema = 1\nid = 't'\n[[params]]\nname = 'p'\ntype = 'text'",
            "schema = 1\nid = 't'\n[[params]]\nname = 'p'\nrequired = 'yes'",
            "schema = 1\nid = 't'\n[[params]]\nname = 'p'\nwhen = { flags = 'x' }",
        ],
    );
}

#[test]
fn components() {
    agree(
        Kind::Component,
        &[
            "id = 'B_SECTION'",
            "id = 'B_SECTION'\nvolatility = 'turn'\npriority = 0\nrequired = true",
            "id = 'B_SECTION'\npriority = 100\npinned = true\nshrink = 'lines'\nmin = 5\nkeep_with = 'A_SECTION'",
            "id = 'B_SECTION'\nwhen = { tool = ['a', 'b'], variant = 'v' }",
        ],
        &[
            "",
            "id = 1",
            "id = 'B_SECTION'\nvolatility = 'daily'",
            "id = 'B_SECTION'\npriority = 101",
            "id = 'B_SECTION'\npriority = -1",
            "id = 'B_SECTION'\npriority = 1.5",
            "id = 'B_SECTION'\npinned = 'yes'",
            "id = 'B_SECTION'\nshrink = 's'",
            "id = 'B_SECTION'\nmin = -1",
            "id = 'B_SECTION'\nschema = 1",
        ],
    );
}

#[test]
fn overlays() {
    let with = |more: &str| format!("schema = 1\n[[section]]\nid = 'A_SECTION'\n{more}");
    let good = [
        "schema = 1".to_owned(),
        "schema = 1\nname = 'n'\ndescription = 'd'\nsection = []".to_owned(),
        with("op = 'remove'\nacknowledge = true"),
        with("op = 'append'\ntext = 'x'\ntemplate = true\nwhen = { tool = 'a', variant = 'v' }"),
        with("op = 'replace'\ntext = 'x'\nbase = '0123456789ab'"),
        with("op = 'wrap'\nbefore = 'x'\nafter = 'y'\nbase = ['0123456789ab', '01234567']"),
    ];
    let bad = [
        "name = 'n'".to_owned(),
        "schema = 1\nsections = []".to_owned(),
        "schema = 1\nsection = [['A_SECTION', 'remove']]".to_owned(),
        "schema = 1\n[[section]]\nop = 'remove'".to_owned(),
        with(""),
        with("op = 'add'\ntext = 'x'"),
        with("op = 'append'\ntext = 1"),
        with("op = 'append'\ntxt = 'x'"),
        with("op = 'append'\ntext = 'x'\nbase = 1"),
        with("op = 'append'\ntext = 'x'\ntemplate = 'yes'"),
        with("op = 'append'\ntext = 'x'\nwhen = { flags = 'x' }"),
        with("op = 'append'\ntext = 'x'\nwhen = []"),
    ];
    agree(Kind::Overlay, &good.each_ref().map(String::as_str), &bad.each_ref().map(String::as_str));
}

#[test]
fn contexts() {
    agree(
        Kind::Context,
        &[
            "{}",
            r#"{"schema": 1, "model": {"provider": "p", "id": "m", "window": 8192}, "mode": null}"#,
            r#"{"flags": ["browser"], "params": {"a": 1}, "runtime": {"B": null}}"#,
            r#"{"rules": [{"path": "AGENTS.md", "text": "t"}], "browser": {"width": 1, "height": 2}}"#,
            r#"{"mcp_servers": [{"name": "s", "status": "connected"}]}"#,
        ],
        &[
            r#"{"schema": 2}"#,
            r#"{"model": "m"}"#,
            r#"{"model": {"name": "m"}}"#,
            r#"{"model": {"window": -1}}"#,
            r#"{"flags": "browser"}"#,
            r#"{"rules": [{"path": "a", "text": 1}]}"#,
            r#"{"browser": {"width": 1}}"#,
            r#"{"handles": {}}"#,
        ],
    );
}

/// Any value that a key of a format may be given.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("true".to_owned()),
        Just("1".to_owned()),
        Just("-7".to_owned()),
        Just("50".to_owned()),
        Just("1.5".to_owned()),
        Just("'word'".to_owned()),
        Just("'turn'".to_owned()),
        Just("'<=10'".to_owned()),
        Just("[]".to_owned()),
        Just("['a', 'b']".to_owned()),
        Just("[1]".to_owned()),
        Just("{}".to_owned()),
        Just("{ flag = 'x' }".to_owned()),
        Just("{ window = '<=10' }".to_owned()),
        Just("{ window = [] }".to_owned()),
        Just("{ any = [{ mode = 'a' }, { mode = 3 }] }".to_owned()),
        Just("{ read_only = true }".to_owned()),
        Just("[{ name = 'p' }]".to_owned()),
        Just("[{ name = 'p', type = 'array', body = false }]".to_owned()),
        Just("{ A_SECTION = { order = 3 } }".to_owned()),
    ]
}

/// A table of some keys of all formats.
fn table() -> impl Strategy<Value = String> {
    const KEYS: [&str; 34] = [
        "name",
        "description",
        "flags",
        "offers",
        "placeholders",
        "conditions",
        "version",
        "extends",
        "when",
        "components",
        "tools",
        "tool_form",
        "dialect",
        "mcp_form",
        "traits",
        "labels",
        "tags",
        "component",
        "tool",
        "id",
        "volatility",
        "priority",
        "required",
        "pinned",
        "shrink",
        "min",
        "keep_with",
        "tool_role",
        "annotations",
        "input",
        "grammar",
        "params",
        "variant",
        "nmae",
    ];
    let some = prop::sample::subsequence(KEYS.to_vec(), 0..4);
    some.prop_flat_map(|keys| {
        let count = keys.len();
        (Just(keys), prop::collection::vec(value(), count))
    })
    .prop_map(|(keys, values)| {
        keys.iter().zip(values).map(|(key, value)| format!("{key} = {value}\n")).collect()
    })
}

/// The first error is about keys, types or values, which a schema can judge.
fn structural(kind: Kind, text: &str) -> Option<bool> {
    let folder = Folder::over_small("");
    match kind {
        Kind::Pack => folder.put("variants/pack.toml", text),
        Kind::Variant => folder.put("variants/v/variant.toml", text),
        Kind::Tool => folder.put("templates/tools/t.toml", text),
        _ => folder.put("templates/components/b.md", format!("+++\n{text}\n+++\nB")),
    }
    let codes = ["unknown-key", "missing-key", "bad-value", "bad-condition"];
    match folder.load() {
        Ok(_) => Some(true),
        Err(error) if codes.contains(&error.code()) => Some(false),
        // Read well, and wrong among other files.
        Err(error) if error.code() != "bad-toml" => Some(true),
        Err(_) => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn loader_and_schema_agree_on_any_table(table in table(), base in 0..4_usize) {
        let (kind, start, own) = [
            (Kind::Pack, "schema = 1\n", "name = 'n'\nvariants = ['v']\n"),
            (Kind::Variant, "schema = 1\n", ""),
            (Kind::Tool, "schema = 1\n", "id = 't'\n"),
            (Kind::Component, "", "id = 'B_SECTION'\n"),
        ][base];
        // The table's own keys come instead of those that the format needs.
        let needed: String = own
            .lines()
            .filter(|line| {
                let key = line.split(' ').next().unwrap();
                !table.lines().any(|line| line.starts_with(&format!("{key} = ")))
            })
            .map(|line| format!("{line}\n"))
            .collect();
        let text = format!("{start}{needed}{table}");
        if let Some(loads) = structural(kind, &text) {
            prop_assert_eq!(fits(kind, &VALIDATORS[base], &text), loads, "{:?}: {}", kind, text);
        }
    }
}
