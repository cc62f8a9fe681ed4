//! Whatever is in the files of a project: nothing panics, every file is seen, and the same project gives
//! the same answer.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::write;
use crate::*;

const FILES: [&str; 13] = [
    "AGENTS.md",
    "CLAUDE.md",
    ".clinerules/a.md",
    ".cursorrules",
    ".cursor/rules/a.mdc",
    ".cursor/rules/b/c.mdc",
    ".windsurfrules",
    ".github/copilot-instructions.md",
    ".claude/skills/a/SKILL.md",
    ".cline/skills/b/SKILL.md",
    "skills/c/SKILL.md",
    ".mcp.json",
    ".vscode/mcp.json",
];

/// Bytes, and bytes that get further: front matter and JSON with arbitrary pieces in them.
fn content() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        prop::sample::select(vec![
            "---\n",
            "---",
            "\n",
            "\r\n",
            "\u{FEFF}",
            "globs: ",
            "*.ts",
            "description: ",
            "alwaysApply: ",
            "true",
            "false",
            "name: ",
            "- ",
            "&a ",
            "*a",
            "[",
            "]",
            "{",
            "}",
            ", ",
            ": ",
            "\"",
            "'",
            "|\n",
            ">\n ",
            "? ",
            "!!x ",
            "<<: ",
            "# ",
            "<!--",
            "-->",
            "//",
            "/*",
            "*/",
            "\\u",
            "\"servers\": ",
            "\"mcpServers\": ",
            "\"disabled\": true",
            "{\"a\": {}}",
            "\u{FDD0}",
            "\u{0}",
            "\t",
            "ä",
            "...\n",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
        prop::collection::vec(any::<u8>(), 0..8),
        any::<char>().prop_map(|c| c.to_string().into_bytes()),
    ];
    let pieces = prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..200),
        pieces.clone(),
        pieces.prop_map(|inner| [b"---\n", inner.as_slice(), b"\n---\nbody"].concat()),
    ]
}

proptest! {
    // Each case writes and reads a project.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_in_the_files_each_is_seen_once(
        contents in prop::collection::vec(content(), FILES.len()),
    ) {
        let root = tempfile::tempdir().unwrap();
        for (path, bytes) in FILES.iter().zip(&contents) {
            write(root.path(), path, bytes);
        }
        let find = || Project::read(root.path()).unwrap();
        let found = find();
        let seen: Vec<_> = found.seen.iter().map(|file| file.path.as_str()).collect();
        prop_assert_eq!(&seen, &FILES);
        for (file, bytes) in found.seen.iter().zip(&contents) {
            prop_assert_eq!(file.bytes, bytes.len() as u64);
            prop_assert_eq!(file.why.is_some(), file.status == SeenStatus::Ignored);
            // What is not UTF-8 is never used.
            prop_assert!(std::str::from_utf8(bytes).is_ok() || file.status == SeenStatus::Ignored);
        }
        // Every file that is ignored is said, once.
        let ignored = found.seen.iter().filter(|file| file.status == SeenStatus::Ignored);
        let ignored: BTreeSet<_> = ignored.map(|file| file.path.as_str()).collect();
        let said = found.diagnostics.iter().filter(|note| note.code.ends_with("-left-out"));
        let said: Vec<_> = said.filter(|note| note.code != "mcp-server-left-out").collect();
        prop_assert_eq!(said.len(), ignored.len());
        prop_assert!(said.iter().all(|note| ignored.contains(note.file.as_deref().unwrap())));
        // And the same again.
        let again = find();
        prop_assert_eq!(again.seen, found.seen);
        prop_assert_eq!(again.diagnostics, found.diagnostics);
        prop_assert_eq!(again.rules, found.rules);
        prop_assert_eq!(again.skills, found.skills);
        prop_assert_eq!(again.mcp_servers, found.mcp_servers);
    }
}
