//! The data behind the dialects: limits, keywords and providers, read once from files that are part of the
//! program. No figure of a provider is written in code.
//!
//! - `limits.json`: what providers accept, with the source and the day it was looked up. Lengths are in
//!   characters. `marks` are what a name may hold beside ASCII letters, digits and `_`. For the names of
//!   Anthropic the documentation says 64; the service takes 128. For those of MCP, the specification has no
//!   `/`, SEP-986 has; both only advise.
//! - `keywords.json`: what becomes of each keyword of a JSON Schema ([`Treatment`]). `others` is for those
//!   in no list.
//! - `providers.json`: who speaks which dialect, by the names that hosts give to providers. A provider that
//!   is not listed speaks `openai`, which most copy.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use serde::Deserialize;

use super::Dialect;
use crate::names::NameRule;

/// Everything that is known about the dialects.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) advice: Advice,
    limits: BTreeMap<Dialect, Limits>,
    profiles: BTreeMap<String, Profile>,
    providers: BTreeMap<String, Dialect>,
}

/// When a list gets long for a model.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Advice {
    pub(super) tools: usize,
    pub(super) tokens: usize,
    pub(super) bytes_a_token: usize,
    #[expect(dead_code, reason = "for whoever reads the file")]
    source: String,
    #[expect(dead_code, reason = "for whoever reads the file")]
    as_of: String,
}

/// What a provider accepts.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Limits {
    pub(super) name: NameRule,
    pub(super) property_name: Option<NameRule>,
    pub(super) description_max: Option<usize>,
    pub(super) tools_max: Option<usize>,
    pub(super) strict: Option<StrictLimits>,
    pub(super) source: String,
    pub(super) as_of: String,
}

/// What a provider accepts of lists that it is to hold the model to.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StrictLimits {
    pub(super) nesting_max: Option<usize>,
    pub(super) properties_max: Option<usize>,
    pub(super) enum_values_max: Option<usize>,
    pub(super) names_length_max: Option<usize>,
    pub(super) optional_max: Option<usize>,
    pub(super) tools_max: Option<usize>,
    pub(super) source: String,
    pub(super) as_of: String,
}

/// What a dialect can say in a schema.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {
    others: Treatment,
    pub(super) refs: Refs,
    pub(super) type_lists: TypeLists,
    pub(super) root_rules: RootRules,
    /// The root needs `properties`, empty ones too.
    #[serde(default)]
    pub(super) root_properties: bool,
    /// An array needs `items`.
    #[serde(default)]
    pub(super) items_needed: bool,
    /// Schemas of tools that are [`closed`](crate::Tool::closed) say `additionalProperties: false`.
    #[serde(default)]
    pub(super) writes_closed: bool,
    /// It is the subset of OpenAPI: types in upper case, `nullable`, one type a schema.
    #[serde(default)]
    pub(super) openapi: bool,
    /// An `enum` may hold no objects and lists.
    #[serde(default)]
    pub(super) plain_enums: bool,
    /// What becomes of a list with a schema for each place.
    #[serde(default)]
    pub(super) tuples: Tuples,
    /// The provider holds the model to the schema.
    #[serde(default)]
    pub(super) strict: Option<Strict>,
    #[serde(default)]
    keep: Vec<String>,
    #[serde(default)]
    noted: Vec<String>,
    #[serde(default)]
    words: Vec<String>,
    #[serde(default)]
    silent: Vec<String>,
    /// The lists above, by keyword.
    #[serde(skip)]
    treatments: HashMap<String, Treatment>,
    /// The formats of strings and numbers; any when there is no list.
    pub(super) formats: Option<BTreeSet<String>>,
    /// Keywords that may only have values up to this.
    #[serde(default)]
    pub(super) at_most: BTreeMap<String, u64>,
}

/// What becomes of a keyword.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Treatment {
    #[default]
    Keep,
    Noted,
    Words,
    Silent,
    Drop,
}

/// What becomes of a `$ref`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Refs {
    #[default]
    Keep,
    Bare,
    Inline,
}

/// What becomes of `type: [a, b]`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TypeLists {
    #[default]
    Keep,
    AnyOf,
    Nullable,
}

/// What becomes of a list with a schema for each place (`items: […]`, since draft 2020-12 `prefixItems`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Tuples {
    /// It is sent as it is.
    #[default]
    Keep,
    /// It is written as `prefixItems`: the provider reads draft 2020-12 and nothing older.
    Prefix,
    /// One schema for every place: any of those in the list.
    AnyPlace,
}

