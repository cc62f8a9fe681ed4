//! What is known about model ids, as data: families, makers, hosts, aliases. The built-in part is
//! `tables.toml`; a host adds its own at run time. Nothing here reads an id.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use once_cell::sync::Lazy;
use serde::Deserialize;

use crate::family::ModelFamily;
use promptline_diagnostic::Id;
use promptline_diagnostic::TomlText;
use promptline_diagnostic::{Error, ErrorKind};

/// What [`ModelId`](crate::ModelId) knows: families, makers, hosts and aliases. Cheap to clone.
///
/// The built-in tables know the public models. A host adds what is its own:
///
/// ```
/// use promptline_model_id::{ModelFamily, ModelTables};
/// let tables = ModelTables::builtin()
///     .with_family(ModelFamily::new("acme").with_vendor("acme-labs").with_line("pro"))
///     .with_line("claude", "lyric")
///     .with_host("our_gateway")
///     .alias("prod-chat", "claude-sonnet-4-5")
///     .alias("azure/small", "gpt-5-mini"); // the id `small` of the provider `azure`
/// let id = tables.parse("", "our_gateway/acme-pro-3.1-70b");
/// assert_eq!((id.family(), id.line()), (Some("acme"), Some("pro")));
/// assert_eq!(tables.parse("azure", "small").family(), Some("gpt"));
/// ```
#[derive(Clone, Default)]
pub struct ModelTables(
    /// Nothing here means the library's own, which are read when the first id is.
    Option<Arc<Known>>,
);

/// The tables, ready to be looked things up in.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    pub(crate) families: Vec<ModelFamily>,
    /// Words that mean a family.
    words: BTreeMap<Box<str>, Meaning>,
    /// The same for two words in a row.
    pairs: BTreeMap<(Box<str>, Box<str>), Meaning>,
    /// Spellings of makers; `_` and blanks are written `-`.
    makers: BTreeMap<Box<str>, Id>,
    pub(crate) serving_makers: BTreeSet<Box<str>>,
    hosts: BTreeSet<Id>,
    pub(crate) geo: Vec<Id>,
    pub(crate) prefix_hosts: Vec<Id>,
    pub(crate) prefixes: BTreeSet<Box<str>>,
    suffixes: BTreeSet<Id>,
    pub(crate) month_day_after: BTreeSet<Box<str>>,
    aliases: BTreeMap<String, String>,
    /// Spellings of providers.
    providers: BTreeMap<Box<str>, Id>,
    /// Providers whose ids are names that users chose, and the maker of the models.
    deployments: BTreeMap<Id, Id>,
}

/// What a word means: the family at this place, and perhaps one of its lines.
type Meaning = (usize, Option<Id>);

/// The library's own file.
pub(crate) const FILE: &str = include_str!("tables.toml");

/// `tables.toml`, and what a host may have in a file of the same form.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct File {
    suffixes: Vec<String>,
    month_day_after: Vec<String>,
    geo: Vec<String>,
    prefix_hosts: Vec<String>,
    prefixes: Vec<String>,
    serving_makers: Vec<String>,
    hosts: Vec<String>,
    makers: BTreeMap<String, Vec<String>>,
    family: BTreeMap<String, ModelFamily>,
    alias: BTreeMap<String, String>,
    provider: BTreeMap<String, Vec<String>>,
    deployments: BTreeMap<String, String>,
}

static BUILTIN: Lazy<Known> = Lazy::new(|| {
    // A test reads the file; a mistake in it costs knowledge, not the process.
    let file: File = toml::from_str(FILE).unwrap_or_default();
    let mut known = Known::default();
    known.add(file);
    known
});

impl ModelTables {
    /// What this version of the library knows.
    #[must_use]
    pub fn builtin() -> Self {
        Self(None)
    }

    /// Nothing: no family, no host. For a host that wants its own tables only.
    #[must_use]
    pub fn empty() -> Self {
        Self(Some(Arc::default()))
    }

    /// Adds the tables of a TOML text, in the form of the library's own file
    /// (`src/tables.toml` of this crate, where each key is explained), and `[alias]` with pairs of ids.
    /// `file` is named in messages. A family that is there already is replaced.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`] with line and column: not TOML, an unknown key, a value of another type.
    pub fn with_toml(mut self, file: &str, text: &str) -> Result<Self, Error> {
        let mut errors = Vec::new();
        let read = TomlText::file(file, text).read::<File>(ErrorKind::Pack, &mut errors);
        match (read, errors.into_iter().next()) {
            (_, Some(first)) => Err(first),
            (None, None) => Ok(self),
            (Some(read), None) => {
                self.change().add(read);
                Ok(self)
            }
        }
    }

