//! The machine and the day. The only part of the crate that reads the environment and the clock, and only when it is
//! called.

use std::path::Path;

use jiff::ZonedDateTime;

/// The machine that an agent works on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Environment {
    /// The operating system, as `Debian GNU/Linux 12`.
    pub os: String,
    /// The shell, as `bash`, where the environment says one.
    pub shell: Option<String>,
    /// The user's home directory.
    pub home: Option<String>,
}

impl Environment {
    /// Asks the machine.
    #[must_use]
    pub fn detect() -> Self {
        let home = std::env::home_dir().map(|home| plain(&home));
        Self { os: operating_system(), shell: shell(), home }
    }
}

/// A date and the time zone that it is the date in.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Day {
    /// The date, `YYYY-MM-DD`.
    pub date: String,
    /// The zone, as an IANA name or an offset (`UTC+02`).
    pub zone: String,
}

impl Day {
    /// Today, by the clock and the zone of the machine.
    #[must_use]
    pub fn now() -> Self {
        Self::at(&ZonedDateTime::now())
    }

    /// The day of a clock of the caller.
    #[must_use]
    pub fn at(now: &ZonedDateTime) -> Self {
        Self { date: now.date().to_string(), zone: zone(now) }
    }
}

/// A path as a person would write it.
pub(crate) fn plain(path: &Path) -> String {
    let text = path.to_string_lossy();
    // `cwd` may have been given as `.`, of which `absolute` keeps nothing but a separator.
    match text.strip_suffix(['/', '\\']) {
        Some(cut) if !cut.is_empty() && !cut.ends_with(':') => cut.to_owned(),
        _ => text.into_owned(),
    }
}

fn zone(now: &ZonedDateTime) -> String {
    match now.time_zone().iana_name() {
        Some(name) => name.to_owned(),
        None => format!("UTC{}", now.offset()),
    }
}

fn operating_system() -> String {
    let info = os_info::get();
    match info.version() {
        os_info::Version::Unknown => info.os_type().to_string(),
        version => format!("{} {version}", info.os_type()),
    }
}

fn shell() -> Option<String> {
    let path = std::env::var_os("SHELL").or_else(|| std::env::var_os("COMSPEC"))?;
    let name = Path::new(&path).file_name()?.to_string_lossy().into_owned();
    (!name.is_empty()).then_some(name)
}
