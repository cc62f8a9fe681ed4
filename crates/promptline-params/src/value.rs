//! Values by type: how they are read, ordered and printed.

use serde_json::{Number, Value};

use crate::declare::{Declaration, ParamType};

/// A TOML value as JSON; dates as text.
pub(crate) fn from_toml(value: toml::Value) -> Value {
    match value {
        toml::Value::String(text) => Value::String(text),
        toml::Value::Integer(number) => number.into(),
        toml::Value::Float(number) => Number::from_f64(number).map_or(Value::Null, Value::Number),
        toml::Value::Boolean(yes) => yes.into(),
        toml::Value::Datetime(date) => date.to_string().into(),
        toml::Value::Array(items) => items.into_iter().map(from_toml).collect(),
        toml::Value::Table(fields) => {
            Value::Object(fields.into_iter().map(|(key, value)| (key, from_toml(value))).collect())
        }
    }
}

/// A value of a type, from JSON or from text (environment, command line); what is wrong, in words that follow a
/// name.
pub(crate) fn of_kind(kind: ParamType, raw: &Value) -> Result<Value, String> {
    let wrong = |what: &str| Err(format!("is {}, not {what}", shown_raw(raw)));
    let text = raw.as_str().map(str::trim);
    match kind {
        ParamType::Integer => {
            let number = match (raw, text) {
                (Value::Number(number), _) => number.as_i64(),
                (_, Some(text)) => text.parse().ok(),
                _ => None,
            };
            number.map(Value::from).map_or_else(|| wrong("a whole number"), Ok)
        }
        ParamType::Decimal | ParamType::Money | ParamType::Percent => {
            let number = match (raw, text) {
                (Value::Number(number), _) => Some(number.clone()),
                (_, Some(text)) => {
                    let text = match kind {
                        ParamType::Percent => text.trim_end_matches(['%', '％']).trim_end(),
                        _ => text,
                    };
                    // A whole number stays one.
                    let whole = text.parse::<i64>().ok().map(Number::from);
                    whole.or_else(|| Number::from_f64(text.parse().ok()?))
                }
                _ => None,
            };
            let number = number.filter(|number| number.as_f64().is_some_and(f64::is_finite));
            number.map(Value::Number).map_or_else(|| wrong("a number"), Ok)
        }
        ParamType::Text | ParamType::Enum => match raw {
            Value::String(text) => Ok(text.clone().into()),
            _ => wrong("text"),
        },
        ParamType::Date => match text.filter(|text| date(text).is_some()) {
            Some(text) => Ok(text.into()),
            None => wrong("a day, as 2026-12-01"),
        },
        ParamType::Duration => match text.and_then(duration) {
            Some((number, unit)) => Ok(format!("{number}{unit}").into()),
            None => wrong("a length of time, as 90s, 15min, 36h, 7d, 2w"),
        },
        ParamType::List => match raw {
            Value::Array(items) if items.iter().all(Value::is_string) => Ok(raw.clone()),
            // Of the environment.
            Value::String(text) if text.trim_start().starts_with('[') => {
                match serde_json::from_str(text) {
                    Ok(list @ Value::Array(_)) => of_kind(kind, &list),
                    _ => wrong("a list of texts"),
                }
            }
            Value::String(text) => Ok(text.split(',').map(|item| item.trim().to_owned()).collect()),
            _ => wrong("a list of texts"),
        },
    }
}

fn shown_raw(raw: &Value) -> String {
    let shown = raw.to_string();
    let kept = shown.get(..shown.floor_char_boundary(80)).unwrap_or(&shown);
    if kept.len() < shown.len() { format!("{kept}…") } else { shown }
}

/// What a value is compared by; of text and lists the length.
pub(crate) fn rank(kind: ParamType, value: &Value) -> f64 {
    match (kind, value) {
        (ParamType::Text, Value::String(text)) => text.chars().count() as f64,
        (ParamType::List, Value::Array(items)) => items.len() as f64,
        _ => limit_rank(kind, value),
    }
}

