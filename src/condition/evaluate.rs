//! Whether a condition holds, and why, in words. Conditions are checked when they are loaded (depth,
//! circles), so the walk here may recurse; each named condition is judged once a build.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Mutex;

use once_cell::sync::OnceCell;
use serde_json::Value;

use super::{Condition, OneOf};
use crate::context::{PromptContext, json_path};
use crate::model_id::LazyModelId;

/// What conditions are judged by.
#[derive(Debug)]
pub(crate) struct ConditionCx<'a> {
    context: &'a PromptContext,
    named: &'a BTreeMap<String, Condition>,
    model: &'a LazyModelId<'a>,
    variant: Option<&'a str>,
    tools: Option<&'a dyn ToolNames>,
    reasons: Reasons,
    /// The context as JSON, written when the first condition asks for a path.
    json: OnceCell<Value>,
    judged: Mutex<BTreeMap<String, Verdict>>,
}

/// The tools that a build offers, as far as conditions ask for them.
pub(crate) trait ToolNames: std::fmt::Debug + Sync {
    /// A tool has this id or this role.
    fn has(&self, name: &str) -> bool;
}

/// Which reasons are wanted; the others are not written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Reasons {
    None,
    OfNo,
    #[default]
    All,
}

impl Reasons {
    fn wants(self, holds: bool) -> bool {
        match self {
            Self::None => false,
            Self::OfNo => !holds,
            Self::All => true,
        }
    }

    /// Where an answer may be turned round.
    fn both(self) -> Self {
        if self == Self::None { Self::None } else { Self::All }
    }
}

/// The answer to a condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) holds: bool,
    /// Empty where it is not wanted.
    pub(crate) reason: String,
    /// How much a failed condition has to say beside other failed ones.
    pub(super) weight: Weight,
}

impl<'a> ConditionCx<'a> {
    /// `model` is the context's.
    pub(crate) fn new(
        context: &'a PromptContext,
        named: &'a BTreeMap<String, Condition>,
        model: &'a LazyModelId<'a>,
    ) -> Self {
        Self {
            context,
            named,
            model,
            variant: None,
            tools: None,
            reasons: Reasons::All,
            json: OnceCell::new(),
            judged: Mutex::new(BTreeMap::new()),
        }
    }

    pub(crate) fn variant(mut self, id: &'a str) -> Self {
        self.variant = Some(id);
        self
    }

    pub(crate) fn tools(mut self, tools: &'a dyn ToolNames) -> Self {
        self.tools = Some(tools);
        self
    }

    pub(crate) fn reasons(mut self, reasons: Reasons) -> Self {
        self.reasons = reasons;
        self
    }

