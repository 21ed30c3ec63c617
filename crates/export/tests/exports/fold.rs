//! Sources with settings that are fixed: what one value decides goes, and what may change stays.

use boughs_export::{Judge, Learned, prune};

use crate::common::{printed, pruned};

/// A search with settings: `MAIN` makes them and `CHANGE` may change them.
const SEARCH: &str = r#"
    use std::hint::black_box;
    #[derive(Clone, Copy, PartialEq)]
    enum Tree { Auto, Plain, Open }
    #[derive(Clone)]
    struct Settings { tree: Tree, threads: usize, loss: Option<u32>, solver: bool }
    impl Default for Settings {
        fn default() -> Settings { Settings { tree: Tree::Auto, threads: 1, loss: Some(2), solver: false } }
    }
    struct Search { settings: Settings, tree: Tree, visits: Vec<u32>, seconds: f64 }
    impl Search {
        fn new(settings: Settings) -> Result<Search, String> {
            let tree = match settings.tree { Tree::Auto => Tree::Plain, tree => tree };
            if settings.threads == 0 { return Err(no_threads()); }
            Ok(Search { settings, tree, visits: Vec::new(), seconds: 0.0 })
        }
        fn run(&mut self, playouts: u32) -> u32 {
            self.seconds = f64::from(playouts) / 7.0;
            for playout in 0..playouts {
                let visits = match self.tree {
                    Tree::Plain => plain(playout),
                    Tree::Open if playout > 1 => open(),
                    _ => auto(),
                };
                self.visits.push(visits);
            }
            let loss = match self.settings.loss {
                Some(loss) if loss > 1 => heavy_loss(loss),
                Some(loss) => loss,
                None => 0,
            };
            let Tree::Plain = self.tree else { return open() };
            let solves = self.settings.solver && self.visits.len() > 2 || self.settings.threads > 8;
            if solves { return solve(&self.visits); }
            loss + self.visits.iter().sum::<u32>()
        }
    }
    fn no_threads() -> String { "none".to_string() }
    fn plain(playout: u32) -> u32 { playout + 1 }
    fn open() -> u32 { black_box(1000) }
    fn auto() -> u32 { black_box(2000) }
    fn heavy_loss(loss: u32) -> u32 { 100 * loss }
    fn solve(visits: &[u32]) -> u32 { 5000 + visits[0] }
    fn change(settings: &mut Settings) { _ = &settings; CHANGE }
    fn main() {
        let mut settings = MAIN;
        if black_box(true) { change(&mut settings); }
        println!("{:?}", Search::new(settings).map(|mut search| search.run(black_box(3))));
    }
"#;

fn search(main: &str, change: &str) -> String {
    pruned(&SEARCH.replace("MAIN", main).replace("CHANGE", change))
}

#[test]
fn settings_of_one_value_decide_before_the_program_runs() {
    let text = search("Settings { solver: false, loss: Some(1), ..Settings::default() }", "");
    for gone in ["auto", "open", "solve", "no_threads", "heavy_loss", "Auto", "Open", "threads", "seconds", "Default"] {
        assert!(!text.contains(gone), "{gone} is still there: {text}");
    }
}

#[test]
fn a_setting_that_may_change_stays() {
    let main = "Settings { loss: Some(1), ..Settings::default() }";
    for change in [
        "settings.solver = true;",
        "let solver = &mut settings.solver; *solver = !*solver;",
        "let Settings { solver, .. } = settings; *solver = true;",
        "(settings.solver, settings.tree) = (true, Tree::Plain);",
        "std::mem::swap(&mut settings.solver, &mut true);",
        "let all = [settings]; all.into_iter().for_each(|settings| settings.solver = true);",
        "*settings = Settings { solver: true, ..settings.clone() };",
        "let set = |value: &mut bool| *value = true; set(&mut settings.solver);",
        "settings.solver |= true;",
    ] {
        let text = search(main, change);
        assert!(text.contains("solve"), "{change}: {text}");
        assert!(!text.contains("no_threads"), "{change}: {text}");
    }
}

#[test]
fn other_values_decide_otherwise() {
    let text = search("Settings { tree: Tree::Open, ..Settings::default() }", "");
    assert!(text.contains("fn open") && !text.contains("plain"), "{text}");
    let text = search("Settings { threads: 0, ..Settings::default() }", "");
    assert!(text.contains("no_threads") && !text.contains("solve"), "{text}");
    let text = search("Settings { threads: black_box(9), ..Settings::default() }", "");
    assert!(text.contains("no_threads") && text.contains("solve"), "{text}");
}

