//! What the numbers were measured on and with.

use libdv_abi::Library;
use serde_json::{Value, json};

/// The versions of the peers, as locked.
const LOCK: &str = include_str!("../Cargo.lock");

pub fn describe(library: &Library) -> Value {
    json!({
        "cpu": cpu().unwrap_or_else(|| "unknown".into()),
        "cores": std::thread::available_parallelism().map_or(0, |cores| cores.get()),
        "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        "versions": {
            "libdv": library.version(),
            "croaring-sys": locked("croaring-sys"),
            "roaring": locked("roaring"),
            "crc32fast": locked("crc32fast"),
        },
    })
}

fn cpu() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    let model = field("model name")?;
    Some(format!(
        "{model} (family {}, model {})",
        field("cpu family")?,
        field("model\t")?
    ))
}

/// The version of a crate in the lock file.
fn locked(name: &str) -> String {
    let line = format!("name = \"{name}\"");
    let mut lines = LOCK.lines().skip_while(|&found| found != line);
    let version = lines.find_map(|line| line.strip_prefix("version = \""));
    version.map_or_else(|| "unknown".into(), |version| version.trim_end_matches('"').to_owned())
}
