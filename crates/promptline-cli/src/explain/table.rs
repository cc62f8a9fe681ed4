//! The explanation as a table on a terminal, or in a file. Only what a reader needs at a glance; the rest
//! is in the JSON and on the page.

use promptline::Severity;

use super::tools::ToolRow;
use super::view::{Explained, SectionRow, grouped, percent, word};
use crate::output::{Failure, Output};

/// The width of the longest bar, in characters.
const BAR: usize = 20;

pub(super) fn write(explained: &Explained<'_>, output: &mut Output) -> Result<(), Failure> {
    let Explained { totals, sections, tools, left_out, report } = explained;
    let variant = &report.variant;
    output.line(format_args!("variant {} (version {})", variant.id, variant.version))?;
    output.line(format_args!("  {}", report.reason))?;
    for verdict in report.matchers.iter().filter(|verdict| !verdict.matched) {
        output.line(format_args!("  not {}: {}", verdict.variant.id, verdict.reason))?;
    }
    output.line("")?;
    write_sections(sections, output)?;
    output.line("")?;
    let (bytes, tokens) = (grouped(totals.bytes), grouped(totals.tokens));
    output.line(format_args!("text   {tokens:>9} tokens {bytes:>11} bytes"))?;
    if totals.tool_bytes > 0 {
        let (bytes, tokens) = (grouped(totals.tool_bytes), grouped(totals.tool_tokens));
        output.line(format_args!("tools  {tokens:>9} tokens {bytes:>11} bytes beside the text"))?;
    }
    if let (Some(window), Some(share)) = (totals.window, totals.window_share) {
        output.line(format_args!("       {} of a window of {window} tokens", percent(share)))?;
    }
    write_tools(tools, output)?;
    if !left_out.is_empty() {
        output.line("\nleft out")?;
        let wide = width(left_out.iter().map(|item| item.id.as_str()));
        for item in left_out {
            let why = item.why.as_deref().unwrap_or_default();
            let (kind, id, status) = (item.kind, &item.id, &item.status);
            let line = format!("  {kind:7}  {id:wide$}  {status:10}  {why}");
            output.line(line.trim_end())?;
        }
    }
    if !report.diagnostics.is_empty() {
        output.line("")?;
    }
    for diagnostic in &report.diagnostics {
        let mark = if diagnostic.severity == Severity::Warning { "!" } else { "-" };
        output.line(format_args!("{mark} {diagnostic}"))?;
    }
    Ok(())
}

fn write_sections(sections: &[SectionRow<'_>], output: &mut Output) -> Result<(), Failure> {
    let wide = width(sections.iter().map(|row| row.id)).max("section".len());
    let origin = width(sections.iter().map(|row| row.origin));
    output.line(format_args!(
        "{:wide$}  {:BAR$}  {:>8}  {:>9}  {:>7}  {:12}  {:origin$}  status",
        "section", "", "tokens", "bytes", "share", "changes", "origin"
    ))?;
    let most = sections.iter().map(|row| row.share).fold(0.0, f64::max);
    for row in sections {
        output.line(format_args!(
            "{:wide$}  {:BAR$}  {:>8}  {:>9}  {:>7}  {:12}  {:origin$}  {}",
            row.id,
            bar(row.share, most),
            grouped(row.tokens),
            grouped(row.bytes),
            percent(row.share),
            word(&row.volatility),
            row.origin,
            row.status
        ))?;
    }
    Ok(())
}

fn write_tools(tools: &[ToolRow<'_>], output: &mut Output) -> Result<(), Failure> {
    let Some(first) = tools.first() else { return Ok(()) };
    output.line(format_args!("\n{} tools ({})", tools.len(), first.form))?;
    let most = tools.iter().map(|row| row.bytes).max().unwrap_or_default().max(1) as f64;
    let wide = width(tools.iter().map(|row| row.name));
    for row in tools {
        let bar = bar(row.bytes as f64, most);
        let of = row.server.map(|server| format!("  of {server}")).unwrap_or_default();
        let (name, tokens, bytes) = (row.name, grouped(row.tokens), grouped(row.bytes));
        output.line(format_args!("  {name:wide$}  {bar:BAR$}  {tokens:>6}  {bytes:>9}{of}"))?;
    }
    Ok(())
}

/// Whole blocks, and an eighth for what is there at all.
fn bar(share: f64, most: f64) -> String {
    let eighths = (share / most.max(f64::MIN_POSITIVE) * (BAR * 8) as f64).round() as usize;
    let eighths = if share > 0.0 { eighths.clamp(1, BAR * 8) } else { 0 };
    let mut bar = "█".repeat(eighths / 8);
    bar.extend(['▏', '▎', '▍', '▌', '▋', '▊', '▉'].get((eighths % 8).wrapping_sub(1)));
    bar
}

fn width<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(|name| name.chars().count()).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::bar;

    #[test]
    fn bars_are_in_proportion_and_what_is_there_shows() {
        for (share, shown) in [(0.0, ""), (1e-9, "▏"), (0.5, "██████████"), (0.03, "▋")]
        {
            assert_eq!(bar(share, 1.0), shown);
        }
    }
}
