//! Which variant a model id gets: by the built-in rules, by a host's own tables, and for any string.

mod any_string;
mod own_tables;
mod twelve;
