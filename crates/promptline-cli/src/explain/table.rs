//! The explanation as a table on a terminal, or in a file. Only what a reader needs at a glance; the rest
//! is in the JSON and on the page.

use std::fmt::Display;

use promptline::Severity;
use unicode_width::UnicodeWidthStr;

use super::tools::ToolRow;
use super::view::{Explained, SectionRow, grouped, percent, word};
use crate::output::{Failure, Output, harmless};

/// The width of the longest bar, in characters, where there is room and where there is little.
const BAR: usize = 20;
const LEAST_BAR: usize = 4;
/// The widths of columns.
const TOKENS: usize = 8;
const BYTES: usize = 9;
const SHARE: usize = 7;
const CHANGES: usize = 12;

pub(super) fn write(explained: &Explained<'_>, output: &mut Output) -> Result<(), Failure> {
    let Explained { totals, sections, tools, left_out, report, params } = explained;
    let variant = &report.variant;
    line(output, format_args!("variant {} (version {})", variant.id, variant.version))?;
    line(output, format_args!("  {}", report.reason))?;
    for verdict in report.matchers.iter().filter(|verdict| !verdict.matched) {
        line(output, format_args!("  not {}: {}", verdict.variant.id, verdict.reason))?;
    }
    line(output, "")?;
    write_sections(sections, output)?;
    line(output, "")?;
    let (bytes, tokens) = (grouped(totals.bytes), grouped(totals.tokens));
    line(output, format_args!("text   {tokens:>9} tokens {bytes:>11} bytes"))?;
    if totals.tool_bytes > 0 {
        let (bytes, tokens) = (grouped(totals.tool_bytes), grouped(totals.tool_tokens));
        line(output, format_args!("tools  {tokens:>9} tokens {bytes:>11} bytes beside the text"))?;
    }
    if let (Some(window), Some(share)) = (totals.window, totals.window_share) {
        line(output, format_args!("       {} of a window of {window} tokens", percent(share)))?;
    }
    if let Some(budget) = &report.budget {
        let (costs, most) = (budget.after.saturating_add(budget.tools), grouped(budget.available));
        let costs = grouped(costs);
        line(output, format_args!("       {costs} tokens of a budget of {most}"))?;
    }
    match totals.estimate {
        true => output.line("       tokens are an estimate; --tokens o200k counts them")?,
        false => output.line(format_args!("       tokens by {}", totals.counter))?,
    }
    if let Some(params) = params {
        line(output, format_args!("parameters of generation {}", params.hash()))?;
    }
    write_tools(tools, output)?;
    if !left_out.is_empty() {
        line(output, "\nleft out")?;
        let wide = width(left_out.iter().map(|item| item.id.as_str()));
        for item in left_out {
            let why = item.why.as_deref().unwrap_or_default();
            let (kind, id, status) = (item.kind, padded(&item.id, wide), &item.status);
            let row = format!("  {kind:7}  {id}  {status:10}  {why}");
            line(output, row.trim_end())?;
        }
    }
    if !report.diagnostics.is_empty() {
        line(output, "")?;
    }
    for diagnostic in &report.diagnostics {
        let mark = if diagnostic.severity == Severity::Warning { "!" } else { "-" };
        line(output, format_args!("{mark} {diagnostic}"))?;
    }
    Ok(())
}

/// Which columns there is room for. Where a terminal is narrow, that goes first which the JSON and the page
/// say too.
struct Layout {
    name: usize,
    bar: usize,
    bytes: bool,
    /// 0: no such column.
    origin: usize,
}

