//! Tests of the engine, most of them with a searcher that only notes what it is asked for.

use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};

use super::*;
use crate::board::Position;
use crate::play::BookSettings;
use crate::variants::Standard;

/// The calls that the searchers of an engine received, in order.
type Diary = Arc<Mutex<Vec<String>>>;

/// Records its calls, and ends every search at once.
struct FakeSearcher(Diary);

impl FakeSearcher {
    fn write(&self, entry: String) {
        self.0.lock().unwrap().push(entry);
    }
}

impl Searcher for FakeSearcher {
    fn start(&mut self, job: Job) {
        self.write(format!("search {}", job.position.fen()));
    }

    fn evaluate(&mut self, _: &dyn Game) -> Score {
        Score::ZERO
    }

    fn configure(&mut self, settings: &EngineSettings) -> Vec<Message> {
        self.write(format!("hash {}, constants {:?}", settings.hash, settings.parameters));
        Vec::new()
    }

    fn clear(&mut self) {
        self.write("clear".to_owned());
    }

    fn populate_table(&mut self) {
        self.write("populate".to_owned());
    }
}

/// Takes three seconds to take over settings, on a clock of its own.
struct SlowSearcher {
    clock: Arc<Mutex<Moment>>,
    diary: Diary,
}

impl Searcher for SlowSearcher {
    fn start(&mut self, job: Job) {
        let used = (job.stop.elapsed(), job.stop.soft_share(), job.stop.is_past_hard_limit());
        self.diary.lock().unwrap().push(format!("{used:?}"));
    }

    fn evaluate(&mut self, _: &dyn Game) -> Score {
        Score::ZERO
    }

    fn configure(&mut self, _: &EngineSettings) -> Vec<Message> {
        let mut clock = self.clock.lock().unwrap();
        *clock = *clock + Duration::from_secs(3);
        Vec::new()
    }

    fn clear(&mut self) {}
}

/// A new hash, tables and networks take their time before the search runs: the clock of the game does
/// not stop for them.
#[test]
fn the_time_of_the_preparations_is_part_of_the_move() {
    let (clock, diary) = (Arc::new(Mutex::new(Moment::START)), Diary::default());
    let (read, shared, written) = (Arc::clone(&clock), Arc::clone(&clock), Arc::clone(&diary));
    let new_searcher = move |_| -> Box<dyn Searcher> {
        Box::new(SlowSearcher { clock: Arc::clone(&shared), diary: Arc::clone(&written) })
    };
    let host = Host {
        ratings: None,
        clock: TimeSource::new(move || *read.lock().unwrap()),
        seed: 1,
        limits: LIMITS,
        new_searcher: Box::new(new_searcher),
        built_in_books: false,
        sink: Arc::new(|_| {}),
    };
    let mut engine = Engine::new(VariantId::Standard, EngineSettings::default(), host);
    // The caller, too, has needed some time since the line with the move came in.
    let now = engine.now();
    *clock.lock().unwrap() = Moment::START + Duration::from_secs(1);
    let budget = TimeBudget { soft: Duration::from_secs(8), hard: Duration::from_secs(4) };
    engine.think(Limits::default(), Some(budget), now);
    assert_eq!(*diary.lock().unwrap(), ["(4s, 0.5, true)"]);
}

const LIMITS: ResourceLimits = ResourceLimits { files: false, hash: 8, threads: 1 };

/// An engine that keeps a diary, without built-in books, and the events of its searches.
fn fake_with_events(
    settings: EngineSettings,
    limits: ResourceLimits,
) -> (Engine, Diary, Receiver<SearchEvent>) {
    let diary = Diary::default();
    let shared = Arc::clone(&diary);
    let new_searcher = move |variant: VariantId| -> Box<dyn Searcher> {
        let searcher = FakeSearcher(Arc::clone(&shared));
        searcher.write(format!("new {}", variant.name()));
        Box::new(searcher)
    };
    let (sender, events) = mpsc::channel();
    let host = Host {
        ratings: None,
        clock: TimeSource::still(),
        seed: 1,
        limits,
        new_searcher: Box::new(new_searcher),
        built_in_books: false,
        sink: Arc::new(move |event| sender.send(event).unwrap_or_default()),
    };
    (Engine::new(VariantId::Standard, settings, host), diary, events)
}

fn fake(settings: EngineSettings) -> (Engine, Diary) {
    let (engine, diary, _) = fake_with_events(settings, LIMITS);
    (engine, diary)
}

