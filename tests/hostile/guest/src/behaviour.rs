//! What the component can be told to do. The tests compile this file too: a behaviour that no test
//! uses is a compile error there.

macro_rules! behaviours {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Behaviour {
            $($(#[$doc])* $name,)*
        }

        impl Behaviour {
            /// The input of a turn's first call: JSON, when `rest` is.
            #[cfg(not(target_arch = "wasm32"))]
            pub(crate) fn input(self, rest: &str) -> String {
                let name = match self {
                    $(Self::$name => $text,)*
                };
                format!("{{\"{name}\":{rest}}}")
            }

            #[cfg(target_arch = "wasm32")]
            pub(crate) fn read(input: &str) -> Option<(Self, &str)> {
                let inside = input.strip_prefix("{\"")?.strip_suffix('}')?;
                let (name, rest) = inside.split_once("\":")?;
                match name {
                    $($text => Some((Self::$name, rest)),)*
                    _ => None,
                }
            }
        }
    };
}

behaviours! {
    /// Makes the requests of the rest, one a line, at once; shows the outcomes.
    Ask = "ask",
    /// Makes them one after the other.
    AskOneByOne = "ask-one-by-one",
    /// `COUNT REQUEST`: makes it that many times at once.
    AskMany = "ask-many",
    /// Makes them again and again.
    AskForEver = "ask-for-ever",
    /// Makes them when the turn is over, at each later call into the component.
    AskLater = "ask-later",
    /// Shows the rest.
    Show = "show",
    /// `LENGTH`: shows a JSON text of that many bytes.
    ShowText = "show-text",
    /// Gives the replies of the rest, one a line.
    Reply = "reply",
}