    pub(crate) fn context(&self) -> &'a PromptContext {
        self.context
    }

    /// The context as JSON.
    pub(crate) fn json(&self) -> &Value {
        self.json.get_or_init(|| {
            // A value that is too deep to be written ends the build, with its own error.
            if self.context.check_depth().is_err() {
                return Value::Null;
            }
            serde_json::to_value(self.context).unwrap_or(Value::Null)
        })
    }

    /// A named condition holds; an unknown name does not.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.named_verdict(name).holds
    }

    /// An answer that is known, with its reason where that is wanted.
    pub(crate) fn verdict(&self, holds: bool, reason: &str) -> Verdict {
        let reason = if self.reasons.wants(holds) { reason.to_owned() } else { String::new() };
        Verdict { holds, reason, weight: Weight::Full }
    }

    pub(crate) fn judge(&self, condition: &Condition) -> Verdict {
        self.judge_with(condition, self.reasons)
    }

    fn judge_with(&self, condition: &Condition, reasons: Reasons) -> Verdict {
        let mut say = Say::new(reasons);
        let holds = self.check(condition, &mut say);
        let weight = std::mem::take(&mut say.weight);
        Verdict { holds, reason: say.finish(), weight }
    }

    /// Every key that is given holds; the cheap ones are evaluated first, and the first that fails ends it.
    fn check(&self, c: &Condition, say: &mut Say) -> bool {
        let cx = self.context;
        let reasons = say.reasons;
        is_one_of("provider", &c.provider, Some(&cx.model.provider), say)
            && is_one_of("mode", &c.mode, cx.mode.as_deref(), say)
            && is_one_of("variant", &c.variant, self.variant, say)
            && self.window(c, say)
            && self.flag(&c.flag, say)
            && self.tool(&c.tool, say)
            && self.os(&c.os, say)
            && self.model(c, say)
            && self.id_matches(c, say)
            && (!c.asks_model_id() || c.fits(self.model.get(), say))
            && self.has(&c.has, say)
            && c.equals.iter().all(|(path, value)| self.equals(path, value, say))
            && self.any_of(c.is.iter(), say, |name| {
                let Verdict { holds, reason, weight } = self.named_verdict(name);
                let named = || format!("{name}: {reason}");
                let reason = reasons.wants(holds).then(named).unwrap_or_default();
                Verdict { holds, reason, weight }
            })
            && c.all.iter().all(|inner| self.check(inner, say))
            && self.any_of(c.any.iter(), say, |inner| self.judge_with(inner, reasons))
            && c.not.as_deref().is_none_or(|inner| {
                let verdict = self.judge_with(inner, reasons.both());
                say.answer(!verdict.holds, || format!("not ({})", verdict.reason))
            })
    }

    /// The first that holds is the answer, else all that failed. Without items the key was not given.
    fn any_of<T>(
        &self,
        items: impl ExactSizeIterator<Item = T>,
        say: &mut Say,
        judge: impl Fn(T) -> Verdict,
    ) -> bool {
        if items.len() == 0 {
            return true;
        }
        let mut failed = Vec::new();
        for item in items {
            let verdict = judge(item);
            if verdict.holds {
                return say.answer(true, || verdict.reason);
            }
            if say.reasons.wants(false) {
                failed.push(verdict);
            }
        }
        say.none_of(&failed, || self.model.get().family().unwrap_or_default().to_owned())
    }

    /// Evaluated once, however often it is used.
    fn named_verdict(&self, name: &str) -> Verdict {
        // A poisoned lock means that another thread panicked; the answers in it are whole.
        let known = self.judged.lock().unwrap_or_else(|lock| lock.into_inner()).get(name).cloned();
        if let Some(verdict) = known {
            return verdict;
        }
        let verdict = match self.named.get(name) {
            Some(condition) => self.judge_with(condition, self.reasons.both()),
            None => Verdict::no("no such condition"),
        };
        let mut judged = self.judged.lock().unwrap_or_else(|lock| lock.into_inner());
        judged.insert(name.to_owned(), verdict.clone());
        verdict
    }

    fn window(&self, c: &Condition, say: &mut Say) -> bool {
        let Some(range) = &c.window else { return true };
        match self.context.model.window {
            Some(window) => say.answer(range.contains(window), || {
                format!("window {window}, needs {}", range.as_str())
            }),
            None => say.answer(false, || format!("window unknown, needs {}", range.as_str())),
        }
    }

    fn flag(&self, flags: &OneOf<String>, say: &mut Say) -> bool {
        if flags.is_empty() {
            return true;
        }
        match flags.iter().find(|flag| self.context.flags.contains(flag)) {
            Some(flag) => say.answer(true, || ["flag ", flag, " is on"].concat()),
            None => say.answer(false, || ["flag ", &or(flags), " is off"].concat()),
        }
    }

    fn tool(&self, tools: &OneOf<String>, say: &mut Say) -> bool {
        if tools.is_empty() {
            return true;
        }
        let enabled = |name: &&String| self.tools.is_some_and(|tools| tools.has(name));
        match tools.iter().find(enabled) {
            Some(tool) => say.answer(true, || ["tool ", tool, " is enabled"].concat()),
            None => say.answer(false, || ["tool ", &or(tools), " is not enabled"].concat()),
        }
    }

    /// `linux` holds for `Linux 6.1` and for `Debian GNU/Linux 12`; `mac` for `macOS 15`.
    fn os(&self, wanted: &OneOf<String>, say: &mut Say) -> bool {
        if wanted.is_empty() {
            return true;
        }
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
            Some(name) => say.answer(true, || format!("os is {name}")),
            None if os.is_empty() => say.answer(false, || "os unknown".to_owned()),
            None => say.answer(false, || format!("os is {os}, not {}", or(wanted))),
        }
    }

    fn model(&self, c: &Condition, say: &mut Say) -> bool {
        if c.model.is_empty() {
            return true;
        }
        let id = self.context.model.id.to_ascii_lowercase();
        match c.model.iter().find(|glob| glob.matches_lowered(&id)) {
            Some(glob) => say.answer(true, || format!("model matches `{}`", glob.as_str())),
            None => say.answer(false, || format!("model `{id}` matches no glob")),
        }
    }

    fn id_matches(&self, c: &Condition, say: &mut Say) -> bool {
        if c.id_matches.is_empty() {
            return true;
        }
        let id = &self.context.model.id;
        match c.id_matches.iter().find(|pattern| pattern.matches(id)) {
            Some(pattern) => say.answer(true, || format!("model matches /{}/", pattern.as_str())),
            None => say.answer(false, || {
                let wanted: Vec<_> =
                    c.id_matches.iter().map(|p| format!("/{}/", p.as_str())).collect();
                format!("model `{id}` does not match {}", wanted.join(" or "))
            }),
        }
    }

    fn has(&self, paths: &OneOf<String>, say: &mut Say) -> bool {
        if paths.is_empty() {
            return true;
        }
        match paths.iter().find(|path| self.context.has(path, || self.json())) {
            Some(path) => say.answer(true, || [path, " is not empty"].concat()),
            None => say.answer(false, || [&or(paths), " is empty"].concat()),
        }
    }

    fn equals(&self, path: &str, value: &Value, say: &mut Say) -> bool {
        match json_path(self.json(), path) {
            Some(found) if same(found, value) => say.answer(true, || format!("{path} is {value}")),
            Some(_) => say.answer(false, || format!("{path} is not {value}")),
            None => say.answer(false, || format!("{path} is not given")),
        }
    }
}

