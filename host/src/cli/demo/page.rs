//! What is printed, and where: the model's side behind a solid bar, the operator's behind a dotted
//! one, so that in colour or without nobody mistakes one for the other. Colour is a few escape
//! sequences, on a terminal only.

use super::super::output;
use super::json::Json;
use super::shorten::Shortener;
use super::text::{WIDTH, columns, thousands, wrap};

const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const MODEL: &str = "\x1b[36m";
const OPERATOR: &str = "\x1b[33m";

/// What a line of the model's side opens with.
const MODEL_BAR: &str = "┃";
/// What a line of the operator's side opens with.
const OPERATOR_BAR: &str = "┆";
/// The columns left beside a bar.
const BESIDE: usize = WIDTH - 4;
/// The columns of the names on the operator's side.
const NAMES: usize = 10;

/// A page in the making.
pub(super) struct Page {
    color: bool,
    /// None prints answers in full.
    shortener: Option<Shortener>,
    text: String,
    steps: usize,
}

impl Page {
    pub(super) fn new(color: bool, full: bool) -> Self {
        Self {
            color,
            shortener: (!full).then(Shortener::default),
            text: String::new(),
            steps: 0,
        }
    }

    /// Writes out what was printed so far.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        output::bytes(std::mem::take(&mut self.text).as_bytes())
    }

    pub(super) fn title(&mut self, title: &str) {
        let title = self.styled(BOLD, title);
        self.line(&title);
    }

    /// Opens a step: its number, what it is, and what to look at.
    pub(super) fn step(&mut self, title: &str, about: &str) {
        self.steps += 1;
        let heading = format!("── {} · {title} ", self.steps);
        let rule = "─".repeat(WIDTH.saturating_sub(columns(&heading)));
        let heading = self.styled(BOLD, &format!("{heading}{rule}"));
        self.line("");
        self.line(&heading);
        self.prose(about);
    }

    pub(super) fn prose(&mut self, text: &str) {
        for line in wrap(text, WIDTH, WIDTH) {
            self.line(&line);
        }
    }

    /// A line as it is.
    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// The head of a block on the model's side.
    pub(super) fn model(&mut self, head: &str, remark: &str) {
        let head = self.styled(BOLD, head);
        let remark = self.styled(DIM, remark);
        self.line("");
        self.beside(MODEL, MODEL_BAR, format!("{head}  {remark}").trim_end());
    }

    /// What the model writes: a tool's name, or nothing, and JSON.
    pub(super) fn asked(&mut self, tool: &str, json: &Json) {
        for line in json.lines(tool, BESIDE, false) {
            self.beside(MODEL, MODEL_BAR, &line);
        }
    }

    /// What the model is shown, with `rows` rows of each list.
    pub(super) fn sees(&mut self, head: &str, json: &Json, length: usize, rows: usize) {
        let (shown, whole) = match &mut self.shortener {
            Some(shortener) => (shortener.shorten(json, rows), false),
            None => (json.clone(), true),
        };
        let length = thousands(length);
        let remark = if shown == *json {
            format!("{length} characters")
        } else {
            format!("{length} characters, shortened here at each ⟨…⟩")
        };
        self.model(head, &remark);
        let mut noting = false;
        for line in shown.lines("", BESIDE, whole) {
            let line = self.notes(&line, &mut noting);
            self.beside(MODEL, MODEL_BAR, &line);
        }
    }

    /// The head of a block on the operator's side.
    pub(super) fn operator(&mut self, head: &str) {
        let head = self.styled(BOLD, head);
        self.line("");
        self.beside(OPERATOR, OPERATOR_BAR, &head);
    }

    /// A named line on the operator's side.
    pub(super) fn says(&mut self, name: &str, text: &str) {
        let room = BESIDE - NAMES;
        for (place, line) in wrap(text, room, room).iter().enumerate() {
            let name = if place == 0 { name } else { "" };
            let name = self.styled(OPERATOR, &format!("{name:NAMES$}"));
            self.beside(OPERATOR, OPERATOR_BAR, &format!("{name}{line}"));
        }
    }

    /// A command line and how it ended, on one line where there is room.
    pub(super) fn ran(&mut self, line: &str, end: &str) {
        let both = format!("{line}  ({end})");
        if columns(&both) <= BESIDE - NAMES {
            return self.says("ran", &both);
        }
        self.says("ran", line);
        self.says("", &format!("({end})"));
    }

    fn beside(&mut self, style: &str, bar: &str, line: &str) {
        let bar = self.styled(style, bar);
        self.line(format!("  {bar} {line}").trim_end());
    }

    fn styled(&self, style: &str, text: &str) -> String {
        if self.color && !text.is_empty() {
            format!("{style}{text}{RESET}")
        } else {
            text.to_owned()
        }
    }

    /// Dims the demo's own words; `noting` carries a note over a line's end.
    fn notes(&self, line: &str, noting: &mut bool) -> String {
        if !self.color {
            return line.to_owned();
        }
        let mut out = String::from(if *noting { DIM } else { "" });
        for c in line.chars() {
            if c == '⟨' {
                *noting = true;
                out.push_str(DIM);
            }
            out.push(c);
            if c == '⟩' {
                *noting = false;
                out.push_str(RESET);
            }
        }
        if *noting {
            out.push_str(RESET);
        }
        out
    }
}
