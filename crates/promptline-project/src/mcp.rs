//! The MCP servers that a project configures: their names, and which are switched off. Command lines,
//! environments and addresses hold secrets: nothing of them is kept, and no message quotes a value.

use std::collections::BTreeMap;

use jsonc_parser::ast::{Object, Value};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use crate::folders::Folders;
use crate::options::ReadOptions;
use crate::reading::Reader;
use crate::seen::{SeenKind, quoted};
use crate::sources::MCP;
use promptline_diagnostic::Diagnostic;

/// An MCP server that a project configures.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpServer {
    /// Its name, the key of its entry.
    pub name: String,
    /// The entry says `"disabled": true`.
    pub is_disabled: bool,
}

/// The keys that hold the list.
const LISTS: [&str; 2] = ["mcpServers", "servers"];

/// JSON, with the comments and trailing commas that editors allow, and nothing else.
const FORM: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The servers of a project; the first of a name counts.
pub(crate) fn servers(
    reader: &mut Reader,
    folders: &Folders,
    options: &ReadOptions,
) -> Vec<McpServer> {
    let mut servers = Vec::new();
    let mut places = BTreeMap::new();
    for (name, shared, hosts) in MCP {
        let wanted = match options.hosts.as_slice() {
            [] => *shared,
            asked => hosts.iter().any(|host| asked.contains(host)),
        };
        for folder in folders.down() {
            let file = folder.join(name);
            if wanted {
                let found = reader.read(&file, SeenKind::Mcp, |shown, text, notes| {
                    Ok(servers_in(shown, text, &mut places, notes)?)
                });
                servers.extend(found.unwrap_or_default());
            } else if file.is_file() {
                let names: Vec<_> = hosts.iter().map(|host| host.name()).collect();
                let why = format!("only {} reads it", names.join(" or "));
                reader.not_read(&file, SeenKind::Mcp, &why);
            }
        }
    }
    servers
}

/// The servers of a file; a bad one is a note. `places` are the names so far, and the file of each.
fn servers_in(
    shown: &str,
    text: &str,
    places: &mut BTreeMap<String, String>,
    notes: &mut Vec<Diagnostic>,
) -> Result<Vec<McpServer>, String> {
    // The parser's own message may quote the file.
    let parsed = parse_to_ast(text, &CollectOptions::default(), &FORM)
        .map_err(|error| format!("it is not JSON (line {})", error.line_display()))?;
    let Some(Value::Object(file)) = parsed.value else {
        return Err("it is not a JSON object".to_owned());
    };
    let mut lists = Vec::new();
    for key in LISTS {
        match value(&file, key) {
            Some(Value::Object(list)) => lists.push(list),
            Some(_) => return Err(format!("`{key}` is not an object")),
            None => {}
        }
    }
    if lists.is_empty() {
        return Err("it has neither `mcpServers` nor `servers`".to_owned());
    }
    let mut servers = Vec::new();
    for entry in lists.iter().flat_map(|list| &list.properties) {
        let name = entry.name.as_str().trim();
        match (judge(name, &entry.value, places), &entry.value) {
            (Ok(()), Value::Object(settings)) => {
                places.insert(name.to_owned(), shown.to_owned());
                servers
                    .push(McpServer { name: name.to_owned(), is_disabled: is_disabled(settings) });
            }
            (Ok(()), _) => {}
            (Err(why), _) => {
                let message = format!("server {} is left out: {why}", quoted(name));
                let note = Diagnostic::warning("mcp-server-left-out", message);
                notes.push(note.about(name).in_file(shown));
            }
        }
    }
    Ok(servers)
}

/// Why an entry is no server of ours.
fn judge(
    name: &str,
    settings: &Value<'_>,
    places: &BTreeMap<String, String>,
) -> Result<(), String> {
    if name.is_empty() {
        return Err("it has no name".to_owned());
    }
    if !matches!(settings, Value::Object(_)) {
        return Err("its entry is not an object".to_owned());
    }
    match places.get(name) {
        Some(first) => Err(format!("a server of this name comes before, in `{first}`")),
        None => Ok(()),
    }
}

fn is_disabled(settings: &Object<'_>) -> bool {
    matches!(value(settings, "disabled"), Some(Value::BooleanLit(switch)) if switch.value)
}

/// The value of a key; of one that is there twice, the first.
fn value<'a>(object: &'a Object<'a>, key: &str) -> Option<&'a Value<'a>> {
    object.properties.iter().find(|entry| entry.name.as_str() == key).map(|entry| &entry.value)
}
