//! The lint `literal-parameter`: a parameter's value, now or earlier, written into a text. It is how a rule changes
//! and a prompt does not.

use std::collections::BTreeMap;
use std::ops::Range;

use serde_json::Value;

use crate::declare::{Declarations, ParamType, plain};
use crate::finding::{Finding, Severity};
use crate::generation::Generation;
use crate::place::Places;
use crate::template;
use crate::value::duration;

/// Finds values of parameters in texts.
#[derive(Debug)]
pub struct Literals {
    numbers: BTreeMap<u64, Vec<Known>>,
    words: Vec<(String, Known)>,
}

#[derive(Debug, Clone)]
struct Known {
    name: String,
    kind: ParamType,
    unit: Option<String>,
    /// What it is now, when this is an earlier value.
    now: Option<String>,
    /// It is written as a Chinese numeral, which other words may hold by chance.
    numeral: bool,
}

/// Words that say what a number counts. In lower case.
const UNITS: &[&str] = &[
    "元", "块", "角", "美元", "欧元", "円", "天", "日", "周", "个月", "月", "年", "小时", "分钟",
    "秒", "件", "次", "人", "折", "起", "包邮", "积分", "%", "％", "€", "$", "£", "¥", "eur",
    "usd", "cny", "rmb", "gbp", "chf", "jpy", "euro", "dollar", "yuan", "day", "hour", "minute",
    "second", "week", "month", "year", "time", "item", "tag", "stunde", "minute", "woche", "monat",
    "jahr", "jour", "heure", "semaine", "mois", "día", "hora", "kg", "km", "mb", "gb", "points",
];
/// Signs before an amount, and words that make a number one.
const BEFORE: &[&str] =
    &["¥", "$", "€", "£", "满", "滿", "低于", "超过", "不足", "减", "最多", "至少"];
/// What makes a number the name of something, before it.
const ORDINAL: &[&str] = &[
    "第",
    "no.",
    "no. ",
    "nr.",
    "nr. ",
    "art.",
    "art. ",
    "#",
    "§",
    "§ ",
    "section ",
    "chapter ",
    "step ",
    "page ",
    "rule ",
    "article ",
    "line ",
    "version ",
    "abschnitt ",
    "kapitel ",
    "seite ",
    "schritt ",
    "步骤",
    "规则",
    "条款",
    "附录",
    "figure ",
    "table ",
    "图",
    "表",
];
/// Letters that may follow a number at once and are no part of a name.
const SHORT_UNITS: &[&str] =
    &["s", "min", "h", "d", "w", "kg", "km", "mb", "gb", "eur", "usd", "cny", "rmb", "x", "k"];

impl Literals {
    /// What to look for: values as they are now, and earlier ones.
    #[must_use]
    pub fn new(declared: &Declarations, current: &Generation) -> Self {
        let mut found = Self { numbers: BTreeMap::new(), words: Vec::new() };
        for (name, declaration) in declared.iter() {
            let Some(param) = current.param(name) else { continue };
            let known = |now| Known {
                name: name.to_owned(),
                kind: declaration.kind,
                unit: declaration.unit.clone(),
                now,
                numeral: false,
            };
            found.add(&param.value, known(None));
            for earlier in &param.history {
                found.add(earlier, known(Some(plain(&param.shown))));
            }
        }
        found
    }

    fn add(&mut self, value: &Value, known: Known) {
        if let Some(numeral) = value.as_i64().and_then(chinese) {
            self.words.push((numeral, Known { numeral: true, ..known.clone() }));
        }
        match (known.kind, value) {
            (_, Value::Number(number)) => {
                if let Some(number) = number.as_f64() {
                    self.numbers.entry(number.to_bits()).or_default().push(known);
                }
            }
            (ParamType::Duration, Value::String(text)) => {
                if let Some((number, unit)) = duration(text) {
                    let known = Known { unit: Some(unit.to_owned()), ..known };
                    self.numbers.entry((number as f64).to_bits()).or_default().push(known);
                }
            }
            (ParamType::Date, Value::String(text)) => {
                for form in date_forms(text) {
                    self.words.push((form, known.clone()));
                }
            }
            (_, Value::String(text)) => self.words.push((text.clone(), known)),
            (_, Value::Array(items)) => {
                for item in items.iter().filter_map(Value::as_str) {
                    self.words.push((item.to_owned(), known.clone()));
                }
            }
            _ => {}
        }
    }