/// What becomes of `anyOf`, `oneOf` and `allOf` at the root.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RootRules {
    #[default]
    Keep,
    /// The properties of the branches stay, the rule goes.
    Hoist,
    /// The same, and the root has neither `enum` nor `not`.
    Bare,
}

/// What a provider wants of a schema that it holds the model to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Strict {
    /// Objects are closed.
    Closed,
    /// Objects are closed and every property is required.
    AllRequired,
}

impl RootRules {
    /// Rules at the root are taken apart.
    pub(super) fn hoists(self) -> bool {
        self != Self::Keep
    }
}

impl Profile {
    pub(super) fn treatment(&self, keyword: &str) -> Treatment {
        self.treatments.get(keyword).copied().unwrap_or(self.others)
    }

    fn index(&mut self) {
        let lists = [
            (Treatment::Keep, &mut self.keep),
            (Treatment::Noted, &mut self.noted),
            (Treatment::Words, &mut self.words),
            (Treatment::Silent, &mut self.silent),
        ];
        for (treatment, list) in lists {
            self.treatments.extend(list.drain(..).map(|keyword| (keyword, treatment)));
        }
    }

    /// It takes any JSON Schema as it is, but for what the fields above say.
    pub(super) fn is_whole(&self) -> bool {
        self.others == Treatment::Keep
    }
}

impl Tables {
    fn read() -> Result<Self, serde_json::Error> {
        #[derive(Deserialize)]
        struct LimitsFile {
            advice: Advice,
            #[serde(flatten)]
            limits: BTreeMap<Dialect, Limits>,
        }
        let LimitsFile { advice, limits } = serde_json::from_str(include_str!("data/limits.json"))?;
        let mut profiles: BTreeMap<String, Profile> =
            serde_json::from_str(include_str!("data/keywords.json"))?;
        profiles.values_mut().for_each(Profile::index);
        let speakers: BTreeMap<Dialect, Vec<String>> =
            serde_json::from_str(include_str!("data/providers.json"))?;
        let providers = speakers
            .into_iter()
            .flat_map(|(dialect, names)| names.into_iter().map(move |name| (name, dialect)))
            .collect();
        Ok(Self { advice, limits, profiles, providers })
    }

    /// What the provider accepts.
    pub(super) fn limits(&self, dialect: Dialect) -> &Limits {
        self.limits.get(&dialect).unwrap_or(&NOTHING_KNOWN.0)
    }

    /// What the dialect can say; the strict one where it has one and it is asked for.
    pub(super) fn profile(&self, dialect: Dialect, strict: bool) -> &Profile {
        let base = match dialect {
            Dialect::OpenAi | Dialect::OpenAiResponses => "openai",
            other => other.as_str(),
        };
        let wanted = strict.then(|| strict_profile(dialect)).flatten().unwrap_or(base);
        self.profiles.get(wanted).unwrap_or(&NOTHING_KNOWN.1)
    }

    pub(super) fn dialect_of(&self, provider: &str) -> Option<Dialect> {
        self.providers.get(provider).copied()
    }
}

/// The profile of what the dialect can be held to. Bedrock holds models to schemas as Anthropic does.
pub(super) fn strict_profile(dialect: Dialect) -> Option<&'static str> {
    match dialect {
        Dialect::OpenAi | Dialect::OpenAiResponses => Some("openai-strict"),
        Dialect::Anthropic | Dialect::Bedrock => Some("anthropic-strict"),
        Dialect::Gemini | Dialect::GeminiLegacy | Dialect::Mcp => None,
    }
}

/// The tables. They are part of the program: a test holds that they can be read and that no dialect is
/// missing, so what is said of an unknown dialect is never asked for.
pub(super) fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::read().unwrap_or_default());
    &TABLES
}

static NOTHING_KNOWN: LazyLock<(Limits, Profile)> = LazyLock::new(Default::default);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dialect_is_in_every_table() {
        let tables = Tables::read().unwrap();
        for dialect in Dialect::ALL {
            assert!(tables.limits.contains_key(&dialect), "{dialect}");
            assert!(!std::ptr::eq(tables.profile(dialect, false), &NOTHING_KNOWN.1), "{dialect}");
            assert!(!std::ptr::eq(tables.profile(dialect, true), &NOTHING_KNOWN.1), "{dialect}");
        }
    }
}