/// What a limit is compared by.
pub(crate) fn limit_rank(kind: ParamType, value: &Value) -> f64 {
    match (kind, value) {
        (_, Value::Number(number)) => number.as_f64().unwrap_or_default(),
        (ParamType::Date, Value::String(text)) => {
            date(text).map_or(0.0, |(y, m, d)| f64::from(y) * 372.0 + f64::from(m * 31 + d))
        }
        (ParamType::Duration, Value::String(text)) => {
            duration(text).map_or(0.0, |(number, unit)| number as f64 * seconds(unit))
        }
        _ => 0.0,
    }
}

/// A day that there is.
pub(crate) fn date(text: &str) -> Option<(u32, u32, u32)> {
    let digits = |part: &str, length| {
        (part.len() == length && part.bytes().all(|b| b.is_ascii_digit()))
            .then(|| part.parse().ok())?
    };
    let mut parts = text.split('-');
    let (y, m, d): (u32, u32, u32) =
        (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    let last = match m {
        2 => 28 + u32::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    (parts.next().is_none() && (1..=last).contains(&d)).then_some((y, m, d))
}

/// A number and its unit.
pub(crate) fn duration(text: &str) -> Option<(u64, &'static str)> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = text.split_at(digits);
    let unit = match unit.trim() {
        "s" => "s",
        "min" | "m" => "min",
        "h" => "h",
        "d" => "d",
        "w" => "w",
        _ => return None,
    };
    Some((number.parse().ok().filter(|number| *number < 1 << 40)?, unit))
}

fn seconds(unit: &str) -> f64 {
    match unit {
        "min" => 60.0,
        "h" => 3_600.0,
        "d" => 86_400.0,
        "w" => 604_800.0,
        _ => 1.0,
    }
}

/// How numbers, dates and lists are written. A row a language.
struct Locale {
    language: &'static str,
    group: &'static str,
    point: &'static str,
    percent: &'static str,
    list: &'static str,
    /// s, min, h, d, w; one and several.
    units: [(&'static str, &'static str); 5],
}

const LOCALES: [Locale; 6] = [
    Locale {
        language: "en",
        group: ",",
        point: ".",
        percent: "{}%",
        list: ", ",
        units: [
            ("{} second", "{} seconds"),
            ("{} minute", "{} minutes"),
            ("{} hour", "{} hours"),
            ("{} day", "{} days"),
            ("{} week", "{} weeks"),
        ],
    },
    Locale {
        language: "zh",
        group: "",
        point: ".",
        percent: "{}%",
        list: "、",
        units: [
            ("{}秒", "{}秒"),
            ("{}分钟", "{}分钟"),
            ("{}小时", "{}小时"),
            ("{}天", "{}天"),
            ("{}周", "{}周"),
        ],
    },
    Locale {
        language: "ja",
        group: ",",
        point: ".",
        percent: "{}%",
        list: "、",
        units: [
            ("{}秒", "{}秒"),
            ("{}分", "{}分"),
            ("{}時間", "{}時間"),
            ("{}日", "{}日"),
            ("{}週間", "{}週間"),
        ],
    },
    Locale {
        language: "de",
        group: ".",
        point: ",",
        percent: "{} %",
        list: ", ",
        units: [
            ("{} Sekunde", "{} Sekunden"),
            ("{} Minute", "{} Minuten"),
            ("{} Stunde", "{} Stunden"),
            ("{} Tag", "{} Tage"),
            ("{} Woche", "{} Wochen"),
        ],
    },
    Locale {
        language: "fr",
        group: "\u{202F}",
        point: ",",
        percent: "{}\u{202F}%",
        list: ", ",
        units: [
            ("{} seconde", "{} secondes"),
            ("{} minute", "{} minutes"),
            ("{} heure", "{} heures"),
            ("{} jour", "{} jours"),
            ("{} semaine", "{} semaines"),
        ],
    },
    Locale {
        language: "es",
        group: ".",
        point: ",",
        percent: "{} %",
        list: ", ",
        units: [
            ("{} segundo", "{} segundos"),
            ("{} minuto", "{} minutos"),
            ("{} hora", "{} horas"),
            ("{} día", "{} días"),
            ("{} semana", "{} semanas"),
        ],
    },
];

/// How amounts are written: language, currency, form. Others are the amount and the currency's code.
const MONEY: [(&str, &str, &str); 12] = [
    ("zh", "CNY", "{}元"),
    ("zh", "USD", "{}美元"),
    ("zh", "EUR", "{}欧元"),
    ("ja", "JPY", "{}円"),
    ("en", "USD", "${}"),
    ("en", "EUR", "€{}"),
    ("en", "GBP", "£{}"),
    ("en", "CNY", "¥{}"),
    ("de", "EUR", "{} €"),
    ("de", "CHF", "{} CHF"),
    ("fr", "EUR", "{} €"),
    ("es", "EUR", "{} €"),
];

/// The value as a prompt prints it: text in a declared locale or format, else the value itself.
pub(crate) fn shown(declared: &Declaration, value: &Value) -> Value {
    if declared.locale.is_none() && declared.format.is_none() && declared.decimals.is_none() {
        return value.clone();
    }
    let language = declared.locale.as_deref().unwrap_or("en");
    let language = language.split(['-', '_']).next().unwrap_or(language);
    let known = LOCALES.iter().find(|one| one.language.eq_ignore_ascii_case(language));
    let [english, ..] = &LOCALES;
    let locale = known.unwrap_or(english);
    let text = match (declared.kind, value) {
        (ParamType::Duration, Value::String(text)) => match duration(text) {
            Some((number, unit)) => {
                let row = ["s", "min", "h", "d", "w"].iter().position(|one| *one == unit);
                let [second, ..] = locale.units;
                let (one, several) =
                    row.and_then(|row| locale.units.get(row)).copied().unwrap_or(second);
                let pattern = if number == 1 { one } else { several };
                pattern.replace("{}", &grouped(&number.to_string(), locale))
            }
            None => text.clone(),
        },
        (ParamType::Date, Value::String(text)) => match (date(text), locale.language) {
            (Some((y, m, d)), "zh" | "ja") => format!("{y}年{m}月{d}日"),
            (Some((y, m, d)), "de") => format!("{d}.{m}.{y}"),
            (Some((y, m, d)), "fr" | "es") => format!("{d:02}/{m:02}/{y}"),
            _ => text.clone(),
        },
        (_, Value::Number(number)) => decimal(number, declared.decimals, locale),
        (_, Value::Array(items)) => {
            items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(locale.list)
        }
        (_, other) => crate::declare::plain(other),
    };
    let pattern = match (&declared.format, declared.kind) {
        (Some(format), _) => format.clone(),
        (None, ParamType::Percent) => locale.percent.to_owned(),
        (None, ParamType::Money) => {
            let unit = declared.unit.as_deref().unwrap_or_default();
            let row = MONEY.iter().find(|(l, c, _)| *l == locale.language && *c == unit);
            row.map_or_else(|| format!("{{}} {unit}"), |(_, _, form)| (*form).to_owned())
        }
        _ => return text.into(),
    };
    pattern.replacen("{}", &text, 1).into()
}

fn decimal(number: &Number, decimals: Option<u8>, locale: &Locale) -> String {
    let plain = match decimals {
        Some(decimals) => {
            format!("{:.*}", usize::from(decimals), number.as_f64().unwrap_or_default())
        }
        None => number.to_string(),
    };
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
    // What is written with an exponent is left so.
    if plain.contains(['e', 'E']) {
        return plain;
    }
    let whole = grouped(whole, locale);
    match part.trim_end_matches('0').is_empty() && decimals.is_none() {
        true => whole,
        false => format!("{whole}{}{part}", locale.point),
    }
}

/// A whole number in groups of three, from five digits on.
fn grouped(number: &str, locale: &Locale) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    if digits.len() < 5 {
        return number.to_owned();
    }
    let mut text = String::from(sign);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push_str(locale.group);
        }
        text.push(digit);
    }
    text
}