    /// The values in one text, outside of its tags.
    #[must_use]
    pub fn find(&self, file: &str, text: &str) -> Vec<Finding> {
        let mut found: Vec<(Range<usize>, Finding)> = Vec::new();
        for part in template::words(text) {
            self.numbers_in(file, text, part.clone(), &mut found);
            self.words_in(file, text, part, &mut found);
        }
        found.sort_by_key(|(range, _)| range.start);
        let mut places = Places::new(text);
        let mut last = 0;
        let mut findings = Vec::new();
        for (range, mut finding) in found {
            // Of a date and the numbers in it the first.
            if range.start < last {
                continue;
            }
            last = range.end;
            finding.place = places.of(range);
            findings.push(finding);
        }
        findings
    }

    fn numbers_in(
        &self,
        file: &str,
        text: &str,
        part: Range<usize>,
        found: &mut Vec<(Range<usize>, Finding)>,
    ) {
        let words = text.get(part.clone()).unwrap_or_default();
        let mut at = 0;
        while let Some(start) = words.get(at..).and_then(|rest| rest.find(is_digit)).map(|s| at + s)
        {
            let length = number_length(words.get(start..).unwrap_or_default());
            let end = start + length;
            at = end;
            let said = words.get(start..end).unwrap_or_default();
            let around = Around {
                before: words.get(..start).unwrap_or_default(),
                after: words.get(end..).unwrap_or_default(),
            };
            if around.is_name() {
                continue;
            }
            let known = readings(said).into_iter().filter_map(|n| self.numbers.get(&n.to_bits()));
            let judged =
                known.flatten().filter_map(|one| Some((one.severity(said, &around)?, one)));
            // A value of today before one of earlier, of the same weight.
            let best = judged.max_by_key(|(severity, one)| (*severity, one.now.is_none()));
            if let Some((severity, one)) = best {
                let range = part.start + start..part.start + end;
                found.push((range, one.finding(file, said, severity)));
            }
        }
    }

    fn words_in(
        &self,
        file: &str,
        text: &str,
        part: Range<usize>,
        found: &mut Vec<(Range<usize>, Finding)>,
    ) {
        let words = text.get(part.clone()).unwrap_or_default();
        for (word, known) in &self.words {
            let ascii = word.is_ascii();
            if word.chars().count() < if ascii { 4 } else { 2 } {
                continue;
            }
            for (at, said) in words.match_indices(word.as_str()) {
                let around = Around {
                    before: words.get(..at).unwrap_or_default(),
                    after: words.get(at + said.len()..).unwrap_or_default(),
                };
                if ascii && around.in_word() {
                    continue;
                }
                if known.numeral && !around.counts(known.unit.as_deref()) {
                    continue;
                }
                let severity = match known.kind {
                    ParamType::Enum | ParamType::List => Severity::Note,
                    _ => Severity::Warning,
                };
                let range = part.start + at..part.start + at + said.len();
                found.push((range, known.finding(file, said, severity)));
            }
        }
    }
}

impl Known {
    fn severity(&self, said: &str, around: &Around<'_>) -> Option<Severity> {
        if around.is_ordinal() {
            return Some(Severity::Note);
        }
        match self.kind {
            ParamType::Duration => {
                let unit = self.unit.as_deref().unwrap_or_default();
                around.has_time_unit(unit).then_some(Severity::Warning)
            }
            ParamType::Percent if !around.has_percent() => Some(Severity::Note),
            // A single digit is everywhere.
            _ if said.chars().count() < 2 && !around.counts(self.unit.as_deref()) => {
                Some(Severity::Note)
            }
            _ => Some(Severity::Warning),
        }
    }

    fn finding(&self, file: &str, said: &str, severity: Severity) -> Finding {
        let name = &self.name;
        let message = match &self.now {
            None => format!("the text says {said}, which is the value of the parameter `{name}`"),
            Some(now) => format!(
                "the text says {said}, which the parameter `{name}` was earlier; it is {now} now"
            ),
        };
        Finding {
            code: "literal-parameter",
            severity,
            message,
            help: format!("write {{{{params.{name}}}}}, so that the text follows the parameter"),
            file: file.to_owned(),
            place: Default::default(),
        }
    }
}

