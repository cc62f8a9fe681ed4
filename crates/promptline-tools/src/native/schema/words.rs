//! Pass `words`: what a dialect has no keyword for is said in the description, so that the model knows it
//! even if the provider does not hold it to it.

use serde_json::Value;

use super::walk::{Draft, Walk};

/// Bytes of JSON that are worth saying; longer values are only taken out.
const LONGEST: usize = 200;

impl Walk<'_> {
    /// Says what is to be said.
    pub(super) fn write_words(&mut self, draft: &mut Draft) {
        let mut said = Vec::new();
        for (keyword, value) in std::mem::take(&mut draft.words) {
            let written = value.to_string();
            if written.len() <= LONGEST {
                self.lose(&keyword, "said in the description: there is no keyword for it");
                said.push(format!("{keyword}: {written}"));
            } else {
                self.lose(&keyword, "taken out: it cannot be said");
            }
        }
        if said.is_empty() {
            return;
        }
        let said = format!("({})", said.join("; "));
        match draft.map.get_mut("description") {
            Some(Value::String(description)) if !description.is_empty() => {
                description.push('\n');
                description.push_str(&said);
            }
            _ => {
                draft.map.insert("description".to_owned(), said.into());
            }
        }
    }
}
