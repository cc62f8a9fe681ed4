//! The pack in the binary. It is read once in a program; a test loads it from its folder as well and
//! compares.

use std::borrow::Cow;

use include_dir::{Dir, include_dir};
use once_cell::sync::Lazy;

use super::files::Files;
use super::load::PACK_FILE;
use super::manifest::read_pack_file;
use super::{Pack, PackContent, load};
use promptline_diagnostic::TomlText;

static TEMPLATES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");
static VARIANTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/variants");

struct Embedded;

impl Files for Embedded {
    fn get(&self, path: &str) -> Option<Cow<'_, str>> {
        let (root, inside) = path.split_once('/')?;
        let folder = if root == "templates" { &TEMPLATES } else { &VARIANTS };
        folder.get_file(inside)?.contents_utf8().map(Cow::Borrowed)
    }

    fn paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        for (root, folder) in [("templates", &TEMPLATES), ("variants", &VARIANTS)] {
            let mut open = vec![folder];
            while let Some(folder) = open.pop() {
                open.extend(folder.dirs());
                let files = folder.files().map(|file| file.path().components());
                paths.extend(files.map(|parts| {
                    let parts = parts.map(|part| part.as_os_str().to_string_lossy());
                    std::iter::once(Cow::Borrowed(root)).chain(parts).collect::<Vec<_>>().join("/")
                }));
            }
        }
        paths.sort();
        paths
    }

    fn shown(&self, path: &str) -> String {
        path.to_owned()
    }
}

/// The sections that the built-in pack declares: those that every prompt may have. Read off its `pack.toml`
/// alone, so that a host without this pack does not pay for it.
pub(crate) fn usual_sections() -> &'static [String] {
    static USUAL: Lazy<Vec<String>> = Lazy::new(|| {
        let mut errors = Vec::new();
        let source = Embedded.get(PACK_FILE).unwrap_or_default();
        let read = read_pack_file(TomlText::file(PACK_FILE, &source), &mut errors);
        read.map(|read| read.sections).unwrap_or_default()
    });
    &USUAL
}

pub(super) fn builtin() -> Pack {
    static BUILTIN: Lazy<Pack> = Lazy::new(|| {
        load::load(&Embedded, false).unwrap_or_else(|error| {
            let broken = Some(format!("{error:#}"));
            Pack(std::sync::Arc::new(PackContent { broken, ..PackContent::default() }))
        })
    });
    BUILTIN.clone()
}
