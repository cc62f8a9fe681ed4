#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![doc = include_str!("../README.md")]

mod clock;
mod codec;
#[cfg(feature = "conformance")]
pub mod conformance;
mod context;
#[cfg(feature = "encrypt")]
mod encrypt;
mod error;
mod facts;
mod id;
mod limits;
mod memory_cache;
mod memory_store;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "redis")]
mod redis;
mod rules;
mod session;
#[cfg(feature = "sqlite")]
mod sqlite;
mod store;
mod summary;
mod tiered;
mod tokens;
mod turn;
mod weight;
mod wording;

pub use async_trait::async_trait;
pub use clock::{Clock, ManualClock, SystemClock};
pub use codec::{Cipher, Place};
pub use context::{
    Assembled, Bill, ContextBudget, ContextBuilder, ContextReport, CostMeter, Form, Input, Mark,
    Placement, Prices, Reminders, Repair, Shortened, SystemBlock, SystemPrompt, TailPlace,
    TokenShares, without_reminders,
};
#[cfg(feature = "encrypt")]
pub use encrypt::SealedRecords;
pub use error::{Error, ErrorKind};
pub use facts::{
    Decision, Fact, FactPolicy, Facts, MAX_HISTORY, Outcome, Proposal, Slot, SlotKind, Slots,
    Superseded, Trust, TrustPolicy,
};
pub use id::{MAX_ID_BYTES, SessionId, TurnId, Version};
pub use limits::Limits;
pub use memory_cache::MemoryCache;
pub use memory_store::MemoryStore;
#[cfg(feature = "postgres")]
pub use postgres::{PostgresOptions, PostgresStore};
#[cfg(feature = "redis")]
pub use redis::{RedisCache, RedisOptions};
pub use session::{Change, Committed, ListQuery, Session, SessionInfo, TurnPage, TurnQuery};
#[cfg(feature = "sqlite")]
pub use sqlite::{Durability, SqliteOptions, SqliteStore};
pub use store::{SessionCache, SessionStore};
pub use summary::{
    Compaction, CompactionPolicy, Compactor, CompactorCounts, ModelSummarizer, Summarizer, Summary,
    SummaryDraft, SummaryRequest, fallback_summary,
};
pub use tiered::{
    Config, Freshness, Loaded, Stats, Tier, TierStats, Tiered, Unhealthy, open_store,
};
pub use tokens::Tokens;
pub use turn::{Message, Part, Role, Turn};
pub use wording::Wording;