/// What the engine decides to play.
fn choice(engine: &mut Engine, events: &Receiver<SearchEvent>, limits: Limits) -> Choice {
    engine.think(limits, None, Moment::START);
    loop {
        if let SearchEvent::Finished(_, choice) = events.recv().unwrap() {
            return choice;
        }
    }
}

fn written(diary: &Diary) -> Vec<String> {
    std::mem::take(&mut diary.lock().unwrap())
}

/// What a study has found, a limited search is not to know.
#[test]
fn a_strength_forgets_what_longer_searches_have_found() {
    // It may search more nodes than a study does.
    let settings = EngineSettings { strength: 2840, ..EngineSettings::default() };
    let (mut engine, diary) = fake(settings);
    let mut thinks = |studies: bool| {
        written(&diary);
        if studies {
            let position = engine.game().fork();
            engine.study(&*position, 1, Moment::START);
        }
        engine.think(Limits::default(), None, Moment::START);
        let entries = written(&diary);
        entries.iter().map(|entry| entry.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    thinks(false);
    assert_eq!(thinks(false), ["search"]);
    assert_eq!(thinks(true), ["search", "clear", "search"]);
    assert_eq!(thinks(false), ["search"]);
}

#[test]
fn memory_is_taken_while_the_engine_is_idle() {
    let (mut engine, diary) = fake(EngineSettings::default());
    engine.prepare_fully();
    assert_eq!(written(&diary), ["new normal", "hash 8, constants {}", "populate"]);
}

#[test]
fn pondering_leaves_the_board_alone() {
    let (mut engine, diary) = fake(EngineSettings::default());
    let now = Moment::START;
    let before = engine.game().fen();
    let guess = engine.game().parse_move("e2e4").unwrap();
    assert!(engine.ponder(guess, Limits::default(), now).is_some());
    assert_eq!((engine.game().fen(), engine.game().ply_count()), (before, 0));
    let searched = "search rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(written(&diary).last().map(String::as_str), Some(searched));

    engine.game_mut().play(guess);
    assert!(engine.ponder(guess, Limits::default(), now).is_none(), "not legal any more");
    engine.game_mut().set_board("7k/8/5KQ1/8/8/8/8/8 w - - 0 1").unwrap();
    let mate = engine.game().parse_move("Qg7#").unwrap();
    assert!(engine.ponder(mate, Limits::default(), now).is_none(), "it ends the game");
    engine.change_settings(|settings| settings.stage = Stage::Random);
    let quiet = engine.game().parse_move("Qg5").unwrap();
    assert!(engine.ponder(quiet, Limits::default(), now).is_none(), "nothing is searched");
    assert_eq!(written(&diary), Vec::<String>::new());
}

#[test]
fn the_searcher_of_a_variant_is_kept_until_the_next_search() {
    let (mut engine, diary) = fake(EngineSettings::default());
    engine.set_variant(VariantId::ThreeCheck);
    engine.begin_game(VariantId::Standard);
    engine.set_variant(VariantId::ThreeCheck);
    assert_eq!(written(&diary), ["new normal", "new 3check"]);
    engine.hint(Moment::START);
    engine.set_variant(VariantId::Standard);
    let events = written(&diary);
    assert_eq!(events[0], "hash 8, constants {}");
    assert!(events[1].starts_with("search "), "{events:?}");
    assert_eq!(events[2..], ["new normal"]);
    engine.set_variant(VariantId::ThreeCheck);
    assert_eq!(written(&diary), ["clear"], "what it has found is forgotten");
}

/// With little memory, the table of the last game would leave the next one hardly any.
#[test]
fn no_spare_searcher_is_left_where_another_is_prepared() {
    let (mut engine, _) = fake(EngineSettings::default());
    engine.prepare();
    engine.set_variant(VariantId::ThreeCheck);
    assert!(engine.spare_searcher.is_some());
    engine.prepare_fully();
    assert!(engine.spare_searcher.is_none());
}

#[test]
fn settings_are_applied_once_and_within_the_limits() {
    let (mut engine, diary) = fake(EngineSettings::default());
    assert_eq!(engine.settings().hash, 8);
    engine.prepare();
    engine.prepare();
    engine.change_settings(|settings| settings.hash = 0);
    engine.change_settings(|settings| settings.hash = 9);
    engine.change_settings(|settings| settings.hash = 2);
    assert!(engine.set_parameter("rfp_margin", 90) && !engine.set_parameter("unknown", 1));
    engine.prepare();
    let expected = ["new normal", "hash 8, constants {}", "hash 2, constants {\"rfp_margin\": 90}"];
    assert_eq!(written(&diary), expected);
}

fn eight_choices(engine: &mut Engine, events: &Receiver<SearchEvent>) -> Vec<Option<Move>> {
    (0..8).map(|_| choice(engine, events, Limits::default()).best).collect()
}

#[test]
fn each_game_has_a_random_sequence_of_its_own() {
    let stage = Stage::Random;
    let settings = EngineSettings { stage, seed: 3, ..EngineSettings::default() };
    let (mut engine, _, events) = fake_with_events(settings, LIMITS);
    let first = eight_choices(&mut engine, &events);
    engine.set_variant(VariantId::Standard);
    assert_eq!(eight_choices(&mut engine, &events), first, "the same game again");
    engine.begin_game(VariantId::Standard);
    assert_ne!(eight_choices(&mut engine, &events), first);
}

#[test]
fn start_positions_are_drawn_where_there_are_several() {
    let draw = |variant, seed| {
        let (mut engine, _) = fake(EngineSettings { seed, ..EngineSettings::default() });
        engine.set_variant(variant);
        engine.draw_start_position();
        engine.game().start_fen()
    };
    assert_eq!(draw(VariantId::Chess960, 3), draw(VariantId::Chess960, 3));
    assert_ne!(draw(VariantId::Chess960, 3), draw(VariantId::Chess960, 4));
    assert_eq!(draw(VariantId::Standard, 3), draw(VariantId::Standard, 4));
}

#[test]
fn a_seed_repeats_the_sequence_of_start_positions_not_each_of_them() {
    let draw = || {
        let (mut engine, _) = fake(EngineSettings { seed: 3, ..EngineSettings::default() });
        [(); 3].map(|()| {
            engine.begin_game(VariantId::Chess960);
            engine.draw_start_position();
            engine.game().start_fen()
        })
    };
    let [first, second, third] = draw();
    assert!(first != second && second != third && third != first);
    assert_eq!(draw(), [first, second, third]);
}

#[test]
fn the_engine_finds_a_win_in_one_move() {
    for &variant in VariantId::ALL {
        let file =
            format!("{}/variants/{}/mates.epd", env!("CARGO_MANIFEST_DIR"), variant.folder());
        let mates = std::fs::read_to_string(file).unwrap();
        let fen = mates.lines().find_map(|line| line.strip_suffix(" dm 1;")).unwrap();
        let settings = EngineSettings { hash: 1, ..EngineSettings::default() };
        let (sender, events) = mpsc::channel();
        let sink = Arc::new(move |event| sender.send(event).unwrap_or_default());
        let mut engine = Engine::new(variant, settings, Host::native(LIMITS, sink));
        engine.game_mut().set_board(fen).unwrap();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let choice = choice(&mut engine, &events, limits);
        let moves = choice.score.and_then(Score::moves_to_end);
        assert_eq!(moves, Some(1), "{}", variant.name());
        let best = choice.best.unwrap();
        engine.game_mut().play(best);
        // Where captures are compulsory, the opponent may have to end the game.
        let game = engine.game();
        let ends = |mv: Move| {
            let mut after = game.fork();
            after.play(mv);
            after.outcome().is_some()
        };
        assert!(game.outcome().is_some() || game.legal_moves().into_iter().all(ends), "{best}");
    }
}

/// A file with a book: 1. e4 with weight 3, 1. d4 with weight 1, 1. a3 with weight 0, and 1... e5
/// after 1. e4.
fn book_file() -> tempfile::NamedTempFile {
    let entry = |key, code, weight| book::Entry { key, code, weight, learn: 0 };
    let start = 0x463b_9618_1691_fc9c;
    let entries = [(0x031c, 3), (0x02db, 1), (0x0210, 0)];
    let mut entries = entries.map(|(code, weight)| entry(start, code, weight)).to_vec();
    entries.push(entry(0x823c_9b50_fd11_4196, 0x0d24, 1));
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, book::Book::of_entries(entries).bytes()).unwrap();
    file
}

fn with_book(file: &tempfile::NamedTempFile) -> EngineSettings {
    let file = file.path().to_str().unwrap().to_owned();
    EngineSettings {
        book: BookSettings { file, ..BookSettings::default() },
        ..EngineSettings::default()
    }
}

#[test]
fn moves_of_the_book_are_played_without_a_search() {
    let file = book_file();
    let settings = with_book(&file);
    let (mut engine, diary, events) = fake_with_events(settings, ResourceLimits::OWNER);
    let mut counts = [0_u32; 2];
    for _ in 0..400 {
        let handle = engine.think(Limits::default(), None, Moment::START);
        let Ok(SearchEvent::Book(id, moves)) = events.try_recv() else { panic!("no book") };
        assert_eq!((id, moves.len()), (handle.id(), 3));
        let Ok(SearchEvent::Finished(id, choice)) = events.try_recv() else { panic!("no end") };
        assert_eq!((id, choice.score, choice.depth), (handle.id(), None, 0));
        let best = choice.best.unwrap().to_string();
        counts[usize::from(best == "d2d4")] += 1;
        let ponder = choice.ponder.map(|mv| mv.to_string());
        assert_eq!(ponder.as_deref(), (best == "e2e4").then_some("e7e5"), "{best}");
    }
    assert!(counts[0].abs_diff(300) < 50, "{counts:?}");
    assert!(written(&diary).iter().all(|entry| !entry.starts_with("search")));
}

/// A GUI would let the engine search for an answer that the book has, and the engine would leave the book.
#[test]
fn no_guess_goes_with_a_move_to_whose_reply_the_book_has_an_answer() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut pos = Position::<Standard>::start();
    let mut entries = Vec::new();
    for text in ["e2e4", "e7e5", "g1f3"] {
        let mv = pos.legal_moves().iter().copied().find(|mv| mv.to_string() == text).unwrap();
        let code = book::code(&pos, mv);
        entries.push(book::Entry { key: book::key(&pos).bits(), code, weight: 1, learn: 0 });
        pos = pos.after(mv);
    }
    std::fs::write(&file, book::Book::of_entries(entries).bytes()).unwrap();
    let (mut engine, _, events) = fake_with_events(with_book(&file), ResourceLimits::OWNER);
    for (best, ponder) in [("e2e4", None), ("e7e5", Some("g1f3")), ("g1f3", None)] {
        let choice = choice(&mut engine, &events, Limits::default());
        let text = |mv: Option<Move>| mv.map(|mv| mv.to_string());
        assert_eq!(text(choice.best).as_deref(), Some(best));
        assert_eq!(text(choice.ponder).as_deref(), ponder, "{best}");
        engine.game_mut().play(choice.best.unwrap());
    }
}

