//! MPI jobs on this machine, and their ranks as processes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;

use crate::process::{Running, heeding, piped, wait_until, worked};

/// The network between the ranks of a job.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Network {
    /// Shared memory.
    Memory,
    /// TCP over the loopback device.
    Tcp,
    /// TCP between two nodes, which are this machine under two names.
    Nodes,
}

/// TCP alone, over the loopback device.
const TCP: &str = "--mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo";

/// A job of MPI.
pub(crate) struct Job {
    pub(crate) ranks: usize,
    pub(crate) network: Network,
    /// Options of `mpirun`.
    pub(crate) options: &'static str,
}

impl Job {
    pub(crate) fn of(ranks: usize) -> Job {
        Job { ranks, network: Network::Memory, options: "" }
    }

    /// The command that runs `boughs` with these words.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = heeding("mpirun");
        // Tests run as root in containers.
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        // A rank is a process for a core, and there are fewer cores here.
        command.args(["-n", &self.ranks.to_string(), "--oversubscribe", "--bind-to", "none"]);
        match self.network {
            Network::Memory => {}
            Network::Tcp => _ = command.args(TCP.split(' ')),
            Network::Nodes => {
                let half = self.ranks / 2;
                let hosts = format!("nodea:{half},nodeb:{half}");
                let shell = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mpi/other-node");
                command.args(TCP.split(' ')).args(["--host", &hosts, "--mca", "plm_rsh_agent", shell]);
            }
        }
        command.args(self.options.split_whitespace()).arg(env!("CARGO_BIN_EXE_boughs")).args(words.split(' '));
        piped(&mut command);
        command
    }

    /// Runs a job to its end.
    pub(crate) fn output(&self, words: &str) -> Output {
        Running::start(&mut self.command(words)).finish()
    }

    /// Runs a job with this input.
    pub(crate) fn with_input(&self, words: &str, input: &str) -> Output {
        let mut job = Running::start(&mut self.command(words));
        job.write(input);
        job.finish()
    }

    /// Runs a job that prints JSON.
    pub(crate) fn json(&self, words: &str) -> Value {
        let output = self.output(words);
        assert!(output.status.success(), "{words}: {}", told(&output));
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", told(&output)))
    }

    /// Starts a job and waits until all its ranks search. The seed of its search tells its processes from others.
    pub(crate) fn start(&self, words: &str, seed: u64) -> Running {
        let job = Running::start(&mut self.command(&format!("{words} --seed {seed}")));
        for rank in 0..self.ranks {
            let searches = || rank_process(seed, rank).is_some_and(|process| has_searched(&process));
            wait_until(&format!("rank {rank} searches"), searches);
        }
        job
    }
}

/// Standard output and standard error.
pub(crate) fn told(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The process of a rank of the job with this seed.
pub(crate) fn rank_process(seed: u64, rank: usize) -> Option<String> {
    let number = format!("OMPI_COMM_WORLD_RANK={rank}");
    let seed = format!("\0--seed\0{seed}\0");
    let is_it = |process: &Path| {
        let read = |file: &str| fs::read(process.join(file)).unwrap_or_default();
        let environment = read("environ");
        environment.split(|&byte| byte == 0).any(|word| word == number.as_bytes())
            && String::from_utf8_lossy(&read("cmdline")).contains(&seed)
            && fs::read_link(process.join("exe")).is_ok_and(|exe| exe == Path::new(env!("CARGO_BIN_EXE_boughs")))
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let found = processes.into_iter().find(|process| is_it(process))?;
    Some(found.file_name()?.to_string_lossy().into_owned())
}

/// Returns true if a process has worked for a quarter of a second, which it does in a search alone.
fn has_searched(process: &str) -> bool {
    worked(Path::new(&format!("/proc/{process}/stat"))) > Some(Duration::from_millis(250))
}

/// Sends a signal to a process.
pub(crate) fn signal(name: &str, process: &str) {
    assert!(Command::new("kill").args([name, process]).status().unwrap().success());
}