impl Layout {
    fn new(sections: &[SectionRow<'_>], room: usize) -> Self {
        let name = width(sections.iter().map(|row| row.id)).max("section".len());
        let origin = width(sections.iter().map(|row| row.origin)).max("origin".len());
        let status = width(sections.iter().map(|row| row.status.as_str())).max("status".len());
        // Between two columns are two blanks.
        let least = name + "  ".len() + (2 + TOKENS) + (2 + SHARE) + (2 + CHANGES) + (2 + status);
        let mut layout = Self { name, bar: BAR, bytes: true, origin };
        let mut more = least + BAR + (2 + BYTES) + (2 + origin);
        if more > room {
            layout.origin = 0;
            more -= 2 + origin;
        }
        if more > room {
            layout.bytes = false;
            more -= 2 + BYTES;
        }
        layout.bar = BAR.saturating_sub(more.saturating_sub(room)).max(LEAST_BAR);
        layout
    }

    fn row(&self, [name, bar, tokens, bytes, share, changes, origin, status]: [&str; 8]) -> String {
        let (name, bar) = (padded(name, self.name), padded(bar, self.bar));
        let mut row = format!("{name}  {bar}  {tokens:>TOKENS$}");
        if self.bytes {
            row += &format!("  {bytes:>BYTES$}");
        }
        row += &format!("  {share:>SHARE$}  {changes:CHANGES$}");
        if self.origin > 0 {
            row += &format!("  {}", padded(origin, self.origin));
        }
        row + "  " + status
    }
}

fn write_sections(sections: &[SectionRow<'_>], output: &mut Output) -> Result<(), Failure> {
    let layout = Layout::new(sections, Output::width().unwrap_or(usize::MAX));
    let head = ["section", "", "tokens", "bytes", "share", "changes", "origin", "status"];
    line(output, layout.row(head))?;
    let most = sections.iter().map(|row| row.share).fold(0.0, f64::max);
    for row in sections {
        line(
            output,
            layout.row([
                row.id,
                &bar(row.share, most, layout.bar),
                &grouped(row.tokens),
                &grouped(row.bytes),
                &percent(row.share),
                &word(&row.volatility),
                row.origin,
                &row.status,
            ]),
        )?;
    }
    Ok(())
}

fn write_tools(tools: &[ToolRow<'_>], output: &mut Output) -> Result<(), Failure> {
    let Some(first) = tools.first() else { return Ok(()) };
    line(output, format_args!("\n{} tools ({})", tools.len(), first.form))?;
    let most = tools.iter().map(|row| row.bytes).max().unwrap_or_default().max(1) as f64;
    let wide = width(tools.iter().map(|row| row.name));
    for row in tools {
        let (name, bar) = (padded(row.name, wide), bar(row.bytes as f64, most, BAR));
        let of = row.server.map(|server| format!("  of {server}")).unwrap_or_default();
        let (tokens, bytes) = (grouped(row.tokens), grouped(row.bytes));
        line(output, format_args!("  {name}  {bar:BAR$}  {tokens:>6}  {bytes:>9}{of}"))?;
    }
    Ok(())
}

/// Whole blocks, and an eighth for what is there at all.
fn bar(share: f64, most: f64, longest: usize) -> String {
    let eighths = (share / most.max(f64::MIN_POSITIVE) * (longest * 8) as f64).round() as usize;
    let eighths = if share > 0.0 { eighths.clamp(1, longest * 8) } else { 0 };
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(['▏', '▎', '▍', '▌', '▋', '▊', '▉'].get((eighths % 8).wrapping_sub(1)));
    bar
}

/// Writes a line. Names come from users, servers and files.
fn line(output: &mut Output, text: impl Display) -> Result<(), Failure> {
    output.line(harmless(&text.to_string()))
}

/// In columns of a terminal, where a Chinese character takes two.
fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(UnicodeWidthStr::width).max().unwrap_or_default()
}

fn padded(name: &str, width: usize) -> String {
    format!("{name}{}", " ".repeat(width.saturating_sub(name.width())))
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_are_in_proportion_and_what_is_there_shows() {
        for (share, shown) in [(0.0, ""), (1e-9, "▏"), (0.5, "██████████"), (0.03, "▋")]
        {
            assert_eq!(bar(share, 1.0, 20), shown);
        }
    }
}
