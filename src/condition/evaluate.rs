//! Whether a condition holds, and why, in words. Conditions are checked when they are loaded (depth,
//! circles), so the walk here may recurse; each named condition is judged once a build.

use std::collections::BTreeMap;
use std::sync::Mutex;

use once_cell::sync::OnceCell;
use serde_json::Value;

use super::{Condition, OneOf};
use crate::context::{PromptContext, json_path};
use crate::tool::EnabledTools;

/// What conditions are judged by.
#[derive(Debug)]
pub(crate) struct ConditionCx<'a> {
    context: &'a PromptContext,
    named: &'a BTreeMap<String, Condition>,
    variant: Option<&'a str>,
    tools: Option<&'a EnabledTools>,
    /// The context as JSON, written when the first condition asks for a path.
    json: OnceCell<Value>,
    judged: Mutex<BTreeMap<String, Verdict>>,
}

/// The answer to a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) holds: bool,
    pub(crate) reason: String,
}

impl Verdict {
    fn new(holds: bool, reason: impl Into<String>) -> Self {
        Self { holds, reason: reason.into() }
    }
}

impl<'a> ConditionCx<'a> {
    pub(crate) fn new(context: &'a PromptContext, named: &'a BTreeMap<String, Condition>) -> Self {
        Self {
            context,
            named,
            variant: None,
            tools: None,
            json: OnceCell::new(),
            judged: Mutex::new(BTreeMap::new()),
        }
    }

    pub(crate) fn variant(mut self, id: &'a str) -> Self {
        self.variant = Some(id);
        self
    }

    pub(crate) fn tools(mut self, tools: &'a EnabledTools) -> Self {
        self.tools = Some(tools);
        self
    }