    /// Adds a family; one of the same name is replaced.
    #[must_use]
    pub fn with_family(mut self, family: ModelFamily) -> Self {
        self.change().add_family(family);
        self
    }

    /// Adds a line to a family that is there; for another name nothing happens.
    #[must_use]
    pub fn with_line(mut self, family: &str, line: &str) -> Self {
        let family = family.to_ascii_lowercase();
        let known = self.change();
        if let Some(at) = known.place(&family) {
            known.families.get_mut(at).into_iter().for_each(|family| family.add_line(line));
        }
        self
    }

    /// Adds a host: a path segment that is a route, or several with slashes between them.
    #[must_use]
    pub fn with_host(mut self, host: &str) -> Self {
        self.change().hosts.insert(lowered(host));
        self
    }

    /// Adds a maker: how its segment or prefix is spelt in ids, and the vendor that it means.
    #[must_use]
    pub fn with_maker(mut self, spelling: &str, vendor: &str) -> Self {
        self.change().add_maker(spelling, lowered(vendor));
        self
    }

    /// Reads the id `name` (whole, in any case; `provider/id` means it only there) as if it were `id`.
    /// An alias of an alias is not followed.
    #[must_use]
    pub fn alias(mut self, name: &str, id: &str) -> Self {
        self.change().aliases.insert(name.trim().to_ascii_lowercase(), id.to_owned());
        self
    }

    /// The name of a provider, whatever its spelling: `vertex` for `vertex_ai`, `bedrock` for `bedrock_converse`. `None`
    /// for a name that is neither a provider nor a host nor a maker of models.
    ///
    /// ```
    /// use promptline_model_id::ModelTables;
    /// let tables = ModelTables::builtin();
    /// assert_eq!(tables.provider("google_genai").as_deref(), Some("google"));
    /// assert_eq!(tables.provider("our-gateway"), None);
    /// ```
    #[must_use]
    pub fn provider(&self, spelling: &str) -> Option<Id> {
        self.known().provider(spelling)
    }

    /// The id is a name that a user chose, and says nothing of the model behind it: a deployment, an application
    /// inference profile. Only the host knows what it is ([`Model::hint`](crate::Model::hint)).
    #[must_use]
    pub fn is_opaque(&self, provider: &str, id: &str) -> bool {
        let id = id.trim();
        let named_by_user = || {
            crate::route::is_users_own(&id.to_ascii_lowercase())
                || self.known().is_deployment(provider)
        };
        !id.is_empty() && named_by_user() && self.parse(provider, id).family().is_none()
    }

    /// The families, in no order that means anything.
    pub fn families(&self) -> impl Iterator<Item = &ModelFamily> {
        self.known().families.iter()
    }

    /// The words that say how a model is served or set up: `latest`, `preview`, `thinking`, …
    pub fn suffixes(&self) -> impl Iterator<Item = &str> {
        self.known().suffixes.iter().map(Id::as_str)
    }

    pub(crate) fn known(&self) -> &Known {
        self.0.as_deref().unwrap_or_else(|| &BUILTIN)
    }

    fn change(&mut self) -> &mut Known {
        Arc::make_mut(self.0.get_or_insert_with(|| Arc::new(BUILTIN.clone())))
    }

    /// What a host has made of them, written so that equal tables are written equally (for a fingerprint); nothing
    /// for the library's own.
    #[must_use]
    pub fn own(&self) -> Option<impl fmt::Debug + '_> {
        self.0.as_deref()
    }
}

impl fmt::Debug for ModelTables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ModelTables")
            .field("families", &self.known().families.len())
            .field("hosts", &self.known().hosts.len())
            .field("aliases", &self.known().aliases)
            .finish_non_exhaustive()
    }
}

impl Known {
    fn add(&mut self, file: File) {
        self.suffixes.extend(file.suffixes.iter().map(|name| lowered(name)));
        self.geo.extend(file.geo.iter().map(|name| lowered(name)));
        self.prefix_hosts.extend(file.prefix_hosts.iter().map(|name| lowered(name)));
        self.hosts.extend(file.hosts.iter().map(|name| lowered(name)));
        let boxed = |names: Vec<String>| {
            names.into_iter().map(|name| name.to_ascii_lowercase().into_boxed_str())
        };
        self.month_day_after.extend(boxed(file.month_day_after));
        self.prefixes.extend(boxed(file.prefixes));
        self.serving_makers.extend(boxed(file.serving_makers));
        for (vendor, spellings) in file.makers {
            let vendor = lowered(&vendor);
            spellings.iter().for_each(|spelling| self.add_maker(spelling, vendor.clone()));
        }
        for (provider, spellings) in file.provider {
            let provider = lowered(&provider);
            for spelling in spellings.iter().map(String::as_str).chain([&*provider]) {
                self.providers.insert(folded(spelling).into_boxed_str(), provider.clone());
            }
        }
        let deployments = file.deployments.iter();
        self.deployments.extend(deployments.map(|(name, maker)| (lowered(name), lowered(maker))));
        for (name, family) in file.family {
            self.add_family(family.named(&name));
        }
        let aliases = file.alias.into_iter();
        self.aliases.extend(aliases.map(|(name, id)| (name.trim().to_ascii_lowercase(), id)));
    }