#[test]
fn what_is_no_move_of_the_engine_is_searched() {
    let file = book_file();
    let (mut engine, diary) = fake(EngineSettings::default());
    engine.limits.files = true;
    engine.change_settings(|settings| settings.book = with_book(&file).book);
    let now = Moment::START;
    let searches =
        |diary: &Diary| written(diary).iter().filter(|entry| entry.starts_with("search")).count();
    let [e4, d4, a3] = ["e2e4", "d2d4", "a2a3"].map(|mv| engine.game().parse_move(mv).unwrap());
    engine.think(Limits::default(), None, now);
    engine.hint(now);
    assert_eq!(searches(&diary), 0);
    // The book has an answer to 1. e4 and none to 1. d4.
    assert!(engine.ponder(e4, Limits::default(), now).is_none());
    assert_eq!(searches(&diary), 0);
    assert!(engine.ponder(d4, Limits::default(), now).is_some());
    engine.analyze(Limits { infinite: true, ..Limits::default() }, None, now);
    engine.think(Limits { excluded_root_moves: vec![a3], ..Limits::default() }, None, now);
    engine.change_settings(|settings| settings.book.is_used = false);
    engine.think(Limits::default(), None, now);
    assert_eq!(engine.book_moves().len(), 3);
    engine.change_settings(|settings| settings.book.is_used = true);
    engine.set_variant(VariantId::ThreeCheck);
    engine.think(Limits::default(), None, now);
    assert_eq!(searches(&diary), 5);
    engine.set_variant(VariantId::Standard);
    engine.change_settings(|settings| settings.stage = Stage::Pawns);
    engine.think(Limits::default(), None, now);
    assert_eq!(searches(&diary), 0);
}