#[test]
fn constants_of_traits_count_for_all_their_types() {
    let source = |second: &str| {
        r#"
        trait Game { const HALVES: bool = true; fn size(&self) -> u32; }
        struct Nim; struct Hex;
        impl Game for Nim { fn size(&self) -> u32 { 2 } }
        impl Game for Hex { SECOND fn size(&self) -> u32 { 3 } }
        fn halves() -> u32 { std::hint::black_box(10) }
        fn wholes() -> u32 { std::hint::black_box(20) }
        fn value<G: Game>(game: &G) -> u32 { game.size() + if G::HALVES { halves() } else { wholes() } }
        fn main() { println!("{} {}", value(&Nim), value(&Hex)); }
        "#
        .replace("SECOND", second)
    };
    assert!(!pruned(&source("")).contains("wholes"));
    assert!(pruned(&source("const HALVES: bool = false;")).contains("wholes"));
}

#[test]
fn the_effects_of_values_without_readers_stay() {
    let text = pruned(
        r#"
        struct Report { best: u32, lines: u32, depth: u32 }
        fn tell() -> u32 { println!("told"); 7 }
        fn deep(most: u32) -> u32 { most * 2 }
        fn report(best: u32) -> Report {
            let mut report = Report { best, lines: tell(), depth: 0 };
            report.depth = deep(best);
            report
        }
        fn main() { println!("{}", report(std::hint::black_box(4)).best); }
        "#,
    );
    assert!(text.contains("tell") && !text.contains("lines") && !text.contains("deep"), "{text}");
}