    fn add_maker(&mut self, spelling: &str, vendor: Id) {
        let spelling = spelling.trim().to_ascii_lowercase().replace(['_', ' '], "-");
        self.makers.insert(spelling.into_boxed_str(), vendor);
    }

    fn add_family(&mut self, family: ModelFamily) {
        let at = match self.place(family.name()) {
            Some(at) => {
                self.words.retain(|_, (place, _)| *place != at);
                self.pairs.retain(|_, (place, _)| *place != at);
                at
            }
            None => self.families.len(),
        };
        for (word, line) in family.all_words() {
            match word.split_once('-') {
                Some((first, second)) => {
                    self.pairs.insert((first.into(), second.into()), (at, line));
                }
                None => {
                    self.words.insert(word.into(), (at, line));
                }
            }
        }
        match self.families.get_mut(at) {
            Some(place) => *place = family,
            None => self.families.push(family),
        }
    }

    fn place(&self, family: &str) -> Option<usize> {
        self.families.iter().position(|known| known.name() == family)
    }

    /// The family that a word means, and its line.
    pub(crate) fn word(&self, word: &str) -> Option<(&ModelFamily, Option<Id>)> {
        let (at, line) = self.words.get(word)?;
        Some((self.families.get(*at)?, line.clone()))
    }

    /// The same for two words in a row.
    pub(crate) fn pair(&self, first: &str, second: &str) -> Option<(&ModelFamily, Option<Id>)> {
        // Only a few pairs: looking through those with the first word costs no allocation.
        let (_, (at, line)) =
            self.pairs.iter().find(|((a, b), _)| **a == *first && **b == *second)?;
        Some((self.families.get(*at)?, line.clone()))
    }

    /// The family that one of its lines means by itself.
    pub(crate) fn line_alone(&self, word: &str) -> Option<&ModelFamily> {
        self.families.iter().find(|family| family.alone(word))
    }

    pub(crate) fn family(&self, name: &str) -> Option<&ModelFamily> {
        self.families.iter().find(|family| family.name() == name)
    }

    /// The vendor that a segment or a prefix means. `_` and blanks stand for `-`.
    pub(crate) fn maker(&self, spelling: &str) -> Option<&Id> {
        if spelling.contains(['_', ' ']) {
            self.makers.get(spelling.replace(['_', ' '], "-").as_str())
        } else {
            self.makers.get(spelling)
        }
    }

    /// The name of a provider, whatever its spelling.
    pub(crate) fn provider(&self, spelling: &str) -> Option<Id> {
        let folded = folded(spelling);
        if let Some(known) = self.providers.get(folded.as_str()) {
            return Some(known.clone());
        }
        let is_host = |name: &str| self.hosts.contains(name) || self.serving_makers.contains(name);
        let known = is_host(&folded)
            || is_host(&folded.replace('-', "_"))
            || self.makers.contains_key(folded.as_str())
            || self.makers.values().any(|maker| **maker == *folded);
        known.then(|| Id::from(folded))
    }

    /// Whose models a provider serves under names of its own: its maker's, or those of whom it deploys.
    pub(crate) fn vendor_at(&self, provider: &str) -> Option<&Id> {
        let name = self.provider(provider)?;
        self.deployments.get(&name).or_else(|| self.maker(&name))
    }

    /// The ids of this provider are names that its users chose.
    pub(crate) fn is_deployment(&self, provider: &str) -> bool {
        self.provider(provider).is_some_and(|name| self.deployments.contains_key(&name))
    }

    pub(crate) fn host(&self, segments: &str) -> Option<&Id> {
        self.hosts.get(segments)
    }

    pub(crate) fn suffix(&self, word: &str) -> Option<&Id> {
        self.suffixes.get(word)
    }

    /// What an id is to be read as.
    pub(crate) fn target(&self, provider: &str, id: &str) -> Option<&str> {
        if self.aliases.is_empty() {
            return None;
        }
        let at_provider = format!("{}/{id}", provider.trim().to_ascii_lowercase());
        let found = self.aliases.get(&at_provider).or_else(|| self.aliases.get(id));
        found.map(String::as_str)
    }
}

fn folded(name: &str) -> String {
    name.trim().to_ascii_lowercase().replace(['_', ' '], "-")
}

fn lowered(name: &str) -> Id {
    Id::from(name.trim().to_ascii_lowercase())
}
