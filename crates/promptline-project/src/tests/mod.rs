//! What is read from a project, and in what order; a module for each kind of file.

mod front_matter;
mod mcp;
mod properties;
mod sources;
mod texts;

use std::fs;
use std::path::Path;

use promptline_diagnostic::ErrorKind;

use crate::*;

pub(super) fn write(root: &Path, path: &str, text: impl AsRef<[u8]>) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

pub(super) fn paths(detected: &Project) -> Vec<&str> {
    detected.rules.iter().map(|file| file.path.as_str()).collect()
}

/// Each file that was seen, and what became of it.
pub(super) fn files(detected: &Project) -> Vec<String> {
    let status = |file: &SeenFile| match file.status {
        SeenStatus::Used => "used",
        SeenStatus::Ignored => "ignored",
    };
    detected.seen.iter().map(|file| format!("{} {}", file.path, status(file))).collect()
}

#[test]
fn rules_in_a_fixed_order_the_nearest_last() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir(root.path().join(".git")).unwrap();
    write(root.path(), "AGENTS.md", "\u{FEFF}root\r\nrules");
    write(root.path(), "a/b/AGENTS.md", "near");
    write(root.path(), "a/CLAUDE.md", "claude");
    for name in ["b.md", "a.md", "C.md", "sub/z.txt", "x.json", ".hidden.md"] {
        write(root.path(), &format!(".clinerules/{name}"), name);
    }
    let detected = Project::read(root.path().join("a/b")).unwrap();
    assert_eq!(
        paths(&detected),
        [
            "AGENTS.md",
            "a/b/AGENTS.md",
            "a/CLAUDE.md",
            ".clinerules/C.md",
            ".clinerules/a.md",
            ".clinerules/b.md",
            ".clinerules/sub/z.txt",
        ]
    );
    assert_eq!(&*detected.rules[0].text, "root\nrules");
    assert_eq!(detected.diagnostics.len(), 1, "{:?}", detected.diagnostics);
    assert_eq!(detected.diagnostics[0].file.as_deref(), Some(".clinerules/x.json"));
    assert!(detected.git_root.is_some());
    // Every file that was seen, and nothing of those whose names begin with a dot.
    assert_eq!(
        files(&detected),
        [
            "AGENTS.md used",
            "a/b/AGENTS.md used",
            "a/CLAUDE.md used",
            ".clinerules/C.md used",
            ".clinerules/a.md used",
            ".clinerules/b.md used",
            ".clinerules/sub/z.txt used",
            ".clinerules/x.json ignored",
        ]
    );
    // The size is that on the disk: with its byte order mark.
    assert_eq!(detected.seen[0].bytes, 14);
}

#[test]
fn what_cannot_be_read_is_left_out_and_said() {
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "AGENTS.md", [0x66, 0xFF]);
    write(root.path(), "CLAUDE.md", vec![b'x'; (1 << 20) + 1]);
    let detected = Project::read(root.path()).unwrap();
    assert!(paths(&detected).is_empty());
    let said: Vec<_> = detected.diagnostics.iter().map(|note| note.message.as_str()).collect();
    assert!(said[0].contains("not UTF-8 at byte 1"), "{said:?}");
    assert!(said[1].contains("1048577 bytes"), "{said:?}");
}

#[cfg(unix)]
#[test]
fn links_count_once_and_stay_inside() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "secret.md", "secret");
    let root = tempfile::tempdir().unwrap();
    write(root.path(), "AGENTS.md", "rules");
    symlink("AGENTS.md", root.path().join("CLAUDE.md")).unwrap();
    symlink(outside.path().join("secret.md"), root.path().join(".clinerules")).unwrap();
    let detected = Project::read(root.path()).unwrap();
    assert_eq!(paths(&detected), ["AGENTS.md"]);
    let codes: Vec<_> = detected.diagnostics.iter().map(|note| note.code.as_str()).collect();
    assert_eq!(codes, ["rules-repeated", "rules-left-out"]);
}

#[test]
fn h01_the_date_is_the_date_in_the_given_zone() {
    let day = Day::at(&"2026-03-01T00:30:00+02:00[+02:00]".parse().unwrap());
    assert_eq!((&*day.date, &*day.zone), ("2026-03-01", "UTC+02"));
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    assert_eq!(Project::read("/no/such/folder").unwrap_err().kind(), ErrorKind::Io);
}