/// What stands around a number or word.
struct Around<'t> {
    before: &'t str,
    after: &'t str,
}

impl Around<'_> {
    /// It is part of an id, a date, a time or a version.
    fn is_name(&self) -> bool {
        let mut before = self.before.chars().rev();
        let glued = match before.next() {
            Some(c) if c.is_ascii_alphabetic() || c == '_' => true,
            Some('-' | '/' | ':' | '.' | '–') => {
                before.next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '/')
            }
            _ => false,
        };
        let mut after = self.after.chars();
        let glued_after = match after.next() {
            Some('_') => true,
            // 15-day, 7-15天: what is counted comes after the hyphen.
            Some('-' | '–') => {
                let rest = after.as_str();
                let counted = rest.trim_start_matches(is_digit);
                rest.starts_with(|c: char| c.is_ascii_alphanumeric())
                    && !Around { before: "", after: counted }.counts(None)
            }
            Some('/' | ':' | '.') => after.next().is_some_and(|c| c.is_ascii_alphanumeric()),
            Some(c) if c.is_ascii_alphabetic() => {
                let word: String =
                    self.after.chars().take_while(|c| c.is_ascii_alphabetic()).collect();
                !SHORT_UNITS.contains(&word.to_ascii_lowercase().as_str())
            }
            _ => false,
        };
        // A range counts both of its ends: 7-15天.
        let range = self.before.ends_with(['-', '–'])
            && self.before.trim_end_matches(['-', '–']).ends_with(|c: char| c.is_ascii_digit())
            && self.counts(None);
        (glued && !range) || glued_after
    }

    /// It names something: a clause, a step, an item of a list.
    fn is_ordinal(&self) -> bool {
        let tail: String = self.before.chars().rev().take(12).collect();
        let tail = tail.chars().rev().collect::<String>().to_lowercase();
        let line = self.before.rsplit('\n').next().unwrap_or_default();
        let item = line.trim_matches([' ', '\t', '>', '#', '*', '-']).is_empty()
            && self.after.starts_with(['.', ')', '、', '．'])
            && !self.after.get(1..).is_some_and(|rest| rest.starts_with(is_digit));
        item || ORDINAL.iter().any(|word| tail.ends_with(word))
    }

    fn has_percent(&self) -> bool {
        let after = self.after.trim_start_matches([' ', '\u{A0}', '\u{202F}']).to_lowercase();
        let before = self.before.trim_end();
        ["%", "％", "percent", "per cent", "prozent"].iter().any(|unit| after.starts_with(unit))
            || before.ends_with("百分之")
    }

    fn has_time_unit(&self, unit: &str) -> bool {
        let words: &[&str] = match unit {
            "s" => &["秒", "s", "sec", "sek"],
            "min" => &["分", "min", "m "],
            "h" => &["小时", "时", "時", "个小时", "h", "std", "stund", "heure", "hora"],
            "d" => &[
                "天",
                "日",
                "个工作日",
                "工作日",
                "day",
                "d ",
                "tag",
                "jour",
                "día",
                "working day",
                "business day",
            ],
            _ => &["周", "个星期", "星期", "週", "week", "woche", "w", "semaine", "semana"],
        };
        // Of a range both ends are counted in what stands behind the second.
        let second = self.after.strip_prefix(['-', '–']).unwrap_or_default();
        let behind = second.trim_start_matches(is_digit);
        let after =
            [self.after, if behind.len() < second.len() { behind } else { "" }].map(start_of);
        words.iter().any(|word| after.iter().any(|after| after.starts_with(word)))
    }

    /// A unit stands beside it.
    fn counts(&self, unit: Option<&str>) -> bool {
        let after = start_of(self.after);
        let before = self.before.trim_end_matches(' ').to_lowercase();
        let unit = unit.map(str::to_lowercase).filter(|unit| !unit.is_empty());
        unit.is_some_and(|unit| after.starts_with(&unit) || before.ends_with(&unit))
            || UNITS.iter().any(|unit| after.starts_with(unit))
            || BEFORE.iter().any(|sign| before.ends_with(sign))
    }

    fn in_word(&self) -> bool {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        self.before.ends_with(is_part) || self.after.starts_with(is_part)
    }
}