/// Who asks for a hint or an analysis learns, whatever the stage plays. What a stage plays by chance stays
/// the same.
#[test]
fn hints_and_analyses_search_in_every_stage() {
    let moves = |asks: bool| {
        let settings =
            EngineSettings { stage: Stage::Random, seed: 5, ..EngineSettings::default() };
        let (mut engine, diary, events) = fake_with_events(settings, ResourceLimits::OWNER);
        let mut moves = Vec::new();
        for _ in 0..5 {
            if asks {
                engine.hint(Moment::START);
                engine.analyze(Limits::default(), None, Moment::START);
            }
            let handle = engine.think(Limits::default(), None, Moment::START);
            let thought = events.try_iter().find_map(|event| match event {
                SearchEvent::Finished(id, choice) if id == handle.id() => choice.best,
                _ => None,
            });
            moves.push(thought.expect("a move"));
        }
        let searches = written(&diary).iter().filter(|entry| entry.starts_with("search")).count();
        (moves, searches)
    };
    let (played, none) = moves(false);
    assert_eq!((none, moves(true)), (0, (played, 10)));
}

#[test]
fn a_seed_repeats_the_moves_of_the_book() {
    let file = book_file();
    let play = |seed| -> Vec<Option<Move>> {
        let (sender, events) = mpsc::channel();
        let sink: SearchSink = Arc::new(move |event| sender.send(event).unwrap());
        let settings = EngineSettings { seed, hash: 1, ..with_book(&file) };
        let host = Host::native(ResourceLimits::OWNER, sink);
        let mut engine = Engine::new(VariantId::Standard, settings, host);
        for _ in 0..20 {
            engine.think(Limits::default(), None, Moment::START);
        }
        let best = |event| match event {
            SearchEvent::Finished(_, choice) => Some(choice.best),
            _ => None,
        };
        events.try_iter().filter_map(best).collect()
    };
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}

