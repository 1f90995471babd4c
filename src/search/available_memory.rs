//! How much memory the process may still take: what the machine has left, and what the limits of the
//! process and of its control groups leave.
//!
//! Linux hands out more memory than it has, and kills the program when it uses that memory. So the
//! program has to ask before. Imports nothing.

use std::fs;
use std::path::Path;

/// The memory that all but tables and threads needs, in bytes: the stack of the search and small
/// allocations. Under a limit of the address space these may be expensive. The allocator of glibc may
/// take 64 MiB of addresses for one thread, and then a page for each allocation of another thread.
const RESERVE: usize = 24 << 20;

/// The memory that tables and threads may take, in bytes: three quarters of what is left, or
/// all but 24 MiB if that is less. Very large if the system does not report it, and without an operating
/// system.
pub fn available_memory() -> usize {
    if cfg!(feature = "native") { share(memory_left(Path::new("/"))) } else { usize::MAX }
}

/// What tables and threads may take of this much memory, in bytes.
fn share(left: usize) -> usize {
    (left / 4 * 3).min(left.saturating_sub(RESERVE))
}

/// The memory that is left, in bytes, by the files of Linux below `root`; [`usize::MAX`] without
/// these files.
fn memory_left(root: &Path) -> usize {
    let read = |path: &str| fs::read_to_string(root.join(path)).ok();
    let machine = read("proc/meminfo").and_then(|text| field(&text, "MemAvailable:"));
    let status = read("proc/self/status").unwrap_or_default();
    let process = read("proc/self/limits").and_then(|limits| address_space_left(&limits, &status));
    let groups = read("proc/self/cgroup").unwrap_or_default();
    let groups = groups.lines().flat_map(memory_groups).filter_map(|group| group.memory_left(read));
    groups.chain(machine).chain(process).min().unwrap_or(usize::MAX)
}

/// The bytes in a line such as `MemAvailable:  1024 kB`.
fn field(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kibibytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}

/// What the limit of the address space (`ulimit -v`) leaves, in bytes; `None` without a limit.
fn address_space_left(limits: &str, status: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let soft: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(soft.saturating_sub(field(status, "VmSize:")?))
}

/// A folder with the files of a control group.
#[derive(Debug, PartialEq, Eq)]
struct MemoryGroup {
    folder: String,
    files: &'static GroupFiles,
}

/// The names of the files that hold the limit and the usage, and of the line in `memory.stat` that
/// says how much of the usage is cached files, which the system can drop.
#[derive(Debug, PartialEq, Eq)]
struct GroupFiles {
    limit: &'static str,
    usage: &'static str,
    cache: &'static str,
}

const VERSION_1: GroupFiles = GroupFiles {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    cache: "total_inactive_file ",
};

const VERSION_2: GroupFiles =
    GroupFiles { limit: "memory.max", usage: "memory.current", cache: "inactive_file " };

/// The groups that a line of `/proc/self/cgroup` names: the group of the process and all groups above
/// it, since each may have a limit. In a container the group itself is often not visible, and the
/// topmost folder holds the limits of the container.
fn memory_groups(line: &str) -> Vec<MemoryGroup> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { return Vec::new() };
    let (top, files) = match controllers {
        "" => ("sys/fs/cgroup", &VERSION_2),
        _ if controllers.split(',').any(|name| name == "memory") => {
            ("sys/fs/cgroup/memory", &VERSION_1)
        }
        _ => return Vec::new(),
    };
    let path = path.trim_end_matches('/');
    let ends = path.match_indices('/').map(|(end, _)| end).chain([path.len()]);
    ends.map(|end| MemoryGroup { folder: format!("{top}{}", &path[..end]), files }).collect()
}

impl MemoryGroup {
    /// What the limit of the group leaves, in bytes; `None` without a limit.
    fn memory_left(&self, read: impl Fn(&str) -> Option<String>) -> Option<usize> {
        let GroupFiles { limit, usage, cache } = self.files;
        let read = |name: &str| read(&format!("{}/{name}", self.folder));
        let number = |text: String| text.trim().parse::<usize>().ok();
        let limit = number(read(limit)?)?;
        let usage = number(read(usage)?)?;
        let stat = read("memory.stat").unwrap_or_default();
        let cached = stat.lines().find_map(|line| number(line.strip_prefix(cache)?.to_owned()));
        Some(limit.saturating_sub(usage.saturating_sub(cached.unwrap_or(0))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The memory left on a machine with these files.
    fn left(files: &[(&str, &str)]) -> usize {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        memory_left(root.path())
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:       9000 kB\nMemFree:  5 kB\nMemAvailable:    5000 kB\n");

    #[test]
    fn a_reserve_is_kept() {
        let mebibytes = [0, 20, 28, 92, 200, 1000].map(|left| share(left << 20) >> 20);
        assert_eq!(mebibytes, [0, 0, 4, 68, 150, 750]);
    }

    #[test]
    fn without_files_there_is_no_limit() {
        assert_eq!(left(&[]), usize::MAX);
    }

    #[test]
    fn the_machine_limits_the_memory() {
        assert_eq!(left(&[MEMINFO]), 5000 << 10);
    }

    #[test]
    fn the_limit_of_the_address_space_counts() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax cpu time  unlimited  unlimited  seconds\n\
                      Max address space         4096000              unlimited            bytes\n";
        let status = "Name:\ttrebuchet\nVmPeak:\t   3500 kB\nVmSize:\t    3000 kB\n";
        let files = [MEMINFO, ("proc/self/limits", limits), ("proc/self/status", status)];
        assert_eq!(left(&files), 1000 << 10);
        let unlimited = limits.replace("4096000", "unlimited");
        let files = [MEMINFO, ("proc/self/limits", &unlimited), ("proc/self/status", status)];
        assert_eq!(left(&files), 5000 << 10);
    }

    #[test]
    fn a_control_group_of_version_2_counts_with_those_above_it() {
        let group = "sys/fs/cgroup/games/chess";
        let (max, current) = (format!("{group}/memory.max"), format!("{group}/memory.current"));
        let stat = format!("{group}/memory.stat");
        let mut files = vec![
            MEMINFO,
            ("proc/self/cgroup", "0::/games/chess\n"),
            ("sys/fs/cgroup/games/memory.max", "max\n"),
            ("sys/fs/cgroup/games/memory.current", "100\n"),
            (&max, "3000000\n"),
            (&current, "1500000\n"),
            (&stat, "anon 1000000\nactive_file 7\ninactive_file 500000\n"),
        ];
        assert_eq!(left(&files), 2_000_000);
        files[2].1 = "1000100\n";
        assert_eq!(left(&files), 1_000_000);
        files[2].1 = "50\n";
        assert_eq!(left(&files), 0);
    }

    #[test]
    fn a_control_group_of_version_1_counts_also_in_a_container() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "5:cpu,cpuacct:/docker/1f\n4:memory:/docker/1f\n0::/docker/1f\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "2000000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1600000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 600000\n"),
        ];
        assert_eq!(left(&files), 1_000_000);
    }

    #[test]
    fn the_groups_are_those_of_the_memory() {
        let folders =
            |line| memory_groups(line).into_iter().map(|group| group.folder).collect::<Vec<_>>();
        assert_eq!(folders("0::/"), ["sys/fs/cgroup"]);
        assert_eq!(folders("4:memory:/a"), ["sys/fs/cgroup/memory", "sys/fs/cgroup/memory/a"]);
        assert_eq!(folders("3:cpuset:/a"), [""; 0]);
        assert_eq!(folders("nonsense"), [""; 0]);
    }
}
