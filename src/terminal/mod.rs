//! The engine at a terminal: a person types moves as people write them and sees a board.
//!
//! Beside `cecp` and `uci`, above `play`; it knows neither. A program that talks through a pipe never gets
//! here. With a terminal on both ends there are colours, chess symbols and line editing; otherwise
//! everything is plain text.

mod book;
mod chess_clock;
mod coach;
mod endings;
#[cfg(unix)]
mod keyboard;
mod moves;
mod person;
mod puzzle;
mod record;
mod request;
mod screen;
mod style;
mod thinking;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crate::coach::Assessment;
use crate::notation::pgn::PgnGame;
use crate::play::{
    Attempt, Engine, EngineSettings, HintSteps, Host, RatedGame, ResignDrawPolicy, ResourceLimits,
    SearchEvent, SkillLevel, Stage, TimeControl,
};
use crate::skill::LEAST_ELO;
use crate::types::{Color, GameResult, Move, PieceKind};
use crate::variants::VariantId;
use chess_clock::ChessClock;
use person::{Person, PlainPerson};
use request::{Adaptive, Request};
use screen::View;
use style::Style;

/// How the conversation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Quit,
    /// A protocol's first line was typed, which is given here with its end: go on in the protocol.
    Protocol(&'static str),
}

/// Time for each of the engine's moves, until the person says otherwise.
const MOVE_TIME: Duration = Duration::from_secs(2);
/// A program that uses a terminal instead of pipes types its first line at once, within this time in
/// milliseconds. It gets plain text, and can go on in the protocol without losing a line.
#[cfg(unix)]
const PROGRAM_TYPES: u16 = 50;
/// A person's game against the engine.
struct Terminal<'a> {
    engine: Engine,
    /// The events of its searches.
    events: Receiver<SearchEvent>,
    person: &'a mut dyn Person,
    out: &'a mut dyn Write,
    style: Style,
    /// The side at the bottom of the board.
    below: Color,
    move_time: Duration,
    clock: Option<ChessClock>,
    /// The side that the engine plays; `None` if the person moves for both sides.
    engine_side: Option<Color>,
    /// The moves so far, in SAN.
    moves: Vec<String>,
    /// Which of them the engine has played, or a puzzle.
    by_engine: Vec<bool>,
    last_move: Option<Move>,
    /// Judge the person's moves.
    has_coach: bool,
    /// Whether the game counts for an adaptive level. The first move settles the sides.
    rated_game: RatedGame,
    /// With the coach, say when a move of the engine was a mistake.
    tells_mistakes: bool,
    /// The hints of the coach and of puzzles.
    hint_steps: HintSteps,
    /// What the coach has said of the last move that it judged: the position before it as FEN, and the move.
    judged: Option<(String, Move, Assessment)>,
    /// Whether the engine takes a draw that the person offers.
    resign_draw: ResignDrawPolicy,
    /// The puzzle on the board.
    puzzle: Option<Attempt>,
    /// The number of the last puzzle, from 1; 0 before the first.
    puzzle_number: usize,
    /// An end that is not by the rules of the board: resignation, agreement or time.
    declared_end: Option<(GameResult, String)>,
}

/// Talks with the person at standard input, which is a terminal, until they leave. `has_coach` says
/// whether their moves are judged from the start.
///
/// # Errors
/// If the terminal can no longer be read or written.
pub fn run(variant: VariantId, settings: EngineSettings, has_coach: bool) -> io::Result<Exit> {
    let out = &mut io::stdout();
    #[cfg(unix)]
    if io::IsTerminal::is_terminal(out) && !keyboard::has_input(PROGRAM_TYPES) {
        let style = Style::of_terminal(|name| std::env::var(name).ok());
        let mut person = keyboard::Keyboard::new()?;
        return converse(&mut person, out, style, variant, settings, has_coach);
    }
    converse(&mut PlainPerson(io::stdin().lock()), out, Style::PLAIN, variant, settings, has_coach)
}

