//! Real clients against a fake server on a loopback port, which plays answers, failures and broken streams.

mod answers;
mod failures;
mod fake;
mod native;
mod retries;
mod streams;
