//! Ids that the engine itself gives.

/// The id of the section that the library writes itself: the tool list.
pub(crate) const TOOLS_SECTION: &str = "TOOLS_SECTION";

/// The section id of text that the base template itself says.
pub const TEMPLATE_SECTION: &str = "_template";