fn converse(
    person: &mut dyn Person,
    out: &mut dyn Write,
    style: Style,
    variant: VariantId,
    settings: EngineSettings,
    has_coach: bool,
) -> io::Result<Exit> {
    let welcome = screen::welcome(&settings.engine_name());
    let (sender, events) = mpsc::channel();
    let sink = Arc::new(move |event| {
        // The receiver is gone only when the conversation is over.
        let _ = sender.send(event);
    });
    let host = Host::native(ResourceLimits::of_this_machine(), sink);
    let mut engine = Engine::new(variant, settings, host);
    engine.draw_start_position();
    engine.check_ratings();
    let mut terminal = Terminal {
        rated_game: RatedGame::begin(engine.game()),
        engine,
        events,
        person,
        out,
        style,
        below: Color::White,
        move_time: MOVE_TIME,
        clock: None,
        engine_side: Some(Color::Black),
        moves: Vec::new(),
        by_engine: Vec::new(),
        last_move: None,
        has_coach,
        tells_mistakes: true,
        hint_steps: HintSteps::default(),
        judged: None,
        resign_draw: ResignDrawPolicy::default(),
        puzzle: None,
        puzzle_number: 0,
        declared_end: None,
    };
    terminal.out.write_all(welcome.as_bytes())?;
    if style != Style::PLAIN {
        terminal.draw()?;
    }
    loop {
        terminal.show_messages()?;
        let words = terminal.words();
        let Some(line) = terminal.person.read(terminal.out, &words)? else {
            return Ok(Exit::Quit);
        };
        if let Some(ending) = terminal.answer(&line)? {
            return Ok(ending);
        }
    }
}

