//! A struct read from a JSON object and from nothing else. What serde derives reads a list too, its
//! fields by position: a ceiling in a list with nothing in it would read as no ceiling.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// What an object says; a list in its place is an error.
#[derive(Debug)]
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OfMap(PhantomData))
    }
}

struct OfMap<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OfMap<T> {
    type Value = Object<T>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Object<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(entries)).map(Object)
    }
}

/// A field that is there, also when it is null: null is not the same as left out.
pub(crate) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde_json::value::RawValue;

    use super::{Object, present};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Pair {
        #[serde(default, deserialize_with = "present")]
        inner: Option<Object<Inner>>,
        #[serde(default, deserialize_with = "present")]
        raw: Option<Box<RawValue>>,
    }

    #[derive(Deserialize)]
    struct Inner {
        n: Option<u8>,
    }

    fn read(text: &str) -> Result<Pair, String> {
        let read: Result<Object<Pair>, _> = serde_json::from_str(text);
        read.map(|pair| pair.0).map_err(|error| error.to_string())
    }

    #[test]
    fn an_object_is_read_with_its_numbers_as_they_are_written() {
        let pair = read(r#"{"inner":{"n":1},"raw":1.50}"#).unwrap();
        assert_eq!(pair.inner.unwrap().0.n, Some(1));
        assert_eq!(pair.raw.unwrap().get(), "1.50");
        let pair = read("{}").unwrap();
        assert!(pair.inner.is_none() && pair.raw.is_none());
        assert_eq!(read(r#"{"raw":null}"#).unwrap().raw.unwrap().get(), "null");
    }

    #[test]
    fn a_list_a_null_or_a_text_in_the_place_of_an_object_is_refused() {
        for text in [
            "[]",
            "[null,1]",
            "null",
            "\"inner\"",
            r#"{"inner":[]}"#,
            r#"{"inner":[1]}"#,
            r#"{"inner":null}"#,
            r#"{"inner":"n"}"#,
            r#"{"inner":5}"#,
        ] {
            let error = read(text).err().unwrap();
            assert!(error.contains("expected an object"), "{text}: {error}");
        }
    }
}
