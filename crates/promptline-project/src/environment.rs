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
        let variable = |name: &str| std::env::var(name).ok();
        Self { home, ..Self::of(&operating_system(), variable) }
    }

    /// What an operating system and the variables of an environment say. The shell is the one that runs, where it says
    /// so (PowerShell, Nushell, xonsh, Git Bash), else the one of the login; WSL is said with the system.
    ///
    /// ```
    /// use promptline_project::Environment;
    /// let variables = |name: &str| (name == "SHELL").then(|| "/usr/bin/fish".to_owned());
    /// assert_eq!(Environment::of("Debian 12", variables).shell.as_deref(), Some("fish"));
    /// ```
    #[must_use]
    pub fn of(os: &str, variable: impl Fn(&str) -> Option<String>) -> Self {
        let said = |name: &str| variable(name).filter(|value| !value.is_empty());
        let os = match said("WSL_DISTRO_NAME") {
            Some(distribution) => format!("{os} (WSL, {distribution})"),
            None if said("WSL_INTEROP").is_some() => format!("{os} (WSL)"),
            None => os.to_owned(),
        };
        Self { os, shell: shell(said), home: None }
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

/// Shells that run leave marks: Nushell and xonsh their versions, PowerShell the modules of its user, Git Bash its
/// system. bash, zsh and fish leave none; then it is the shell of the login.
fn shell(said: impl Fn(&str) -> Option<String>) -> Option<String> {
    if said("NU_VERSION").is_some() {
        return Some("nu".to_owned());
    }
    if said("XONSH_VERSION").is_some() || said("XONSHRC").is_some() {
        return Some("xonsh".to_owned());
    }
    let is_windows = said("OS").is_some_and(|os| os == "Windows_NT");
    if is_windows && said("MSYSTEM").is_some() {
        return Some("bash (Git Bash)".to_owned());
    }
    if let Some(power_shell) = said("PSModulePath").and_then(|modules| power_shell(&modules)) {
        return Some(power_shell.to_owned());
    }
    let path = said("SHELL").or_else(|| said("COMSPEC"))?;
    let name = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()?;
    let name = name.strip_suffix(".exe").unwrap_or(name);
    (!name.is_empty()).then(|| name.to_owned())
}

/// The system-wide modules are in every environment of Windows; those of the user only where PowerShell runs.
fn power_shell(modules: &str) -> Option<&'static str> {
    let modules = modules.to_lowercase().replace('\\', "/");
    let own = |folder: &str| modules.split([';', ':']).any(|path| path.ends_with(folder));
    if own("documents/windowspowershell/modules") {
        Some("powershell")
    } else if own("documents/powershell/modules") || own(".local/share/powershell/modules") {
        Some("pwsh")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There is no Windows here: what it says is in the tables.
    macro_rules! shells {
        ($($test:ident: [$($name:literal = $value:literal),*] => $os:literal, $shell:expr;)*) => {$(
            #[test]
            fn $test() {
                let variables: &[(&str, &str)] = &[$(($name, $value)),*];
                let variable = |wanted: &str| {
                    let found = variables.iter().find(|(name, _)| *name == wanted);
                    found.map(|(_, value)| (*value).to_owned())
                };
                let expected: Option<&str> = $shell;
                let found = Environment::of("OS", variable);
                assert_eq!((found.os.as_str(), found.shell.as_deref()), ($os, expected));
            }
        )*};
    }

    shells! {
        login: ["SHELL" = "/bin/zsh"] => "OS", Some("zsh");
        fish: ["SHELL" = "/usr/bin/fish"] => "OS", Some("fish");
        nushell_in_bash: ["SHELL" = "/bin/bash", "NU_VERSION" = "0.110.0"] => "OS", Some("nu");
        pwsh_on_linux: ["SHELL" = "/bin/bash", "PSModulePath" = "/home/ada/.local/share/powershell/Modules:/usr/local/share/powershell/Modules"]
            => "OS", Some("pwsh");
        cmd: ["OS" = "Windows_NT", "COMSPEC" = "C:\\Windows\\system32\\cmd.exe", "PSModulePath" = "C:\\Program Files\\WindowsPowerShell\\Modules;C:\\Windows\\system32\\WindowsPowerShell\\v1.0\\Modules"]
            => "OS", Some("cmd");
        windows_powershell: ["OS" = "Windows_NT", "COMSPEC" = "C:\\Windows\\system32\\cmd.exe", "PSModulePath" = "C:\\Users\\Zoë\\Documents\\WindowsPowerShell\\Modules;C:\\Windows\\system32\\WindowsPowerShell\\v1.0\\Modules"]
            => "OS", Some("powershell");
        pwsh_7: ["OS" = "Windows_NT", "COMSPEC" = "C:\\Windows\\system32\\cmd.exe", "PSModulePath" = "C:\\Users\\a\\OneDrive\\Documents\\PowerShell\\Modules;C:\\Program Files\\PowerShell\\7\\Modules"]
            => "OS", Some("pwsh");
        git_bash: ["OS" = "Windows_NT", "SHELL" = "/usr/bin/bash", "MSYSTEM" = "MINGW64", "COMSPEC" = "C:\\Windows\\system32\\cmd.exe"]
            => "OS", Some("bash (Git Bash)");
        wsl: ["SHELL" = "/usr/bin/fish", "WSL_DISTRO_NAME" = "Ubuntu"] => "OS (WSL, Ubuntu)", Some("fish");
        wsl_without_a_name: ["SHELL" = "/bin/sh", "WSL_INTEROP" = "/run/WSL/1_interop"] => "OS (WSL)", Some("sh");
        nothing: [] => "OS", None;
        empty: ["SHELL" = ""] => "OS", None;
    }
}
