//! Faults of prompt assemblers that people have reported, one test each, named after the id of its
//! case (`prompts/dev.jsonl` of the shared cases). What happened elsewhere must not happen here.
//!
//! Cases that are not reached yet, and why:
//!
//! | cases | what they wait for |
//! |---|---|
//! | K04, K05 | sessions: cutting a history, compaction |
//!
//! Reached in part: C08 (a context has no configuration text that could be unreadable).

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "the helpers of tests fail as tests do"
)]

mod budget;
mod cache;
mod context;
mod counting;
mod crash;
mod matcher;
mod mcp;
mod overrides;
mod perf;
mod postprocess;
mod support;
mod template;
mod tools_native;
mod tools_xml;
mod unicode;
