//! The host's own objects, one of each type, on their way to the host's own components.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A map from types to objects. Cloning it shares the objects.
#[derive(Clone, Default)]
pub struct Handles(BTreeMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Handles {
    /// Puts an object in; one of the same type goes.
    pub fn insert<T: Send + Sync + 'static>(&mut self, handle: T) {
        self.0.insert(TypeId::of::<T>(), Arc::new(handle));
    }

    /// The object of this type.
    #[must_use]
    pub fn get<T: Send + Sync + 'static>(&self) -> Option<&T> {
        self.0.get(&TypeId::of::<T>()).and_then(|handle| handle.downcast_ref())
    }
}

impl fmt::Debug for Handles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Handles({})", self.0.len())
    }
}