/// The next few characters, in lower case; blanks and a hyphen before them do not count.
fn start_of(text: &str) -> String {
    let text = text.trim_start_matches([' ', '\u{A0}', '\u{202F}', '-']);
    text.chars().take(14).collect::<String>().to_lowercase()
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

/// Of the number that a text begins with: digits, and single points and commas between them.
fn number_length(text: &str) -> usize {
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inside = matches!(c, '.' | ',' | '\'' | '\u{202F}')
            && chars.peek().is_some_and(|(_, next)| is_digit(*next));
        if !is_digit(c) && !inside {
            return at;
        }
    }
    text.len()
}

/// What a number may mean: a comma or point groups, or stands before decimals.
fn readings(said: &str) -> Vec<f64> {
    if said.len() > 64 {
        return Vec::new();
    }
    let plain: String = said
        .chars()
        .map(|c| match c {
            '０'..='９' => {
                char::from_u32(u32::from('0') + (u32::from(c) - u32::from('０'))).unwrap_or(c)
            }
            c => c,
        })
        .collect();
    let without: String = plain.chars().filter(char::is_ascii_digit).collect();
    let mut readings = Vec::new();
    let mut add = |text: &str| {
        if let Ok(number) = text.parse::<f64>()
            && !readings.contains(&number)
        {
            readings.push(number);
        }
    };
    let separators: Vec<char> = plain.chars().filter(|c| !c.is_ascii_digit()).collect();
    let last = plain.rfind(|c: char| !c.is_ascii_digit());
    let Some(last) = last else {
        add(&plain);
        return readings;
    };
    let width = plain.get(last..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
    let decimals = plain.get(last + width..).unwrap_or_default();
    let whole: String =
        plain.get(..last).unwrap_or_default().chars().filter(char::is_ascii_digit).collect();
    // All groups are of three digits.
    if plain.split(|c: char| !c.is_ascii_digit()).skip(1).all(|group| group.len() == 3) {
        add(&without);
    }
    let points = separators.iter().filter(|c| Some(**c) == separators.last().copied()).count();
    if points == 1 {
        add(&format!("{whole}.{decimals}"));
    }
    readings
}

/// How a day is written.
fn date_forms(text: &str) -> Vec<String> {
    let mut forms = vec![text.to_owned()];
    if let Some((y, m, d)) = crate::value::date(text) {
        forms.push(format!("{y}年{m}月{d}日"));
        forms.push(format!("{y}/{m:02}/{d:02}"));
        forms.push(format!("{d}.{m}.{y}"));
        forms.push(format!("{d:02}.{m:02}.{y}"));
    }
    forms
}

/// A whole number in Chinese, 2 to 9999.
fn chinese(number: i64) -> Option<String> {
    const DIGITS: [char; 10] = ['零', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
    if !(2..10_000).contains(&number) {
        return None;
    }
    let mut text = String::new();
    let mut gap = false;
    for (place, unit) in [(1_000, "千"), (100, "百"), (10, "十"), (1, "")] {
        let digit = usize::try_from(number / place % 10).ok()?;
        if digit == 0 {
            gap = !text.is_empty();
            continue;
        }
        if gap {
            text.push('零');
            gap = false;
        }
        // 十五, and not 一十五.
        if !(digit == 1 && place == 10 && text.is_empty()) {
            text.push(*DIGITS.get(digit)?);
        }
        text.push_str(unit);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::{chinese, readings};

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let cases: [(&str, &[f64]); 10] = [
            ("99", &[99.0]),
            ("９９", &[99.0]),
            ("1,000", &[1000.0, 1.0]),
            ("1.000", &[1000.0, 1.0]),
            ("5,90", &[5.9]),
            ("5.90", &[5.9]),
            ("1.234,50", &[1234.5]),
            ("1,234,567", &[1_234_567.0]),
            ("1.2.3", &[]),
            ("0.5", &[0.5]),
        ];
        for (text, numbers) in cases {
            assert_eq!(readings(text), numbers, "{text}");
        }
        let numerals =
            [(99, "九十九"), (15, "十五"), (105, "一百零五"), (1000, "一千"), (2030, "二千零三十")];
        for (number, text) in numerals {
            assert_eq!(chinese(number).as_deref(), Some(text));
        }
        assert_eq!(chinese(1), None);
    }
}
