//! The pack in the binary. It is read once in a program; a test loads it from its folder as well and
//! compares.

use std::borrow::Cow;

use once_cell::sync::Lazy;
use rust_embed::RustEmbed;

use super::files::Files;
use super::{Pack, PackContent, load};

#[derive(RustEmbed)]
#[folder = "templates/"]
#[prefix = "templates/"]
struct Templates;

#[derive(RustEmbed)]
#[folder = "variants/"]
#[prefix = "variants/"]
struct Variants;

struct Embedded;

impl Files for Embedded {
    fn get(&self, path: &str) -> Option<Cow<'_, str>> {
        let file = Templates::get(path).or_else(|| Variants::get(path))?;
        match file.data {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
            Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
        }
    }

    fn paths(&self) -> Vec<String> {
        let mut paths: Vec<_> =
            Templates::iter().chain(Variants::iter()).map(Cow::into_owned).collect();
        paths.sort();
        paths
    }

    fn shown(&self, path: &str) -> String {
        path.to_owned()
    }
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
