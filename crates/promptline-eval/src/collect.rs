//! Proposes cases from production logs. Nothing is added by itself: somebody reads them first.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;
use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, ErrorKind};
use crate::refusal;

/// A proposal.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Proposal {
    /// The question that stands for the group: its most frequent one.
    pub query: String,
    /// How often the group was asked.
    pub count: usize,
    /// How often it was refused.
    pub refused: usize,
    /// Other wordings, at most five.
    pub others: Vec<String>,
    /// Kinds of personal data in the questions; remove them before the case is kept.
    pub personal: Vec<&'static str>,
    /// An answer that refused.
    pub answer: String,
}

#[derive(Default)]
struct Group {
    wordings: BTreeMap<String, usize>,
    refused: usize,
    answer: String,
    shingles: BTreeSet<u64>,
}

/// Reads a log: JSON objects, one a line, with `query` and `answer` (or `input`/`output`, `question`/`response`), and
/// `refused` where the host knows it. Questions that are nearly the same are one group. Returns the groups with at
/// least `least` refusals that no known question covers, the most refused first.
///
/// # Errors
/// [`ErrorKind::File`] with the line that is no object with a question.
pub fn collect(log: &str, known: &[String], least: usize) -> Result<Vec<Proposal>, Error> {
    let mut groups: Vec<Group> = Vec::new();
    // Which groups have a piece of text: a new question is compared with those only.
    let mut index: HashMap<u64, Vec<usize>> = HashMap::new();
    for (number, line) in log.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong =
            |what: &str| Error::new(ErrorKind::File, format!("line {}: {what}", number + 1));
        let entry: Value = serde_json::from_str(line).map_err(|error| wrong(&error.to_string()))?;
        let text = |names: &[&str]| {
            names.iter().find_map(|name| entry.get(name)?.as_str()).map(str::to_owned)
        };
        let query = text(&["query", "input", "question", "user"])
            .ok_or_else(|| wrong("it has no `query`"))?;
        let answer = text(&["answer", "output", "response", "assistant"]).unwrap_or_default();
        let refused = match entry.get("refused").and_then(Value::as_bool) {
            Some(refused) => refused,
            None => refusal::detect_text(&answer).refused,
        };
        let shingles = shingles(&query);
        let place = nearest(&groups, &index, &shingles).unwrap_or_else(|| {
            for shingle in &shingles {
                index.entry(*shingle).or_default().push(groups.len());
            }
            groups.push(Group { shingles: shingles.clone(), ..Group::default() });
            groups.len() - 1
        });
        let Some(group) = groups.get_mut(place) else { continue };
        *group.wordings.entry(query).or_insert(0) += 1;
        if refused {
            group.refused += 1;
            if group.answer.is_empty() {
                group.answer = answer;
            }
        }
    }
    let known: Vec<BTreeSet<u64>> = known.iter().map(|query| self::shingles(query)).collect();
    let new = |group: &Group| !known.iter().any(|one| alike(one, &group.shingles));
    let mut proposals: Vec<Proposal> = groups
        .iter()
        .filter(|group| group.refused >= least.max(1) && new(group))
        .map(proposal)
        .collect();
    proposals.sort_by(|a, b| {
        (b.refused, b.count).cmp(&(a.refused, a.count)).then_with(|| a.query.cmp(&b.query))
    });
    Ok(proposals)
}

fn proposal(group: &Group) -> Proposal {
    let mut wordings: Vec<(&String, &usize)> = group.wordings.iter().collect();
    wordings.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
    let personal = PERSONAL
        .iter()
        .filter(|(_, pattern)| wordings.iter().any(|(query, _)| pattern.is_match(query)));
    Proposal {
        query: wordings.first().map(|(query, _)| (*query).clone()).unwrap_or_default(),
        count: group.wordings.values().sum(),
        refused: group.refused,
        others: wordings.iter().skip(1).take(5).map(|(query, _)| (*query).clone()).collect(),
        personal: personal.map(|(name, _)| *name).collect(),
        answer: group.answer.clone(),
    }
}