impl Verdict {
    /// A no.
    pub(super) fn no(reason: impl Into<String>) -> Self {
        Self { holds: false, reason: reason.into(), weight: Weight::Full }
    }
}

/// How much a failed condition has to say: where none of several alternatives holds, only the weightiest are
/// reported. The reason to refuse a Claude model should not be that it is not a GPT.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Weight {
    /// It speaks of other families: these.
    OtherFamily(String),
    /// It speaks of ids without a version, and this one has one.
    OnlyUnnumbered,
    #[default]
    Full,
}

/// Collects reasons: of everything that holds, or of what fails first.
pub(super) struct Say {
    reasons: Reasons,
    said: Option<String>,
    weight: Weight,
}

impl Say {
    fn new(reasons: Reasons) -> Self {
        Self { reasons, said: None, weight: Weight::Full }
    }

    /// Notes an answer and passes it on.
    pub(super) fn answer(&mut self, holds: bool, reason: impl FnOnce() -> String) -> bool {
        if self.reasons.wants(holds) {
            let reason = shortened(reason());
            match &mut self.said {
                Some(said) if holds => {
                    said.push_str("; ");
                    said.push_str(&reason);
                }
                said => *said = Some(reason),
            }
        }
        holds
    }

    /// The model is of another family than the required ones.
    pub(super) fn other_family(&mut self, family: &str, wanted: &str) -> bool {
        if !self.reasons.wants(false) {
            return false;
        }
        let said = match family {
            "" => "no family is known, needs ".to_owned(),
            family => format!("family is {family}, not "),
        };
        self.answer(false, || said + wanted);
        self.weight = Weight::OtherFamily(wanted.to_owned());
        false
    }

    /// A failure that is only about ids without a version.
    pub(super) fn only_unnumbered(&mut self) {
        self.weight = Weight::OnlyUnnumbered;
    }

    /// None of several holds.
    fn none_of(&mut self, failed: &[Verdict], family: impl FnOnce() -> String) -> bool {
        for weight in [Weight::Full, Weight::OnlyUnnumbered] {
            let weighty = failed.iter().filter(|verdict| verdict.weight == weight);
            let weighty: Vec<&str> = weighty.map(|verdict| verdict.reason.as_str()).collect();
            if !weighty.is_empty() {
                self.answer(false, || weighty.join(", "));
                self.weight = weight;
                return false;
            }
        }
        let mut others: Vec<&str> = Vec::new();
        for verdict in failed {
            if let Weight::OtherFamily(wanted) = &verdict.weight
                && !others.contains(&wanted.as_str())
            {
                others.push(wanted);
            }
        }
        if others.is_empty() {
            return self.answer(false, String::new);
        }
        self.other_family(&family(), &others.join(" or "))
    }

    fn finish(self) -> String {
        match self.said {
            None if self.reasons != Reasons::All => String::new(),
            None => "no condition".to_owned(),
            Some(said) => shortened(said),
        }
    }
}

pub(super) fn is_one_of(
    key: &str,
    wanted: &OneOf<String>,
    value: Option<&str>,
    say: &mut Say,
) -> bool {
    if wanted.is_empty() {
        return true;
    }
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return say.answer(false, || format!("no {key} is given"));
    };
    if wanted.iter().any(|wanted| wanted.eq_ignore_ascii_case(value)) {
        say.answer(true, || format!("{key} is {value}"))
    } else {
        say.answer(false, || format!("{key} is {value}, not {}", or(wanted)))
    }
}

/// Numbers are equal when their values are: 3 and 3.0.
fn same(a: &Value, b: &Value) -> bool {
    a == b || matches!((a.as_f64(), b.as_f64()), (Some(a), Some(b)) if a.total_cmp(&b).is_eq())
}

pub(super) fn or(names: &OneOf<String>) -> Cow<'_, str> {
    let mut names = names.iter();
    match (names.next(), names.as_slice()) {
        (Some(only), []) => Cow::Borrowed(only),
        (first, others) => {
            let names: Vec<&str> = first.into_iter().chain(others).map(String::as_str).collect();
            Cow::Owned(names.join(" or "))
        }
    }
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
