//! What the templates of a variant ask for: every name, and which of them ask for it. No request can
//! change it, so it is listed once, for the first report, and never for builds without one.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Assembled, Station};
use crate::id::Id;
use crate::placeholder::Possible;
use crate::prompt::TEMPLATE_SECTION;

/// A name that templates ask for.
pub(crate) struct Asked {
    pub(crate) name: Id,
    /// Who can provide it.
    pub(crate) possible: Possible,
    /// The base template, and the components in run order.
    pub(crate) users: Arc<[Id]>,
}

impl Assembled {
    /// Every name, in byte order.
    pub(crate) fn asked(&self) -> &[Asked] {
        self.asked.get_or_init(|| {
            let template = Id::from(TEMPLATE_SECTION);
            let mut users: BTreeMap<&str, Vec<Id>> = BTreeMap::new();
            let base = self.base.placeholders().iter().map(|name| (name, &template));
            let inner = self.line.iter().flat_map(|Station { id, component, .. }| {
                let names =
                    component.as_ref().map_or(&[][..], |component| component.placeholders());
                names.iter().map(move |name| (name, id))
            });
            for (name, user) in base.chain(inner) {
                users.entry(name).or_default().push(user.clone());
            }
            let asked = |(name, users): (&str, Vec<Id>)| Asked {
                possible: Possible::of(name, &self.placeholders, &self.listed),
                name: name.into(),
                users: users.into(),
            };
            users.into_iter().map(asked).collect()
        })
    }
}