impl Terminal<'_> {
    fn answer(&mut self, line: &str) -> io::Result<Option<Exit>> {
        let request = Request::parse(line);
        let undoes_nothing = request == Request::Undo && self.moves.is_empty();
        if request.leaves_puzzle() && !undoes_nothing && self.puzzle.take().is_some() {
            writeln!(self.out, "The puzzle ends here.")?;
        }
        if request.needs_time() && self.see_flag() {
            self.is_over()?;
            return Ok(None);
        }
        let asked = request.is_question().then(|| self.engine.now());
        match request {
            Request::Nothing => {}
            Request::Help => {
                self.out.write_all(screen::help(self.person.can_interrupt()).as_bytes())?
            }
            Request::ShowBoard => self.show_board()?,
            Request::Flip => {
                self.below = !self.below;
                self.draw()?;
            }
            Request::New(variant) => {
                let variant = variant.unwrap_or(self.engine.game().variant());
                self.start(variant)?;
            }
            Request::Lesson(variant) => {
                self.start(variant)?;
                self.use_coach(true)?;
            }
            Request::Games => self.out.write_all(screen::games().as_bytes())?,
            Request::Go => {
                self.hand_over(Some(self.engine.game().side_to_move()));
                self.reply()?;
            }
            Request::Side(side) => self.take_side(side)?,
            Request::Both => {
                self.hand_over(None);
                writeln!(self.out, "You move for both sides.")?;
            }
            Request::Undo => self.undo()?,
            Request::Score => self.show_score()?,
            Request::Pgn => write!(self.out, "{}", self.pgn())?,
            Request::Save(file) => self.save(file)?,
            Request::LegalMoves => self.show_legal_moves()?,
            Request::Rules => {
                writeln!(self.out, "{}", screen::rules(self.engine.game().variant()))?;
            }
            Request::Fen => writeln!(self.out, "{}", self.engine.game().fen())?,
            Request::SetBoard(fen) => self.set_board(fen)?,
            Request::Hint => self.hint()?,
            Request::Puzzle(number) => self.set_puzzle(number)?,
            Request::Solution => self.show_solution()?,
            Request::UseCoach(is_used) => self.use_coach(is_used)?,
            Request::TellMistakes(is_wanted) => self.tell_mistakes(is_wanted)?,
            Request::Explain => self.explain()?,
            Request::ShowBetter => self.show_better()?,
            Request::ShowPunishment => self.show_punishment()?,
            Request::ShowHeat { is_whole_game } => self.show_heat(is_whole_game)?,
            Request::ShowBook => self.show_book()?,
            Request::UseBook(is_used) => self.use_book(is_used)?,
            Request::OpenBook(file) => self.open_book(file)?,
            Request::Evaluate => self.show_evaluation()?,
            Request::Time(time) => self.set_move_time(time)?,
            Request::Clock(control) => self.set_clock(control)?,
            Request::Level(level) => self.set_level(level)?,
            Request::Adaptive(wish) => self.adapt(wish)?,
            Request::Strength(elo) => self.set_strength(elo)?,
            Request::Stage(stage) => self.set_stage(stage)?,
            Request::Castle => self.castle()?,
            Request::OfferDraw => self.answer_draw_offer()?,
            Request::Resign => self.resign()?,
            Request::MoveNow => writeln!(self.out, "I am not thinking. Type go and I move.")?,
            Request::Protocol(line) => return Ok(Some(Exit::Protocol(line))),
            Request::Quit => return Ok(Some(Exit::Quit)),
            Request::Move(text) => self.person_moves(text)?,
            Request::Incomplete(usage) => writeln!(self.out, "Say {usage}.")?,
        }
        let now = self.engine.now();
        if let (Some(clock), Some(asked)) = (&mut self.clock, asked) {
            clock.leave_out(asked, now);
        }
        Ok(None)
    }

    /// What a line may begin with: commands and legal moves.
    fn words(&self) -> Vec<String> {
        let game = self.engine.game();
        let moves = game.legal_moves().into_iter().map(|mv| game.san(mv));
        let words = request::WORDS.iter().map(|&word| word.to_owned());
        words.chain(request::phrases()).chain(moves).collect()
    }

    /// Shows what the engine has to tell besides its moves.
    fn show_messages(&mut self) -> io::Result<()> {
        while let Ok(event) = self.events.try_recv() {
            if let SearchEvent::Message(message) = event {
                writeln!(self.out, "{}.", message.text)?;
            }
        }
        Ok(())
    }

    // The course of the game.

    fn start(&mut self, variant: VariantId) -> io::Result<()> {
        self.engine.begin_game(variant);
        self.engine.draw_start_position();
        self.engine_side = Some(Color::Black);
        self.below = Color::White;
        self.puzzle_number = 0;
        self.forget_moves();
        self.draw()
    }

    /// The game begins at the position on the board.
    fn forget_moves(&mut self) {
        self.moves.clear();
        self.by_engine.clear();
        self.last_move = None;
        self.hint_steps = HintSteps::default();
        self.judged = None;
        self.puzzle = None;
        self.rated_game = RatedGame::begin(self.engine.game());
        self.resign_draw = ResignDrawPolicy::default();
        self.declared_end = None;
        let now = self.engine.now();
        self.clock = self.clock.take().map(|clock| ChessClock::new(clock.control(), now));
    }

    fn set_board(&mut self, fen: &str) -> io::Result<()> {
        match self.engine.game_mut().set_board(fen) {
            Err(error) => writeln!(self.out, "I can't set that up: {error}."),
            Ok(()) => {
                self.forget_moves();
                self.below = self.engine.game().side_to_move();
                self.engine_side = Some(!self.below);
                self.draw()?;
                self.is_over()?;
                Ok(())
            }
        }
    }

    fn set_clock(&mut self, control: Option<TimeControl>) -> io::Result<()> {
        if self.puzzle.is_some() && control.is_some() {
            return writeln!(self.out, "A puzzle has no clock.");
        }
        let now = self.engine.now();
        self.clock = control.map(|control| ChessClock::new(control, now));
        match &self.clock {
            Some(clock) => writeln!(self.out, "The clock runs: {}.", clock.show(None, now)),
            None => writeln!(self.out, "No clock; time SECONDS sets my time for a move."),
        }
    }

    fn set_move_time(&mut self, time: Duration) -> io::Result<()> {
        self.move_time = time;
        if self.clock.is_some() {
            writeln!(
                self.out,
                "The clock decides how long I think; this time applies once the clock is off."
            )?;
        }
        Ok(())
    }

    fn set_stage(&mut self, stage: Stage) -> io::Result<()> {
        if let Some(problem) = stage.problem(self.engine.game().variant()) {
            return writeln!(self.out, "{problem}.");
        }
        self.rated_game.changed_stage(self.engine.game());
        self.engine.change_settings(|settings| settings.stage = stage);
        writeln!(self.out, "I play in the stage {stage}.")
    }

    fn set_level(&mut self, level: SkillLevel) -> io::Result<()> {
        self.engine.change_settings(|settings| {
            settings.level = level;
            settings.strength = 0;
            settings.adaptive = false;
        });
        match level.strength() {
            Some(elo) => writeln!(self.out, "My level is {level}, about {elo} Elo."),
            None => writeln!(self.out, "I play as well as I can."),
        }
    }

    fn set_strength(&mut self, elo: u32) -> io::Result<()> {
        self.engine.change_settings(|settings| {
            settings.strength = elo;
            settings.adaptive = false;
        });
        match elo {
            0 => self.set_level(self.engine.settings().level),
            _ => writeln!(self.out, "I play at about {} Elo.", elo.max(LEAST_ELO)),
        }
    }

    /// The strength follows the person's results, or no longer does, or these are forgotten.
    fn adapt(&mut self, wish: Adaptive) -> io::Result<()> {
        if wish == Adaptive::Reset {
            self.engine.reset_ratings();
        } else {
            let before = self.engine.settings().clone();
            self.engine.change_settings(|settings| settings.adaptive = wish != Adaptive::Off);
            let now = self.engine.settings();
            self.rated_game.changed_settings(&before, now, self.engine.game());
        }
        match self.engine.rating() {
            Some(rating) => self.tell_rating(rating),
            None if wish == Adaptive::Off => self.set_strength(self.engine.settings().strength),
            // The engine tells why.
            None if self.engine.has_ratings() => Ok(()),
            None => {
                writeln!(self.out, "Your results are forgotten. My strength stays as it is set.")
            }
        }
    }

    fn show_score(&mut self) -> io::Result<()> {
        let sheet = screen::score_sheet(&self.engine.game().start_fen(), &self.moves);
        writeln!(self.out, "{}", if sheet.is_empty() { "No move yet." } else { &sheet })
    }

    fn show_legal_moves(&mut self) -> io::Result<()> {
        if self.is_over()? {
            return Ok(());
        }
        let game = self.engine.game();
        let mut moves = game.legal_moves();
        // The pieces in the order of a FEN's letters, pawns first.
        moves.sort_by_key(|mv| {
            let kind = game.mover(*mv).map_or(PieceKind::Pawn, |piece| piece.kind());
            (kind.index(), mv.is_drop(), mv.from(), mv.to())
        });
        let texts: Vec<String> = moves.iter().map(|&mv| game.san(mv)).collect();
        writeln!(self.out, "{}", texts.join(" "))
    }

    fn pgn(&self) -> PgnGame {
        let result = self.ending().map_or(GameResult::Unfinished, |(result, _)| result);
        let name = self.engine.settings().engine_name();
        record::pgn(self.engine.game(), &self.moves, result, self.engine_side, &name)
    }

    fn save(&mut self, file: &str) -> io::Result<()> {
        match record::append(file, &self.pgn()) {
            Ok(()) => writeln!(self.out, "The game is saved in {file}."),
            Err(error) => writeln!(self.out, "I can't write {file}: {error}."),
        }
    }

    fn view(&self, last: Option<Move>) -> View {
        View { style: self.style, below: self.below, last }
    }

    /// Draws the board, and says so if the game is over: the time of the side to move may be up by now.
    fn show_board(&mut self) -> io::Result<()> {
        self.see_flag();
        self.draw()?;
        self.is_over()?;
        Ok(())
    }

    fn draw(&mut self) -> io::Result<()> {
        let text = screen::board(self.engine.game(), self.view(self.last_move));
        writeln!(self.out, "{text}")?;
        let is_over = self.ending().is_some();
        let to_move = Some(self.engine.game().side_to_move()).filter(|_| !is_over);
        let now = self.engine.now();
        match &self.clock {
            Some(clock) => writeln!(self.out, "Clock: {}.", clock.show(to_move, now)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