#[test]
fn a_bad_book_is_told_once_and_the_game_goes_on() {
    let (mut engine, diary, events) = fake_with_events(EngineSettings::default(), LIMITS);
    engine.change_settings(|settings| "no such file".clone_into(&mut settings.book.file));
    assert_eq!(engine.settings().book.file, "", "this engine may not read files");
    engine.limits.files = true;
    assert!(events.try_recv().is_err());
    engine.change_settings(|settings| "no such file".clone_into(&mut settings.book.file));
    let Ok(SearchEvent::Message(Message { severity, text })) = events.try_recv() else {
        panic!("no message")
    };
    assert_eq!(severity, Severity::Problem);
    assert!(text.starts_with("The book cannot be used: no such file: "), "{text}");
    engine.change_settings(|settings| settings.contempt = 5);
    assert!(events.try_recv().is_err(), "told once");
    assert_eq!(engine.book_moves(), []);
    engine.think(Limits::default(), None, Moment::START);
    assert!(written(&diary).last().unwrap().starts_with("search "));
}

#[test]
fn a_book_that_is_written_later_is_read_when_the_settings_come_again() {
    let (mut engine, _, events) = fake_with_events(EngineSettings::default(), LIMITS);
    engine.limits.files = true;
    let folder = tempfile::tempdir().unwrap();
    let later = folder.path().join("later.bin");
    let name = |settings: &mut EngineSettings| {
        later.to_str().unwrap().clone_into(&mut settings.book.file);
    };
    engine.change_settings(name);
    assert!(matches!(events.try_recv(), Ok(SearchEvent::Message(_))));
    std::fs::copy(book_file().path(), &later).unwrap();
    engine.change_settings(name);
    assert!(events.try_recv().is_err() && !engine.book_moves().is_empty());
}

#[test]
fn a_search_that_is_dropped_reports_its_first_move() {
    let (mut engine, _, events) = fake_with_events(EngineSettings::default(), LIMITS);
    let choice = choice(&mut engine, &events, Limits::default());
    assert_eq!(choice.best, engine.game().legal_moves().first().copied());
}

/// Mate in one: a search that is not infinite would end at once.
#[test]
fn an_infinite_search_ends_only_when_its_owner_ends_it() {
    for ends in [SearchHandle::stop, |handle: &SearchHandle| {
        let budget = TimeBudget { soft: Duration::ZERO, hard: Duration::ZERO };
        handle.start_clock(Moment::START, budget);
    }] {
        let (sender, events) = mpsc::channel();
        let sink = Arc::new(move |event| sender.send(event).unwrap_or_default());
        let settings = EngineSettings { hash: 1, ..EngineSettings::default() };
        let host = Host::native(LIMITS, sink);
        let mut engine = Engine::new(VariantId::Standard, settings, host);
        engine.game_mut().set_board("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let limits = Limits { infinite: true, depth: Some(4), ..Limits::default() };
        let handle = engine.think(limits, None, Moment::START);
        while !matches!(events.recv(), Ok(SearchEvent::Progress(_, line)) if line.depth == 4) {}
        // Waits for the running search, so that it has come to its end.
        engine.clear();
        assert!(events.try_recv().is_err() && handle.root_status().is_some());
        ends(&handle);
        let Ok(SearchEvent::Finished(id, choice)) = events.recv() else { panic!("no end") };
        assert_eq!((id, choice.score), (handle.id(), Some(Score::win_in(1))));
        assert!(events.try_recv().is_err());
    }
}