    pub(crate) fn context(&self) -> &'a PromptContext {
        self.context
    }

    /// The context as JSON.
    pub(crate) fn json(&self) -> &Value {
        self.json.get_or_init(|| serde_json::to_value(self.context).unwrap_or(Value::Null))
    }

    /// A named condition holds; an unknown name does not.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.named_verdict(name).holds
    }

    pub(crate) fn judge(&self, condition: &Condition) -> Verdict {
        let mut reasons = Vec::new();
        for answer in self.answers(condition) {
            if !answer.holds {
                return answer;
            }
            reasons.push(answer.reason);
        }
        if reasons.is_empty() {
            return Verdict::new(true, "no condition");
        }
        Verdict::new(true, shortened(reasons.join("; ")))
    }

    /// The answers of the keys that were given, cheapest first; lazy, so that the first no ends it.
    fn answers<'c>(&'c self, c: &'c Condition) -> impl Iterator<Item = Verdict> + 'c {
        let cx = self.context;
        let simple = [
            (!c.provider.is_empty())
                .then(|| named_value("provider", &c.provider, Some(&cx.model.provider))),
            (!c.flag.is_empty()).then(|| self.flag(&c.flag)),
            (!c.mode.is_empty()).then(|| named_value("mode", &c.mode, cx.mode.as_deref())),
            (!c.variant.is_empty()).then(|| named_value("variant", &c.variant, self.variant)),
            c.window.as_ref().map(|range| match cx.model.window {
                Some(window) => Verdict::new(
                    range.contains(window),
                    format!("window {window}, asked for {}", range.as_str()),
                ),
                None => {
                    Verdict::new(false, format!("window unknown, asked for {}", range.as_str()))
                }
            }),
            (!c.tool.is_empty()).then(|| self.tool(&c.tool)),
            (!c.os.is_empty()).then(|| self.os(&c.os)),
            (!c.model.is_empty()).then(|| {
                match c.model.iter().find(|glob| glob.matches(&cx.model.id)) {
                    Some(glob) => Verdict::new(true, format!("model matches `{}`", glob.as_str())),
                    None => Verdict::new(false, format!("model `{}` matches no glob", cx.model.id)),
                }
            }),
        ];
        simple
            .into_iter()
            .flatten()
            .chain((!c.has.is_empty()).then(|| self.has(&c.has)))
            .chain(c.equals.iter().map(|(path, value)| self.equals(path, value)))
            .chain((!c.is.is_empty()).then(|| {
                self.any_of(c.is.iter(), |name| {
                    let verdict = self.named_verdict(name);
                    Verdict::new(verdict.holds, format!("{name}: {}", verdict.reason))
                })
            }))
            .chain(c.all.iter().map(|inner| self.judge(inner)))
            .chain(
                (!c.any.is_empty()).then(|| self.any_of(c.any.iter(), |inner| self.judge(inner))),
            )
            .chain(c.not.as_deref().map(|inner| {
                let verdict = self.judge(inner);
                Verdict::new(!verdict.holds, format!("not ({})", verdict.reason))
            }))
            .map(|answer| Verdict::new(answer.holds, shortened(answer.reason)))
    }

    fn any_of<T>(&self, items: impl Iterator<Item = T>, judge: impl Fn(T) -> Verdict) -> Verdict {
        let mut reasons = Vec::new();
        for item in items {
            let verdict = judge(item);
            if verdict.holds {
                return verdict;
            }
            reasons.push(verdict.reason);
        }
        Verdict::new(false, reasons.join(", "))
    }

    fn named_verdict(&self, name: &str) -> Verdict {
        let known = |judged: &Mutex<BTreeMap<String, Verdict>>| {
            judged.lock().ok().and_then(|judged| judged.get(name).cloned())
        };
        if let Some(verdict) = known(&self.judged) {
            return verdict;
        }
        let verdict = match self.named.get(name) {
            Some(condition) => self.judge(condition),
            None => Verdict::new(false, "no such condition"),
        };
        if let Ok(mut judged) = self.judged.lock() {
            judged.insert(name.to_owned(), verdict.clone());
        }
        verdict
    }

    fn flag(&self, flags: &OneOf<String>) -> Verdict {
        match flags.iter().find(|flag| self.context.flags.contains(flag)) {
            Some(flag) => Verdict::new(true, format!("flag {flag} is on")),
            None => Verdict::new(false, format!("flag {} is off", or(flags))),
        }
    }

    fn tool(&self, tools: &OneOf<String>) -> Verdict {
        let enabled =
            |name: &&String| self.tools.is_some_and(|tools| tools.by_name(name).is_some());
        match tools.iter().find(enabled) {
            Some(tool) => Verdict::new(true, format!("tool {tool} is enabled")),
            None => Verdict::new(false, format!("tool {} is not enabled", or(tools))),
        }
    }

    /// `linux` holds for `Linux 6.1` and for `Debian GNU/Linux 12`; `mac` for `macOS 15`.
    fn os(&self, wanted: &OneOf<String>) -> Verdict {
        let os = self.context.environment.os.as_deref().unwrap_or_default();
        let folded = os.to_ascii_lowercase();
        let is = |name: &&String| {
            let name = name.to_ascii_lowercase();
            !name.is_empty()
                && folded
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|word| word.starts_with(name.as_str()))
        };
        match wanted.iter().find(is) {
            Some(name) => Verdict::new(true, format!("os is {name}")),
            None if os.is_empty() => Verdict::new(false, "os unknown"),
            None => Verdict::new(false, format!("os is {os}, not {}", or(wanted))),
        }
    }

    fn has(&self, paths: &OneOf<String>) -> Verdict {
        match paths.iter().find(|path| self.context.has(path, || self.json().clone())) {
            Some(path) => Verdict::new(true, format!("{path} is not empty")),
            None => Verdict::new(false, format!("{} is empty", or(paths))),
        }
    }

    fn equals(&self, path: &str, value: &Value) -> Verdict {
        match json_path(self.json(), path) {
            Some(found) if same(found, value) => Verdict::new(true, format!("{path} is {value}")),
            Some(_) => Verdict::new(false, format!("{path} is not {value}")),
            None => Verdict::new(false, format!("{path} is not given")),
        }
    }
}

/// Numbers are equal when their values are: 3 and 3.0.
fn same(a: &Value, b: &Value) -> bool {
    a == b || matches!((a.as_f64(), b.as_f64()), (Some(a), Some(b)) if a.total_cmp(&b).is_eq())
}

fn named_value(key: &str, wanted: &OneOf<String>, value: Option<&str>) -> Verdict {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return Verdict::new(false, format!("no {key} is given"));
    };
    if wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(value)) {
        Verdict::new(true, format!("{key} is {value}"))
    } else {
        Verdict::new(false, format!("{key} is {value}, not {}", or(wanted)))
    }
}

fn or(names: &OneOf<String>) -> String {
    names.iter().map(String::as_str).collect::<Vec<_>>().join(" or ")
}

/// Reasons are for people; conditions that name conditions could make them endless.
fn shortened(mut reason: String) -> String {
    const LONGEST: usize = 240;
    if reason.len() > LONGEST {
        reason.truncate(reason.floor_char_boundary(LONGEST));
        reason.push('…');
    }
    reason
}
