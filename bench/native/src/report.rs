//! Tables on the terminal, and the same numbers as JSON for the renderer.

use serde_json::{Value, json};

use crate::measure::{Measured, Role};
use crate::tasks::costs::Cost;

/// One cell of a task.
pub struct Cell {
    pub label: String,
    pub positions: usize,
    pub bytes: usize,
    pub results: Vec<Measured>,
}

impl Cell {
    pub fn new(label: &str, positions: usize, bytes: usize, results: Vec<Measured>) -> Cell {
        Cell {
            label: label.to_owned(),
            positions,
            bytes,
            results,
        }
    }

    fn fastest(&self, which: impl Fn(Role) -> bool) -> Option<&Measured> {
        let chosen = self.results.iter().filter(|measured| which(measured.role));
        chosen.min_by(|a, b| a.nanos.total_cmp(&b.nanos))
    }

    fn ours(&self) -> f64 {
        self.fastest(|role| role == Role::Ours)
            .map_or(f64::NAN, |measured| measured.nanos)
    }

    fn peer(&self) -> Option<&Measured> {
        self.fastest(|role| role.is_peer(false))
    }

    /// The fastest peer that checks as much as libdv does.
    fn checked_peer(&self) -> Option<&Measured> {
        self.fastest(|role| role.is_peer(true))
    }

    fn limit(&self) -> Option<&Measured> {
        self.fastest(|role| role == Role::Limit)
    }

    fn json(&self) -> Value {
        let result = |measured: &Measured| {
            let (role, checked) = match measured.role {
                Role::Ours => ("libdv", true),
                Role::Variant => ("variant", true),
                Role::Peer(_) => ("peer", measured.role.is_peer(true)),
                Role::Limit => ("memory", false),
                Role::Floor => ("floor", false),
            };
            json!({ "name": measured.title(), "role": role, "checked": checked, "ns": measured.nanos })
        };
        json!({
            "label": self.label,
            "positions": self.positions,
            "bytes": self.bytes,
            "results": self.results.iter().map(result).collect::<Vec<_>>(),
        })
    }
}

pub struct Table {
    pub task: &'static str,
    pub title: &'static str,
    pub cells: Vec<Cell>,
}

impl Table {
    /// Prints the table; `all` adds one line per contestant.
    pub fn print(&self, all: bool) {
        println!("\n## {}: {}\n", self.task, self.title);
        println!(
            "| cell | positions | bytes | libdv | memory | x memory | best peer | its name | ratio | ratio, validated |"
        );
        println!("|---|--:|--:|--:|--:|--:|--:|---|--:|--:|");
        for cell in &self.cells {
            let ours = cell.ours();
            let (memory, over) = cell.limit().map_or(("".into(), "".into()), |limit| {
                (time(limit.nanos), format!("{:.1}", ours / limit.nanos))
            });
            let (peer, name, ratio) = cell.peer().map_or(("".into(), String::new(), "".into()), |peer| {
                (time(peer.nanos), peer.title(), format!("{:.2}", peer.nanos / ours))
            });
            let checked = cell
                .checked_peer()
                .map_or("".into(), |peer| format!("{:.2}", peer.nanos / ours));
            println!(
                "| {} | {} | {} | {} | {memory} | {over} | {peer} | {name} | {ratio} | {checked} |",
                cell.label,
                cell.positions,
                cell.bytes,
                time(ours)
            );
        }
        self.print_means();
        if all {
            self.print_all();
        }
    }

    fn print_means(&self) {
        let mean = |of: &dyn Fn(&Cell) -> Option<f64>| {
            let ratios: Vec<f64> = self.cells.iter().filter_map(of).collect();
            geometric_mean(&ratios).zip(ratios.iter().copied().reduce(f64::min))
        };
        if let Some((mean, worst)) = mean(&|cell| Some(cell.peer()?.nanos / cell.ours())) {
            println!("\ngeometric mean of the ratios: {mean:.2}, worst {worst:.2}");
        }
        if let Some((mean, worst)) = mean(&|cell| Some(cell.checked_peer()?.nanos / cell.ours())) {
            println!("against peers that validate:  {mean:.2}, worst {worst:.2}");
        }
    }

    fn print_all(&self) {
        for cell in &self.cells {
            println!("\n{} {}", self.task, cell.label);
            for measured in &cell.results {
                println!(
                    "    {:<48}{:>12}{:>9.2}",
                    measured.title(),
                    time(measured.nanos),
                    measured.nanos / cell.ours()
                );
            }
        }
    }

    pub fn json(&self) -> Value {
        let cells: Vec<Value> = self.cells.iter().map(Cell::json).collect();
        json!({ "task": self.task, "title": self.title, "cells": cells })
    }
}

pub fn print_costs(costs: &[Cost]) {
    println!("\n## Costs\n\n| what | value | unit | target |\n|---|--:|---|--:|");
    for cost in costs {
        println!(
            "| {} | {:.2} | {} | {} |",
            cost.name, cost.value, cost.unit, cost.target
        );
    }
}

pub fn costs_json(costs: &[Cost]) -> Value {
    let cost =
        |cost: &Cost| json!({ "name": cost.name, "value": cost.value, "unit": cost.unit, "target": cost.target });
    costs.iter().map(cost).collect()
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logs: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logs / values.len() as f64).exp())
}

/// A time in the unit that suits it.
fn time(nanos: f64) -> String {
    match nanos {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.2} us", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
