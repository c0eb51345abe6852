//! The command line.

use crate::measure::Effort;

pub struct Options {
    tasks: Vec<String>,
    cells: Vec<String>,
    pub effort: Effort,
    pub all: bool,
    pub growth: bool,
    pub rows: i64,
    pub json: Option<String>,
}

pub const USAGE: &str = "usage: libdv-bench [--task T1,T2,...,costs] [--cell 1%,all,...] [--quick] [--all] [--growth]
                   [--rows N] [--json FILE]

  --task    the tasks to run: T1 T2 T3 T3u T4 T5 T6 T7 T8 costs (default: all)
  --cell    the cells of T1 to T4 to run, by label: 0.01% 0.1% 1% 5% 10% 50% clustered all
  --quick   short runs: good for a look, not for a claim
  --all     print every contestant, not the best alone
  --growth  with the costs, the time per row from 10^4 to 10^8 rows
  --rows    rows of T1 to T4 (default 10000000)
  --json    write the results for bench/render.py to FILE

LIBDV_LIBRARY names the library; default build/libdv.so of this source tree.";

impl Options {
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            tasks: Vec::new(),
            cells: Vec::new(),
            effort: Effort::FULL,
            all: false,
            growth: false,
            rows: 10_000_000,
            json: None,
        };
        let list = |text: String| text.split(',').map(str::to_owned).collect();
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "--task" => options.tasks = list(value()?),
                "--cell" => options.cells = list(value()?),
                "--quick" => options.effort = Effort::QUICK,
                "--all" => options.all = true,
                "--growth" => options.growth = true,
                "--rows" => options.rows = value()?.parse().map_err(|_| "--rows needs a number".to_owned())?,
                "--json" => options.json = Some(value()?),
                _ => return Err(format!("unknown option {argument}")),
            }
        }
        Ok(options)
    }

    pub fn wants(&self, task: &str) -> bool {
        self.tasks.is_empty() || self.tasks.iter().any(|wanted| wanted.eq_ignore_ascii_case(task))
    }

    pub fn wants_cell(&self, label: &str) -> bool {
        self.cells.is_empty() || self.cells.iter().any(|wanted| wanted == label)
    }
}
