//! The connection of ranks by MPI.
//!
//! A thread of its own makes all calls of MPI. Every one of them is nonblocking and is asked for again and again, with
//! sleep between, because a blocking call of MPI spins and would take a core from the search. A call that never ends,
//! because a rank is gone, keeps that thread and nothing else, because all who wait for it have a deadline.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use boughs::StopFlag;
use boughs_agents::ranks::{Communicator, Rest};
use boughs_shards::ProgramId;
use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::request::{Request, Scope, scope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator as _, CommunicatorCollectives, Destination, Root, Source};

use super::Link;
use crate::failure::Failure;

/// The pauses between two looks at a call under way.
const SHORTEST_PAUSE: Duration = Duration::from_micros(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(1);

/// The rank 0 gives a sign this often between two searches.
const SIGN: Duration = Duration::from_secs(5);
/// A rank leaves that has no sign for this time.
const SILENCE: Duration = Duration::from_secs(30);
/// The time in which all ranks have to be there.
const START: Duration = Duration::from_secs(60);
/// The time for the end of MPI, and for that of an abandoned search. A rank that is gone would hold up all others.
const END: Duration = Duration::from_secs(5);
/// The time for a farewell to reach the others.
const FAREWELL: Duration = Duration::from_millis(200);
/// The tag of a farewell, and the memory for those to all ranks.
const FAREWELL_TAG: i32 = 7;
/// The exit status of a job whose rank 0 is gone.
const LOST: i32 = 2;
const MEMORY_OF_FAREWELLS: usize = 1 << 20;

/// A job of the thread that calls MPI.
enum Job {
    Sum(Vec<i64>),
    Abandon(Rest),
    Tell(String),
    Listen,
    Rest,
    End,
}

/// The connection.
struct Mpi {
    rank: usize,
    ranks: usize,
    jobs: Sender<Job>,
    sums: Receiver<Vec<i64>>,
    texts: Receiver<String>,
    ended: Receiver<()>,
    /// True while an abandoned search goes on.
    is_busy: Arc<AtomicBool>,
    /// True when this rank ends the job, because another one is gone.
    leaves: Arc<AtomicBool>,
}

/// Joins the MPI job that this process belongs to. Without `mpirun` that is a job of one rank.
pub(super) fn connect() -> Result<Box<dyn Link>, Failure> {
    let (jobs, work) = unbounded();
    let (to_sums, sums) = unbounded();
    let (to_texts, texts) = unbounded();
    let (to_ended, ended) = bounded(1);
    let (to_place, place) = bounded(1);
    let is_busy = Arc::new(AtomicBool::new(false));
    let leaves = Arc::new(AtomicBool::new(false));
    let flags = [is_busy.clone(), leaves.clone()];
    thread::Builder::new().name("mpi".to_string()).spawn(move || {
        // One thread calls MPI, the one that initializes it.
        let Some((mut universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else { return };
        universe.set_buffer_size(MEMORY_OF_FAREWELLS);
        let world = universe.world();
        let [is_busy, leaves] = flags;
        let _ = to_place.send((world.rank() as usize, world.size() as usize));
        Caller { world, work, sums: to_sums, texts: to_texts, is_busy, leaves }.call();
        drop(universe);
        let _ = to_ended.send(());
    })?;
    let deadline = Instant::now() + START;
    // The first call waits for all ranks, and no ranks come if one has died on its way.
    let (rank, ranks) = place.recv_deadline(deadline).map_err(|_| not_there())?;
    let mut link = Mpi { rank, ranks, jobs, sums, texts, ended, is_busy, leaves };
    link.check_programs(deadline)?;
    Ok(Box::new(link))
}

fn not_there() -> Failure {
    let seconds = START.as_secs();
    Failure::new(format!(
        "MPI did not start within {seconds} seconds, because some rank was not there or MPI has failed"
    ))
}

impl Mpi {
    fn send(&self, job: Job) {
        // The thread that takes it lives as long as this.
        let _ = self.jobs.send(job);
    }

    /// Checks that all ranks run the same program.
    fn check_programs(&mut self, deadline: Instant) -> Result<(), Failure> {
        let checksum = u64::from_str_radix(&ProgramId::here().checksum, 16).unwrap_or_default().cast_signed();
        self.start_sum(vec![checksum]);
        match self.wait_for_sum(deadline) {
            Some(sums) if sums == [checksum.wrapping_mul(self.ranks as i64)] => Ok(()),
            Some(_) => Err(Failure::new(
                "the ranks run programs of different sources; build the program from the same sources for all nodes",
            )),
            None => Err(not_there()),
        }
    }
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn start_sum(&mut self, mut numbers: Vec<i64>) {
        // Each rank adds 1, so a sum is complete only if the last number is that of ranks.
        numbers.push(1);
        // Those of abandoned searches.
        self.sums.try_iter().for_each(drop);
        self.send(Job::Sum(numbers));
    }

    fn wait_for_sum(&mut self, until: Instant) -> Option<Vec<i64>> {
        let mut sums = self.sums.recv_deadline(until).ok()?;
        let parts = sums.pop()?;
        (parts == self.ranks as i64).then_some(sums)
    }

    fn abandon(&mut self, mut rest: Rest) {
        rest.numbers.push(1);
        self.is_busy.store(true, Relaxed);
        self.send(Job::Abandon(rest));
    }
}

impl Link for Mpi {
    fn tell(&mut self, text: String) {
        self.send(Job::Tell(text));
    }

    fn listen(&mut self, stop: &StopFlag) -> Option<String> {
        self.send(Job::Listen);
        let mut silent_since = Instant::now();
        while !stop.is_raised() && silent_since.elapsed() < SILENCE {
            match self.texts.recv_timeout(Duration::from_millis(100)) {
                // A sign of the rank 0.
                Ok(text) if text.is_empty() => silent_since = Instant::now(),
                Ok(text) => return Some(text),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
        None
    }

    fn rest(&mut self) {
        self.send(Job::Rest);
    }

    fn is_free(&self) -> bool {
        !self.is_busy.load(Relaxed)
    }

    fn close(mut self: Box<Self>, last: String) {
        let deadline = Instant::now() + END;
        while !self.is_free() && Instant::now() < deadline {
            thread::sleep(LONGEST_PAUSE);
        }
        if self.is_free() {
            if self.rank == 0 {
                self.tell(last);
            }
            self.send(Job::End);
            let _ = self.ended.recv_timeout(END);
        } else {
            self.leaves.store(true, Relaxed);
            // The job ends meanwhile, and this process with it.
            thread::sleep(END);
        }
    }

    fn abort(self: Box<Self>) -> ! {
        self.leaves.store(true, Relaxed);
        thread::sleep(END);
        std::process::exit(LOST)
    }
}

/// The thread that calls MPI.
struct Caller {
    world: SimpleCommunicator,
    work: Receiver<Job>,
    sums: Sender<Vec<i64>>,
    texts: Sender<String>,
    is_busy: Arc<AtomicBool>,
    leaves: Arc<AtomicBool>,
}

impl Caller {
    /// Does all jobs up to the last.
    fn call(&self) {
        let is_first = self.world.rank() == 0;
        // Between two searches the others listen.
        let mut is_between = false;
        // The ranks that said stop in the last sum.
        let mut stops = 0;
        loop {
            let job = match is_between && is_first {
                true => self.work.recv_timeout(SIGN),
                false => self.work.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match job {
                Ok(Job::Sum(numbers)) => {
                    let sums = self.sum(&numbers);
                    stops = sums.first().copied().unwrap_or_default();
                    let _ = self.sums.send(sums);
                }
                Ok(Job::Abandon(rest)) => {
                    rest.take_part(stops, |numbers| self.sum(numbers).first().copied().unwrap_or_default());
                    self.is_busy.store(false, Relaxed);
                }
                Ok(Job::Tell(text)) => {
                    is_between = false;
                    self.broadcast(text.into_bytes());
                }
                Ok(Job::Rest) => is_between = true,
                Ok(Job::Listen) => loop {
                    let text = String::from_utf8_lossy(&self.broadcast(Vec::new())).into_owned();
                    let is_sign = text.is_empty();
                    let _ = self.texts.send(text);
                    if !is_sign {
                        break;
                    }
                },
                Err(RecvTimeoutError::Timeout) => drop(self.broadcast(Vec::new())),
                Ok(Job::End) | Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Adds up numbers of all ranks.
    fn sum(&self, numbers: &[i64]) -> Vec<i64> {
        let mut sums = vec![0; numbers.len()];
        scope(|scope| {
            let sum = SystemOperation::sum();
            self.wait_for(self.world.immediate_all_reduce_into(scope, numbers, &mut sums[..], sum));
        });
        sums
    }

    /// Sends the bytes of the rank 0 to all. Returns them.
    fn broadcast(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let first = self.world.process_at_rank(0);
        let mut length = bytes.len() as u64;
        scope(|scope| self.wait_for(first.immediate_broadcast_into(scope, &mut length)));
        bytes.resize(length as usize, 0);
        if length > 0 {
            scope(|scope| self.wait_for(first.immediate_broadcast_into(scope, &mut bytes[..])));
        }
        bytes
    }

    /// Waits until a call is done. If this rank ends the job meanwhile, it does not return.
    fn wait_for<'a, D: ?Sized, S: Scope<'a>>(&self, request: Request<'a, D, S>) {
        let mut pause = SHORTEST_PAUSE;
        let mut tested = request.test();
        while let Err(request) = tested {
            if self.leaves.load(Relaxed) {
                self.leave();
            }
            if self.world.rank() != 0 && self.world.process_at_rank(0).immediate_probe_with_tag(FAREWELL_TAG).is_some()
            {
                // This rank has nothing that is not told.
                std::process::exit(0);
            }
            thread::sleep(pause);
            pause = (2 * pause).min(LONGEST_PAUSE);
            tested = request.test();
        }
    }

    /// Ends the job. The rank 0 has given its answer.
    fn leave(&self) -> ! {
        if self.world.rank() != 0 {
            self.world.abort(LOST);
        }
        for rank in 1..self.world.size() {
            self.world.process_at_rank(rank).buffered_send_with_tag(&1u8, FAREWELL_TAG);
        }
        thread::sleep(FAREWELL);
        // A rank that hangs hears no farewell, and mpirun would wait for it.
        self.world.abort(0)
    }
}