/// Kinds of personal data, by shape.
static PERSONAL: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| {
    let kinds = [
        ("email", r"[\w.+-]+@[\w-]+\.[\w.-]+"),
        (
            "phone",
            r"(?:\+\d{1,3}[ -]?)?(?:(?-u:\b)1[3-9]\d{9}(?-u:\b)|\(?(?-u:\b)\d{3,4}\)?[ -]\d{3,4}[ -]?\d{3,4}(?-u:\b))",
        ),
        ("id-number", r"(?-u:\b)\d{17}[\dXx](?-u:\b)|(?-u:\b)\d{3}-\d{2}-\d{4}(?-u:\b)"),
        ("card", r"(?-u:\b)(?:\d[ -]?){15,18}\d(?-u:\b)"),
        ("iban", r"(?-u:\b)[A-Z]{2}\d{2}[ ]?(?:[A-Z0-9]{4}[ ]?){3,7}[A-Z0-9]{0,4}(?-u:\b)"),
        ("ip-address", r"(?-u:\b)(?:\d{1,3}\.){3}\d{1,3}(?-u:\b)"),
        ("order-number", r"(?-u:\b)\d{12,}(?-u:\b)"),
    ];
    kinds.iter().filter_map(|(name, pattern)| Some((*name, Regex::new(pattern).ok()?))).collect()
});

/// Pairs of characters, without blanks, marks and case; digits are all alike.
fn shingles(query: &str) -> BTreeSet<u64> {
    let characters = query.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric());
    let characters: Vec<char> = characters.map(|c| if c.is_numeric() { '0' } else { c }).collect();
    match characters.as_slice() {
        [] => BTreeSet::new(),
        [one] => BTreeSet::from([u64::from(u32::from(*one))]),
        more => more
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] => Some(u64::from(u32::from(*a)) << 32 | u64::from(u32::from(*b))),
                _ => None,
            })
            .collect(),
    }
}

/// At least six tenths of the pairs in common (Jaccard).
fn alike(one: &BTreeSet<u64>, other: &BTreeSet<u64>) -> bool {
    let common = one.intersection(other).count();
    common * 10 >= (one.len() + other.len() - common) * 6
}

/// The group that is alike, among those that share rare pieces: pieces that are everywhere say nothing.
fn nearest(
    groups: &[Group],
    index: &HashMap<u64, Vec<usize>>,
    shingles: &BTreeSet<u64>,
) -> Option<usize> {
    const MOST: usize = 200;
    let mut lists: Vec<&Vec<usize>> =
        shingles.iter().filter_map(|shingle| index.get(shingle)).collect();
    lists.sort_by_key(|list| list.len());
    let mut tried = BTreeSet::new();
    for place in lists.into_iter().flatten().take(4 * MOST) {
        if tried.insert(*place)
            && groups.get(*place).is_some_and(|group| alike(&group.shingles, shingles))
        {
            return Some(*place);
        }
        if tried.len() >= MOST {
            break;
        }
    }
    None
}

/// Proposals as cases of a suite in YAML, to be read and completed.
#[must_use]
pub fn to_yaml(proposals: &[Proposal]) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut yaml = String::from(
        "# Proposed from a log. Read each one, remove personal data, say what a good answer contains.\ncases:\n",
    );
    for proposal in proposals {
        let hash = crate::hash::of(&Value::from(proposal.query.as_str()));
        yaml.push_str(&format!(
            "  # asked {} times, refused {} times{}\n",
            proposal.count,
            proposal.refused,
            if proposal.personal.is_empty() {
                String::new()
            } else {
                format!("; PERSONAL DATA: {}", proposal.personal.join(", "))
            }
        ));
        yaml.push_str(&format!(
            "  - id: log-{}\n    query: {}\n",
            hash.get(..8).unwrap_or_default(),
            quoted(&proposal.query)
        ));
        yaml.push_str("    refusal: forbid\n    must_contain: []\n    tags: [collected]\n");
        for other in &proposal.others {
            yaml.push_str(&format!("    # also: {}\n", quoted(other)));
        }
    }
    yaml
}