#[test]
fn text_that_is_read_back_stays_where_it_is_used() {
    let source = |main: &str| {
        r#"
        #[derive(Clone, Default)]
        struct Settings { solver: bool }
        impl std::fmt::Display for Settings {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { write!(f, "solver={}", self.solver) }
        }
        impl std::str::FromStr for Settings {
            type Err = String;
            fn from_str(text: &str) -> Result<Settings, String> {
                let mut settings = Settings { solver: false };
                settings.solver = text == "solver=true";
                Ok(settings)
            }
        }
        fn solve() -> u32 { std::hint::black_box(5) }
        fn run(settings: &Settings) -> u32 { if settings.solver { solve() } else { 1 } }
        fn main() { let settings = MAIN; println!("{}", run(&settings)); }
        "#
        .replace("MAIN", main)
    };
    assert!(!pruned(&source("Settings { solver: false }")).contains("solve()"));
    let read = pruned(&source(r#""solver=true".parse::<Settings>().unwrap_or(Settings { solver: false })"#));
    assert!(read.contains("fn solve"), "{read}");
}

#[test]
fn a_type_is_told_from_one_of_the_standard_library_with_its_name() {
    let text = pruned(
        r#"
        struct Mutex<T>(std::sync::Mutex<T>);
        impl<T> Mutex<T> {
            fn lock(&self) -> std::sync::MutexGuard<'_, T> {
                self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
            }
        }
        struct State { count: Mutex<u32>, stream: u32 }
        fn step(state: &mut State) {
            *state.count.lock() += 1;
            state.stream += 3;
        }
        fn main() {
            let mut state = State { count: Mutex(std::sync::Mutex::new(0)), stream: 0 };
            step(&mut state);
            println!("{} {}", *state.count.lock(), state.stream);
        }
    "#,
    );
    assert!(text.contains("stream"), "{text}");
}

#[test]
fn a_function_that_calls_itself_returns() {
    pruned(
        r#"
        struct Node { next: Option<Box<Node>>, seen: bool }
        fn depth(node: &mut Node) -> u32 {
            node.seen = true;
            match &mut node.next { Some(next) => 1 + depth(next), None => std::hint::black_box(0) }
        }
        fn ends(count: u32) -> u32 { if count > 100 { std::process::exit(0) } ends(std::hint::black_box(count + 50)) }
        fn main() {
            let mut node = Node { next: Some(Box::new(Node { next: None, seen: false })), seen: false };
            let found = depth(&mut node);
            println!("{found} {}", node.seen);
            if std::hint::black_box(false) { println!("{}", ends(1)); }
        }
    "#,
    );
}

#[test]
fn a_method_of_the_standard_library_is_told_from_a_pure_one_with_its_name() {
    pruned(
        r#"
        struct Point(u32);
        impl Point { fn push(&self, by: u32) -> u32 { self.0 + by } }
        fn main() {
            let mut all = Vec::new();
            all.push(7);
            println!("{} {all:?}", Point(all[0]).push(1));
        }
    "#,
    );
}

#[test]
fn an_arm_that_no_value_reaches_goes() {
    let text = pruned(
        r#"
        #[derive(Clone, Copy)]
        enum Layout { Narrow, Wide }
        fn of(layout: Layout, place: Option<u32>) -> u32 {
            match (layout, place) {
                (Layout::Narrow, Some(at)) => at,
                (Layout::Narrow, None) => 7,
                (Layout::Wide, Some(9)) | (Layout::Wide, None) => 5,
                _ => wide(),
            }
        }
        fn wide() -> u32 { 1 }
        fn main() {
            for place in std::hint::black_box([None, Some(3)]) { println!("{}", of(Layout::Narrow, place)); }
        }
    "#,
    );
    assert!(!text.contains("wide()"), "{text}");
}

#[test]
fn a_field_that_changes_after_its_struct_was_made_has_no_fixed_value() {
    pruned(
        r#"
        struct State { stream: u32, visits: u32 }
        struct Core { state: State }
        struct Shared { stream: u32 }
        struct Search { core: Core }
        fn state() -> Result<State, String> { Ok(State { stream: 0, visits: 1 }) }
        fn core() -> Result<Core, String> { let state = state()?; Ok(Core { state }) }
        impl State {
            fn share(&self) -> Shared { Shared { stream: self.stream } }
            fn learn(&mut self, shared: &Shared) { self.stream = shared.stream + std::hint::black_box(3); }
        }
        impl Core {
            fn run(&mut self) -> u32 {
                let shared = self.state.share();
                self.state.learn(&shared);
                shared.stream * 10 + self.state.visits
            }
        }
        fn main() {
            let core = core().unwrap();
            let mut search = Search { core };
            for _ in 0..3 { println!("{}", search.core.run()); }
        }
    "#,
    );
}

#[test]
fn a_field_stays_while_a_parameter_of_its_struct_needs_it() {
    let text = pruned(
        r#"
        struct Lines<'w> { words: &'w [u32], narrow: usize }
        impl<'w> Lines<'w> {
            fn of(words: &'w [u32]) -> Lines<'w> { Lines { words, narrow: words.len() } }
            fn first(&self) -> u32 { self.words[0] }
        }
        fn main() {
            let words = vec![std::hint::black_box(5)];
            let lines = Lines::of(&words);
            println!("{}", lines.narrow);
            if false { println!("{}", lines.first()); }
        }
    "#,
    );
    assert!(!text.contains("first"), "{text}");
}

#[test]
fn a_field_that_is_not_read_and_that_a_parameter_needs_leaves_no_warning() {
    let text = pruned(
        r#"
        trait Judge<G> { fn value(&self, game: &G) -> u32; }
        struct Evaluation<G> { judge: Box<dyn Judge<G>> }
        impl<G: Copy> Evaluation<G> {
            fn of(game: &G, asked: bool) -> Result<Option<Evaluation<G>>, String> {
                if std::mem::size_of_val(game) == 0 { return Err(String::new()); }
                if asked { println!("asked"); }
                Ok(None)
            }
        }
        struct Search<G> { game: G, evaluation: Option<Evaluation<G>> }
        fn search<G: Copy>(game: G) -> Result<Search<G>, String> {
            let evaluation = Evaluation::of(&game, std::env::args().count() > 9)?;
            Ok(Search { game, evaluation })
        }
        fn main() {
            let search = search(5).unwrap();
            if false { println!("{}", search.evaluation.map_or(0, |it| it.judge.value(&search.game))); }
            println!("{}", search.game);
        }
        "#,
    );
    printed(&text, &["--edition", "2024"]);
}

#[test]
fn a_branch_that_ends_without_a_value_stands_before_other_statements() {
    pruned(
        r#"
        trait Sizes { const ARE_EQUAL: bool; }
        struct Equal;
        impl Sizes for Equal { const ARE_EQUAL: bool = true; }
        fn sizes<S: Sizes>(count: usize) -> [usize; 4] {
            let mut sizes = [0; 4];
            if S::ARE_EQUAL { (0..count).for_each(|at| sizes[at] = at + 1) } else { sizes[0] = 7 }
            sizes
        }
        fn main() { println!("{:?}", sizes::<Equal>(std::env::args().count() + 2)); }
        "#,
    );
}

#[test]
fn what_an_operand_hides_is_gone_with_its_fields() {
    pruned(
        r#"
        struct Settings { players: usize, solver: bool }
        fn told(count: usize) -> bool { println!("{count}"); false }
        fn fits(settings: &Settings) -> bool { told(settings.players) && false && !settings.solver }
        fn main() {
            let count = std::env::args().count();
            let fits = fits(&Settings { players: count, solver: count > 3 });
            println!("{fits}");
        }
        "#,
    );
}

#[test]
fn a_function_that_gives_a_type_its_length_stays() {
    pruned(
        r#"
        const fn area(width: usize, height: usize) -> usize { width * height }
        const fn twice(count: usize) -> usize { count * 2 }
        const LENGTH: usize = twice(4);
        struct Row { cells: [u8; LENGTH] }
        struct Board { cells: [u8; area(8, 2)] }
        fn main() {
            let count = std::env::args().count();
            let (row, board) = (Row { cells: [1; LENGTH] }, Board { cells: std::array::from_fn(|_| 1) });
            println!("{} {} {}", area(4, count), row.cells.len(), board.cells.len());
        }
        "#,
    );
}

/// A program whose colours are cast to numbers, of which it never makes the first. `numbers` are those that it writes
/// out.
fn colours(numbers: [&str; 3], cast: &str) -> String {
    let [red, green, blue] = numbers;
    format!(
        "#[derive(Clone, Copy, PartialEq)]\nenum Colour {{ Red{red}, Green{green}, Blue{blue} }}\n
        fn pick(count: usize) -> Colour {{ if count > 5 {{ Colour::Green }} else {{ Colour::Blue }} }}
        fn main() {{
            let colours = [pick(std::env::args().count())];
            println!(\"{{}}\", colours.iter().filter(|&&colour| colour == Colour::Green).count());
            println!(\"{{}}\", {cast});
        }}"
    )
}

#[test]
fn an_enum_whose_numbers_would_change_is_refused_if_it_is_cast() {
    let with_arm = "match colours[0] { Colour::Red => 7, colour => colour as usize }";
    for cast in ["colours[0] as usize", "colours.map(|each| each as u8)[0] as i64", with_arm] {
        let file = syn::parse_file(&colours([""; 3], cast)).expect("a source");
        let error =
            prune::prune(file, Judge::AtCoder.edition(), &mut Learned::default()).err().map(|it| it.to_string());
        let error = error.expect("the numbers would change");
        assert!(error.starts_with("line 2: the enum Colour is cast to a number, as in "), "{error}");
        assert!(error.contains("as usize") || error.contains("each as u8"), "{error}");
        pruned(&colours([" = 4", " = 2", " = 9"], cast));
        pruned(&colours(["", " = 1", ""], cast));
    }
    let text = pruned(&colours([""; 3], "7"));
    assert!(!text.contains("Red"), "{text}");
}

#[test]
fn variants_that_seem_never_made_are_compared_with() {
    pruned(
        r#"
        #[derive(PartialEq)]
        enum Kind { Small, Large }
        type Alias = Kind;
        #[derive(Clone, Copy, PartialEq)]
        enum Size { One, Two }
        impl PartialEq<Size> for u8 { fn eq(&self, other: &Size) -> bool { *self == *other as u8 } }
        #[derive(PartialEq)]
        enum Turn { Player(usize), Chance, Over }
        fn turn(count: usize) -> Turn { if count > 9 { Turn::Over } else { Turn::Player(count) } }
        fn main() {
            let count = std::env::args().count();
            let kind = if count > 0 { Alias::Large } else { Alias::Small };
            let size = if count > 5 { Size::Two } else { Size::One };
            println!("{} {}", kind == Kind::Large, count as u8 == Size::Two || size == Size::One);
            println!("{} {}", turn(count) == Turn::Chance, turn(count) == Turn::Over);
        }
        "#,
    );
}

#[test]
fn a_trait_of_the_standard_library_is_told_from_one_of_the_file_with_its_name() {
    pruned(
        r#"
        use std::collections::HashMap;
        trait Hash { fn zobrist(&self) -> u64; }
        #[derive(PartialEq, Eq)]
        struct Key(u64);
        impl Hash for Key { fn zobrist(&self) -> u64 { self.0 * 3 } }
        impl std::hash::Hash for Key { fn hash<H: std::hash::Hasher>(&self, state: &mut H) { state.write_u64(self.0) } }
        fn main() {
            let count = std::env::args().count() as u64;
            let mut all = HashMap::new();
            all.insert(Key(count), 5);
            println!("{:?} {}", all.get(&Key(1)), Key(count).zobrist());
        }
        "#,
    );
}

#[test]
fn a_method_of_an_own_option_is_no_unwrap_of_the_standard_library() {
    pruned(
        r#"
        enum Maybe { Some(u8), Nothing }
        trait Unwrap { fn unwrap(self) -> u8; }
        impl Unwrap for Maybe {
            fn unwrap(self) -> u8 { match self { Maybe::Some(value) => value + 1, Maybe::Nothing => 0 } }
        }
        fn main() {
            let other = if std::env::args().count() > 3 { Maybe::Nothing } else { Maybe::Some(7) };
            println!("{} {}", Maybe::Some(3).unwrap() == 4, other.unwrap());
        }
        "#,
    );
}

#[test]
fn the_effects_of_an_unread_field_keep_their_turn() {
    pruned(
        r#"
        struct Rng(u64);
        impl Rng { fn next(&mut self) -> u64 { self.0 = self.0 * 7 + 1; self.0 % 100 } }
        struct Node { value: u64, spare: u64, last: u64 }
        impl Node { fn sum(&self) -> u64 { self.value * 1000 + self.last } }
        fn make(rng: &mut Rng) -> Node { Node { value: rng.next(), spare: rng.next(), last: rng.next() } }
        fn main() {
            let mut rng = Rng(std::env::args().count() as u64);
            let node = make(&mut rng);
            println!("{} {}", node.sum(), rng.next());
        }
        "#,
    );
}

#[test]
fn an_atomic_number_that_nothing_stores_has_its_first_value() {
    let text = pruned(
        r#"
        use std::hint::black_box;
        use std::sync::Arc;
        use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
        #[derive(Clone, Default)]
        struct Flag(Arc<Inner>);
        #[derive(Default)]
        struct Inner { raised: AtomicBool, told: AtomicBool }
        impl Flag { fn is_raised(&self) -> bool { self.0.raised.load(Relaxed) } }
        struct Workers { all: AtomicUsize, done: AtomicU32, seen: AtomicU64, given: AtomicU64 }
        fn given(number: &AtomicU64) { number.store(9, Relaxed); }
        fn raised() -> u32 { black_box(1000) }
        fn none() -> u32 { black_box(2000) }
        fn main() {
            let flag = Flag::default();
            let workers = Workers { all: AtomicUsize::new(1), done: AtomicU32::new(0), seen: AtomicU64::new(0),
                given: AtomicU64::new(0) };
            let mut sum = 0;
            for _ in 0..3 {
                if flag.is_raised() { sum += raised(); }
                if workers.all.load(Relaxed) == 0 { sum += none(); }
                if flag.0.told.load(Relaxed) { sum += 1; }
                flag.0.told.store(true, Relaxed);
                sum += workers.done.load(Relaxed);
                workers.done.fetch_add(1, Relaxed);
                let Workers { seen, .. } = &workers;
                seen.fetch_add(5, Relaxed);
                sum += workers.seen.load(Relaxed) as u32 + workers.given.load(Relaxed) as u32;
                given(&workers.given);
            }
            println!("{sum}");
        }
    "#,
    );
    for gone in ["raised", "1000", "2000", "all"] {
        assert!(!text.contains(gone), "{gone} is still there: {text}");
    }
}

#[test]
fn what_nothing_uses_goes_and_its_effects_stay() {
    let text = pruned(
        r#"
        use std::hint::black_box;
        struct Search { warns: bool, warnings: Vec<u32> }
        impl Search {
            fn warn(&mut self, warning: u32) { if self.warns { self.warnings.push(warning); } }
            fn note(&self, warning: u32) { if self.warns { println!("{warning}"); } }
        }
        fn heavy() -> u32 { 1000 }
        fn said(number: u32) -> u32 { println!("{number}"); number }
        fn kind(number: u32) -> (u32, bool) { (said(number), true) }
        fn main() {
            let mut search = Search { warns: false, warnings: Vec::new() };
            for number in 0..black_box(3) {
                search.note(7);
                search.warn(8);
                let (_, one, _) = (heavy(), said(number), heavy());
                let (_, _) = (said(20), heavy());
                let (_, _) = kind(5);
                match number { 0 => {} 1 => search.note(9), _ => search.note(11) }
                if number == 2 {}
                if said(number + 30) == 31 { search.note(3); }
                println!("{one}");
            }
        }
    "#,
    );
    for gone in ["heavy", "note", "warn", "match"] {
        assert!(!text.contains(gone), "{gone} is still there: {text}");
    }
}

#[test]
fn an_atomic_number_that_others_may_store_varies() {
    pruned(
        r#"
        use std::sync::Arc;
        use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
        struct Worker<'a> { limit: &'a AtomicU64 }
        impl Worker<'_> { fn is_open(&self, number: u64) -> bool { number < self.limit.load(Relaxed) } }
        struct Shared { stop: AtomicBool, kept: Arc<AtomicU64> }
        fn search(stop: &AtomicBool) -> u64 { if stop.load(Relaxed) { 1 } else { 2 } }
        fn main() {
            let (stop, limit) = (AtomicBool::new(false), AtomicU64::new(0));
            println!("{}", search(&stop));
            let worker = Worker { limit: &limit };
            limit.store(9, Relaxed);
            println!("{}", worker.is_open(3));
            stop.store(true, Relaxed);
            println!("{}", search(&stop));
            let kept = Arc::new(AtomicU64::new(0));
            let shared = Shared { stop, kept: kept.clone() };
            kept.store(7, Relaxed);
            println!("{} {}", shared.stop.load(Relaxed), shared.kept.load(Relaxed));
        }
    "#,
    );
}

#[test]
fn a_default_number_that_a_method_changes_has_no_fixed_value() {
    pruned(
        r#"
        trait Chmax { fn chmax(&mut self, value: Self); }
        impl Chmax for u32 { fn chmax(&mut self, value: u32) { if *self < value { *self = value } } }
        #[derive(Default)] struct Best { score: u32 }
        #[derive(Default)] struct Unit { hp: u32, moved: bool }
        #[derive(Default)] struct Army { hero: Option<Unit> }
        impl Army {
            fn heal(&mut self) { if let Some(Unit { hp, moved }) = &mut self.hero { *hp += 1; *moved = true; } }
        }
        fn main() {
            let mut best = Best::default();
            best.score.chmax(std::hint::black_box(7));
            let mut army = Army::default();
            army.heal();
            army.hero = Some(Unit::default());
            army.heal();
            println!("{} {:?}", best.score, army.hero.map(|unit| (unit.hp, unit.moved)));
        }
    "#,
    );
}

#[test]
fn calls_that_act_through_what_they_are_given_stay() {
    pruned(
        r#"
        use std::cell::Cell;
        use std::hint::black_box;
        use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
        struct Log { last: Cell<u32>, first: Option<u32> }
        impl Log {
            fn note(&self, number: u32) -> u32 { self.last.replace(number) }
            fn taken(&mut self) -> Option<u32> { self.first.take() }
        }
        struct Board { cells: [u32; 3] }
        struct Move<'a> { board: &'a mut Board }
        impl Move<'_> { fn play(self, at: usize) { self.board.cells[at] = 1 } }
        struct Guard;
        impl Guard { fn release(self) {} }
        impl Drop for Guard { fn drop(&mut self) { println!("released"); } }
        fn around(center: u32, mut see: impl FnMut(u32)) { see(center - 1); see(center + 1) }
        fn sum_around(center: u32, mut see: impl FnMut(u32)) -> u32 { see(center); center }
        fn show(number: u32) { println!("{number}") }
        fn count(seen: Option<&mut u32>) -> u32 { if let Some(seen) = seen { *seen += 1; } 3 }
        fn wait(ready: &AtomicBool) { while !ready.load(Relaxed) {} }
        fn main() {
            let (mut total, mut seen) = (black_box(0), black_box(0));
            let add = |number: u32| total += number;
            around(5, add);
            let mut twice = |number: u32| total += 2 * number;
            sum_around(7, &mut twice);
            around(9, show);
            [black_box(1), 2].iter().copied().for_each(show);
            let mut log = Log { last: Cell::new(1), first: Some(black_box(4)) };
            log.note(black_box(7));
            log.taken();
            let mut board = Board { cells: [0; 3] };
            Move { board: &mut board }.play(black_box(2));
            count(Some(&mut seen));
            let ready = AtomicBool::new(false);
            std::thread::scope(|scope| {
                let handle = scope.spawn(|| ready.store(true, Relaxed));
                wait(&ready);
                handle.join().unwrap();
            });
            let mut numbers = [black_box(1), 2, 3].into_iter();
            numbers.nth(1);
            let guard = Guard;
            guard.release();
            println!("{total} {seen} {} {:?} {:?} {:?}", log.last.get(), log.first, board.cells, numbers.next());
        }
    "#,
    );
}

#[test]
fn a_method_of_a_trait_object_has_the_value_that_all_implementations_give() {
    let source = r#"
        use std::hint::black_box;
        trait Guess { fn knows(&self) -> bool { false } fn value(&self) -> u32; }
        struct One;
        impl Guess for One { fn knows(&self) -> bool { true } fn value(&self) -> u32 { black_box(1) } }
        struct Two;
        impl Guess for Two { OF_TWO fn value(&self) -> u32 { black_box(2) } }
        fn unknown() -> u32 { black_box(3000) }
        fn value(guess: &dyn Guess) -> u32 { if guess.knows() { guess.value() } else { unknown() } }
        fn main() {
            let guesses: [Box<dyn Guess>; 2] = [Box::new(One), Box::new(Two)];
            for guess in &guesses { println!("{}", value(&**guess)); }
        }
    "#;
    let text = pruned(&source.replace("OF_TWO", "fn knows(&self) -> bool { true }"));
    assert!(!text.contains("unknown"), "{text}");
    for differs in
        ["", "fn knows(&self) -> bool { black_box(true) }", "fn knows(&self) -> bool { return black_box(false); }"]
    {
        let text = pruned(&source.replace("OF_TWO", differs));
        assert!(text.contains("unknown"), "{differs}: {text}");
    }
}

#[test]
fn a_call_on_a_value_of_a_known_type_reaches_no_method_of_another_type() {
    let source = r#"
        use std::hint::black_box;
        struct Settings { threads: u32 }
        trait Build { fn build(&self) -> u32; }
        struct Own(u32);
        impl Build for Own { fn build(&self) -> u32 { black_box(self.0) } }
        struct Other;
        impl Build for Other { fn build(&self) -> u32 { changed(&mut Settings { threads: 1 }) } }
        fn changed(settings: &mut Settings) -> u32 { settings.threads = black_box(2); many(settings) }
        fn many(settings: &Settings) -> u32 { if settings.threads > 1 { black_box(4000) } else { 1 } }
        fn main() {
            let own = Own(7);
            println!("{} {}", own.build(), many(&Settings { threads: 1 }));
            MORE
        }
    "#;
    let text = pruned(&source.replace("MORE", ""));
    assert!(!text.contains("4000"), "{text}");
    let any = r#"
        let all: [Box<dyn Build>; 2] = [Box::new(Own(1)), Box::new(Other)];
        for one in &all { println!("{}", one.build()); }
    "#;
    let text = pruned(&source.replace("MORE", any));
    assert!(text.contains("4000"), "{text}");
}

#[test]
fn a_constant_of_self_in_a_trait_is_none_of_the_file() {
    // The two types have different values, so none is put in, and that of the file has another type.
    let text = pruned(
        r#"
        use std::hint::black_box;
        const NONE: u32 = 7;
        trait Points: Copy + PartialEq { const NONE: Self; fn is_empty(self) -> bool { self == Self::NONE } }
        impl Points for u64 { const NONE: u64 = 1; }
        impl Points for u8 { const NONE: u8 = 2; }
        fn main() {
            println!("{} {} {}", black_box(1u64).is_empty(), black_box(1u8).is_empty(), black_box(NONE));
        }
    "#,
    );
    assert!(text.contains("Self::NONE"), "{text}");
}
