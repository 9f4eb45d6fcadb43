mod answer;
mod generated;
mod input;
mod result;
