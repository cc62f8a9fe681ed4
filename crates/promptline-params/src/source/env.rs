//! Values from environment variables, as the host hands them over.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Loaded, Located, ParamSource};
use crate::error::Error;

/// Values from environment variables that begin with a prefix: `SHOP_FREE_SHIPPING_THRESHOLD=79` is
/// `free_shipping_threshold`, with the prefix `SHOP_`. A name's `-` is written `_`.
#[derive(Debug, Clone)]
pub struct EnvSource {
    prefix: String,
    names: BTreeMap<String, String>,
    values: BTreeMap<String, String>,
}

impl EnvSource {
    /// The variables of this process, as they are now, for these parameters. Others with the prefix are none of
    /// ours.
    #[must_use]
    pub fn new<'n>(prefix: impl Into<String>, names: impl IntoIterator<Item = &'n str>) -> Self {
        let vars = std::env::vars_os();
        let vars = vars.filter_map(|(n, v)| Some((n.into_string().ok()?, v.into_string().ok()?)));
        Self::of(prefix, names, vars)
    }

    /// The same of other variables.
    #[must_use]
    pub fn of<'n>(
        prefix: impl Into<String>,
        names: impl IntoIterator<Item = &'n str>,
        variables: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        let prefix = prefix.into();
        let upper = |name: &str| format!("{prefix}{}", name.to_uppercase().replace('-', "_"));
        let names: BTreeMap<String, String> =
            names.into_iter().map(|name| (upper(name), name.to_owned())).collect();
        let values = variables.into_iter().filter(|(name, _)| names.contains_key(name)).collect();
        Self { prefix, names, values }
    }
}

impl ParamSource for EnvSource {
    fn name(&self) -> String {
        format!("env {}*", self.prefix)
    }

    fn load(&self) -> Result<Loaded, Error> {
        let mut loaded = Loaded::new(self.name());
        for (variable, value) in &self.values {
            if let Some(name) = self.names.get(variable) {
                let value = Value::from(value.as_str());
                let place = format!("env {variable}");
                loaded.values.insert(name.clone(), Located { value, place });
            }
        }
        Ok(loaded)
    }
}
