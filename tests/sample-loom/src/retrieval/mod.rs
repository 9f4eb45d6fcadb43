//! The eight reads, each a function from a view of the store to an answer.
//!
//! A view knows the facets it may show, and every list below is taken from the view and
//! never from the store, so that no read can forget the filter.

mod ambient;
mod calendar;
mod pages;
mod people;
mod search;

pub(crate) use ambient::{activity, place, profile};
pub(crate) use calendar::calendar;
pub(crate) use pages::{discover, find as find_page, inspect, read};
pub(crate) use people::people;
pub(crate) use search::search;

use serde_json::Value;

use crate::commands::State;
use crate::data::{Event, Page, Person, Row, Store};

/// What one request may see.
pub(crate) struct View<'a> {
    pub(crate) store: &'a Store,
    pub(crate) facets: &'a [String],
    /// What commands wrote since the broker started.
    pub(crate) state: &'a State,
}

impl<'a> View<'a> {
    pub(crate) fn rows(&self) -> impl Iterator<Item = &'a Row> + use<'a, '_> {
        self.store.rows.iter().filter(|row| self.shows(&row.facet))
    }

    pub(crate) fn pages(&self) -> impl Iterator<Item = &'a Page> + use<'a, '_> {
        self.store
            .pages
            .iter()
            .filter(|page| self.shows(&page.facet))
    }

    pub(crate) fn people(&self) -> impl Iterator<Item = &'a Person> + use<'a, '_> {
        self.store
            .people
            .iter()
            .filter(|person| self.shows(&person.facet))
    }

    pub(crate) fn events(&self) -> impl Iterator<Item = &'a Event> + use<'a, '_> {
        self.store
            .events
            .iter()
            .filter(|event| self.shows(&event.facet))
    }

    pub(crate) fn shows(&self, facet: &str) -> bool {
        self.facets.iter().any(|served| served == facet)
    }
}

/// Puts the row's label beside its fields, where a row has one.
pub(crate) fn labeled(mut value: Value, ifc: Option<&Value>) -> Value {
    if let (Some(fields), Some(ifc)) = (value.as_object_mut(), ifc) {
        fields.insert("ifc".to_owned(), ifc.clone());
    }
    value
}
