//! The data behind the dialects: limits, keywords and providers, read once from files that stand in the
//! program. No figure of a provider is written in code.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use once_cell::sync::OnceCell;
use serde::Deserialize;

use super::Dialect;
use promptline_diagnostic::{Error, ErrorKind};

/// Everything that is known about the dialects.
#[derive(Debug)]
pub(super) struct Tables {
    pub(super) advice: Advice,
    limits: BTreeMap<Dialect, Limits>,
    profiles: BTreeMap<String, Profile>,
    providers: BTreeMap<String, Dialect>,
}

/// When a list gets long for a model.
#[derive(Debug, Deserialize)]
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
#[derive(Debug, Deserialize)]
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

/// Which names are legal: a letter or `_` (or a digit, where the provider takes it), then letters, digits,
/// `_` and the marks.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NameRule {
    /// Characters at most.
    pub(crate) max: usize,
    /// What else a name may hold.
    pub(crate) marks: String,
    /// A name may begin with a digit.
    #[serde(default)]
    pub(crate) digit_first: bool,
}

impl NameRule {
    /// A name may go on with this character.
    pub(crate) fn allows(&self, c: char) -> bool {
        c.is_ascii_alphanumeric() || c == '_' || self.marks.contains(c)
    }

    /// A name may begin with this character.
    pub(crate) fn begins(&self, c: char) -> bool {
        c.is_ascii_alphabetic() || c == '_' || (self.digit_first && c.is_ascii_digit())
    }

    /// The name of a property is legal: it may begin with any of the characters.
    pub(crate) fn is_legal_property(&self, name: &str) -> bool {
        !name.is_empty() && name.len() <= self.max && name.chars().all(|c| self.allows(c))
    }

    /// The name is legal as it is.
    pub(crate) fn is_legal(&self, name: &str) -> bool {
        name.len() <= self.max
            && name.starts_with(|c| self.begins(c))
            && name.chars().all(|c| self.allows(c))
    }
}

/// What a dialect can say in a schema.
#[derive(Debug, Deserialize)]
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
    /// Authored parameters say `additionalProperties: false`.
    #[serde(default)]
    pub(super) closes_authored: bool,
    /// It is the subset of OpenAPI: types in upper case, `nullable`, one type a schema.
    #[serde(default)]
    pub(super) openapi: bool,
    /// An `enum` may hold no objects and lists.
    #[serde(default)]
    pub(super) plain_enums: bool,
    /// It reads draft 2020-12 and nothing older: lists of items are `prefixItems`.
    #[serde(default)]
    pub(super) new_tuples: bool,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Treatment {
    Keep,
    Noted,
    Words,
    Silent,
    Drop,
}

/// What becomes of a `$ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Refs {
    Keep,
    Bare,
    Inline,
}

/// What becomes of `type: [a, b]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum TypeLists {
    Keep,
    AnyOf,
    Nullable,
}

/// What becomes of `anyOf` and `oneOf` at the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RootRules {
    Keep,
    Warn,
    Hoist,
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
    fn read() -> Result<Self, Error> {
        fn toml_of<T: serde::de::DeserializeOwned>(file: &str, text: &str) -> Result<T, Error> {
            toml::from_str(text).map_err(|error| {
                Error::new(ErrorKind::Tool, format!("the library's own `{file}`: {error}"))
            })
        }
        #[derive(Deserialize)]
        struct LimitsFile {
            advice: Advice,
            #[serde(flatten)]
            limits: BTreeMap<Dialect, Limits>,
        }
        let LimitsFile { advice, limits } =
            toml_of("limits.toml", include_str!("data/limits.toml"))?;
        let mut profiles: BTreeMap<String, Profile> =
            toml_of("keywords.toml", include_str!("data/keywords.toml"))?;
        profiles.values_mut().for_each(Profile::index);
        let speakers: BTreeMap<Dialect, Vec<String>> =
            toml_of("providers.toml", include_str!("data/providers.toml"))?;
        let providers = speakers
            .into_iter()
            .flat_map(|(dialect, names)| names.into_iter().map(move |name| (name, dialect)))
            .collect();
        let tables = Self { advice, limits, profiles, providers };
        for dialect in Dialect::ALL {
            tables.limits(dialect)?;
            tables.profile(dialect, false)?;
        }
        Ok(tables)
    }

    /// What the provider accepts.
    pub(super) fn limits(&self, dialect: Dialect) -> Result<&Limits, Error> {
        self.limits.get(&dialect).ok_or_else(|| missing("limits", dialect))
    }

    /// What the dialect can say; the strict one where it has one and it is asked for.
    pub(super) fn profile(&self, dialect: Dialect, strict: bool) -> Result<&Profile, Error> {
        let base = match dialect {
            Dialect::OpenAi | Dialect::OpenAiResponses => "openai",
            other => other.as_str(),
        };
        let wanted = strict.then(|| strict_profile(dialect)).flatten().unwrap_or(base);
        self.profiles.get(wanted).ok_or_else(|| missing("keywords", dialect))
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

fn missing(what: &str, dialect: Dialect) -> Error {
    Error::new(ErrorKind::Tool, format!("the library has no {what} for `{dialect}`"))
}

/// The tables. They are part of the program: that they can be read is a test, and an error, not a panic,
/// for whoever changes them.
pub(super) fn tables() -> Result<&'static Tables, Error> {
    static TABLES: OnceCell<Tables> = OnceCell::new();
    TABLES.get_or_try_init(Tables::read)
}
