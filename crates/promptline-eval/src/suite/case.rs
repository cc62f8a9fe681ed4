//! A case: what is asked, and what is expected of the answer.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::assertion::Assertion;

/// What a refusal means for a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RefusalRule {
    /// The model has to refuse.
    Expect,
    /// A refusal is a failure.
    Forbid,
    /// It may; the suite's rate does not count the case.
    Allow,
}

/// A call that the answer has to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ExpectedCall {
    /// The tool.
    pub name: String,
    /// Arguments that must be there with these values; others may be.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
}

/// A message of the conversation before the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Message {
    /// `user`, `assistant` or `system`.
    pub role: String,
    /// What is said.
    pub content: String,
}

/// A case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Case {
    /// Its name, unique in the suite. Made from the question where there is none.
    pub id: String,
    /// What the user asks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// A conversation instead of a question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Message>,
    /// Variables for the assertions; data, never templates.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub vars: Map<String, Value>,
    /// Texts that the answer has to contain, in any case of letters.
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub must_contain: Vec<String>,
    /// Texts that it must not contain.
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub must_not_contain: Vec<String>,
    /// Groups of texts; of each group one has to be there.
    #[serde(deserialize_with = "groups", skip_serializing_if = "Vec::is_empty")]
    pub any_of: Vec<Vec<String>>,
    /// Regular expressions that have to match.
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub regex: Vec<String>,
    /// The answer has to hold JSON by this schema.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json_schema: Option<Value>,
    /// The calls that it has to make, in this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ExpectedCall>>,
    /// What a refusal means; without it, it counts for the suite's rate only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<RefusalRule>,
    /// The share of this case's repeats that may be refusals, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal_max: Option<f64>,
    /// Assertions by promptfoo's types.
    #[serde(rename = "assert", skip_serializing_if = "Vec::is_empty")]
    pub assertions: Vec<Assertion>,
    /// A program that gets `{"case", "output", "vars"}` as JSON on stdin and passes with exit status 0.
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub exec: Vec<String>,
    /// Its failure alone fails the gate.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub critical: bool,
    /// How much it counts in the pass rate; 1 unless given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// How often it is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<u32>,
    /// The language of the question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    /// Names to filter by.
    #[serde(deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// For readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore<T> {
    More(Vec<T>),
    One(T),
}

fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let texts = match OneOrMore::<Value>::deserialize(from)? {
        OneOrMore::More(items) => items,
        OneOrMore::One(item) => vec![item],
    };
    let text = |value: Value| match value {
        Value::String(text) => Ok(text),
        // `99` in YAML means the text.
        Value::Number(number) => Ok(number.to_string()),
        other => Err(serde::de::Error::custom(format!("expected a text, found {other}"))),
    };
    texts.into_iter().map(text).collect()
}

fn groups<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Vec<String>>, D::Error> {
    Ok(match OneOrMore::<Vec<String>>::deserialize(from) {
        Ok(OneOrMore::More(groups)) => groups,
        Ok(OneOrMore::One(group)) => vec![group],
        Err(_) => {
            return Err(serde::de::Error::custom("`any_of` is a list of texts, or of such lists"));
        }
    })
}

impl Case {
    /// A case that asks a question.
    #[must_use]
    pub fn new(id: impl Into<String>, query: impl Into<String>) -> Self {
        Self { id: id.into(), query: Some(query.into()), ..Self::default() }
    }

    /// What it is asked by, for people: the question, or the last message.
    #[must_use]
    pub fn question(&self) -> &str {
        let last = || self.messages.last().map(|message| message.content.as_str());
        self.query.as_deref().or_else(last).unwrap_or_default()
    }

    /// Everything that is expected of the text, as assertions in the order of the file.
    #[must_use]
    pub fn all_assertions(&self) -> Vec<Assertion> {
        let each = |kind: &'static str, texts: &[String]| -> Vec<Assertion> {
            texts.iter().map(|text| Assertion::new(kind).with_value(text.clone())).collect()
        };
        let mut all = each("icontains", &self.must_contain);
        all.extend(each("not-icontains", &self.must_not_contain));
        for group in &self.any_of {
            all.push(Assertion::new("icontains-any").with_value(group.clone()));
        }
        all.extend(each("regex", &self.regex));
        if let Some(schema) = &self.json_schema {
            all.push(Assertion::new("contains-json").with_value(schema.clone()));
        }
        match self.refusal {
            Some(RefusalRule::Expect) => all.push(Assertion::new("is-refusal")),
            Some(RefusalRule::Forbid) => all.push(Assertion::new("not-is-refusal")),
            _ => {}
        }
        all.extend(self.assertions.iter().cloned());
        all
    }
}
