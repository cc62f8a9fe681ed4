//! Rules as data: one file for each language, compiled when the first text of its script comes by.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;

use super::RefusalKind;
use super::fold::fold;

/// What a language's file says.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    language: String,
    #[serde(default)]
    words: BTreeMap<String, String>,
    #[serde(default)]
    strong: BTreeMap<RefusalKind, BTreeMap<String, String>>,
    #[serde(default)]
    medium: BTreeMap<RefusalKind, BTreeMap<String, String>>,
    lists: Lists,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    weak: Vec<String>,
    mask: Vec<String>,
    delivery: Vec<String>,
    not_delivery: Vec<String>,
}

/// One pattern that means a refusal.
#[derive(Debug)]
pub(super) struct Rule {
    /// `language/kind/name`.
    pub(super) id: String,
    pub(super) kind: RefusalKind,
    pub(super) pattern: Regex,
}

/// The rules of one language.
#[derive(Debug)]
pub(super) struct Rules {
    /// Refusals by themselves.
    pub(super) strong: Vec<Rule>,
    /// Refusals beside a weak mark.
    pub(super) medium: Vec<Rule>,
    /// Apologies and advice to ask somebody else: no refusals by themselves.
    pub(super) weak: Vec<Regex>,
    /// What only looks like a refusal: conditions, what others say or cannot do, promises.
    pub(super) mask: Vec<Regex>,
    /// Marks of an answer that follows after all.
    pub(super) delivery: Vec<Regex>,
    /// What looks like such a mark.
    pub(super) not_delivery: Vec<Regex>,
}

macro_rules! language {
    ($name:ident, $file:literal) => {
        pub(super) static $name: LazyLock<Rules> =
            LazyLock::new(|| Rules::read(include_str!(concat!("rules/", $file, ".toml"))));
    };
}
language!(ZH_HANS, "zh-Hans");
language!(ZH_HANT, "zh-Hant");
language!(JA, "ja");
language!(KO, "ko");
language!(EN, "en");
language!(DE, "de");
language!(FR, "fr");
language!(ES, "es");
language!(RU, "ru");
language!(AR, "ar");

impl Rules {
    #[expect(
        clippy::expect_used,
        reason = "the files are part of the program, and a test reads all of them"
    )]
    fn read(text: &str) -> Self {
        let file: File = toml::from_str(text).expect("a rule file is well-formed");
        let compile = |pattern: &String| {
            let mut pattern = fold(pattern);
            // Words may use words: three levels are enough for all files.
            for _ in 0..3 {
                for (name, value) in &file.words {
                    pattern = pattern.replace(&format!("{{{name}}}"), &fold(value));
                }
            }
            Regex::new(&pattern).expect("a rule is a regular expression")
        };
        let rules = |tier: &BTreeMap<RefusalKind, BTreeMap<String, String>>| {
            let kinds =
                tier.iter().flat_map(|(kind, rules)| rules.iter().map(move |rule| (kind, rule)));
            kinds
                .map(|(kind, (name, pattern))| Rule {
                    id: format!("{}/{}/{name}", file.language, kind.name()),
                    kind: *kind,
                    pattern: compile(pattern),
                })
                .collect()
        };
        let list = |patterns: &[String]| patterns.iter().map(compile).collect();
        Self {
            strong: rules(&file.strong),
            medium: rules(&file.medium),
            weak: list(&file.lists.weak),
            mask: list(&file.lists.mask),
            delivery: list(&file.lists.delivery),
            not_delivery: list(&file.lists.not_delivery),
        }
    }
}

/// The rules for the scripts that a text is written in.
pub(super) fn rules_for(text: &str) -> Vec<&'static Rules> {
    let (mut latin, mut han, mut kana) = (0_usize, 0_usize, 0_usize);
    let (mut hangul, mut cyrillic, mut arabic) = (0_usize, 0_usize, 0_usize);
    for character in text.chars() {
        match character {
            'a'..='z' | '\u{c0}'..='\u{24f}' => latin += 1,
            '\u{3040}'..='\u{30ff}' => kana += 1,
            '\u{3400}'..='\u{9fff}' => han += 1,
            '\u{ac00}'..='\u{d7a3}' => hangul += 1,
            '\u{400}'..='\u{52f}' => cyrillic += 1,
            '\u{600}'..='\u{6ff}' => arabic += 1,
            _ => {}
        }
    }
    let mut rules: Vec<&'static Rules> = Vec::new();
    if latin > 0 && latin * 10 >= han + kana + hangul + cyrillic + arabic {
        rules.extend([&*EN, &*DE, &*FR, &*ES]);
    }
    // Kana beside Chinese are names; a Japanese sentence has more.
    if kana * 8 >= (han + kana).max(1) {
        rules.push(&JA);
    } else if han > 0 {
        rules.extend([&*ZH_HANS, &*ZH_HANT]);
    }
    for (count, language) in [(hangul, &KO), (cyrillic, &RU), (arabic, &AR)] {
        if count > 0 {
            rules.push(language);
        }
    }
    rules
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_file_compiles() {
        let all: [&super::Rules; 10] = [
            &super::ZH_HANS,
            &super::ZH_HANT,
            &super::JA,
            &super::KO,
            &super::EN,
            &super::DE,
            &super::FR,
            &super::ES,
            &super::RU,
            &super::AR,
        ];
        assert!(all.iter().all(|rules| !rules.strong.is_empty() && !rules.weak.is_empty()));
    }
}
