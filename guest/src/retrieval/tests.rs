mod answer;
mod envelope;
mod generated;
mod input;
mod result;
mod texts;
