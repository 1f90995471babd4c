//! The forms in which results are written for other programs: JSON, CSV, JUnit XML, and those of the
//! platforms of courses.

use maud::{PreEscaped, html};
use serde_json::{Value, json};

use super::page;
use super::report::{ExamReport, SceneReport, SceneVerdict};
use crate::arena::tournament::final_table::TableRow;

/// A form of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All that is known; its keys are those of [`ExamReport`].
    Json,
    /// A line for each scene.
    Csv,
    /// What programs for continuous integration read.
    Junit,
    /// `results.json` of an autograder of Gradescope.
    Gradescope,
    /// `result.json` of Classroom 50.
    Classroom50,
    /// A page for people.
    Html,
}

/// The first line of the CSV form.
const CSV_HEADER: [&str; 9] =
    ["bot", "stage", "variant", "scene", "verdict", "points", "of", "message", "criterion"];

impl Form {
    /// How a file of this form begins. Other files are not replaced.
    pub const fn start(self) -> &'static str {
        match self {
            Form::Json | Form::Gradescope | Form::Classroom50 => "{",
            Form::Csv => "bot,stage",
            Form::Junit => "<?xml",
            Form::Html => "<!DOCTYPE html>",
        }
    }

    /// The results in this form.
    pub fn text(self, report: &ExamReport) -> String {
        match self {
            Form::Json => pretty(&json!(report)),
            Form::Csv => csv(report),
            Form::Junit => junit(report),
            Form::Gradescope => pretty(&gradescope(report)),
            Form::Classroom50 => pretty(&classroom50(report)),
            Form::Html => page::page(report),
        }
    }
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

/// What a platform shows of a scene.
fn told(scene: &SceneReport) -> String {
    let mut lines = Vec::new();
    lines.extend(scene.message.iter().map(|message| format!("The bot {message}.")));
    if scene.verdict != SceneVerdict::Passed {
        lines.extend(scene.fen.iter().map(|fen| format!("Position: {fen}")));
        lines.extend(scene.dialogue.iter().cloned());
    }
    lines.push(format!("Why: {}", scene.why));
    lines.join("\n")
}

fn gradescope(report: &ExamReport) -> Value {
    let test = |scene: &SceneReport| {
        json!({
            "name": scene.title,
            "score": scene.points,
            "max_score": scene.of,
            "status": if scene.is_passed() { "passed" } else { "failed" },
            "output": told(scene),
            "visibility": "visible",
            "tags": scene.criterion.iter().collect::<Vec<_>>(),
        })
    };
    let build = report.build.iter().flat_map(|build| &build.output);
    let ladder = report.ladder.iter().map(ExamReport::rung);
    let output: Vec<String> =
        [report.summary()].into_iter().chain(ladder).chain(build.cloned()).collect();
    json!({
        "score": report.points,
        "execution_time": report.seconds,
        "output": output.join("\n"),
        "visibility": "visible",
        "tests": report.scenes.iter().map(test).collect::<Vec<_>>(),
    })
}

fn classroom50(report: &ExamReport) -> Value {
    let test = |scene: &SceneReport| {
        json!({
            "test-name": scene.id,
            "passed": scene.is_passed(),
            "score": scene.points,
            "max-score": scene.of,
        })
    };
    json!({
        "schema": "classroom50/result/v1",
        "score": report.points,
        "max-score": report.of,
        "tests": report.scenes.iter().map(test).collect::<Vec<_>>(),
    })
}

fn junit(report: &ExamReport) -> String {
    let suite = format!("{} {} {}", report.bot, report.stage, report.variant);
    let errors = usize::from(report.problem.is_some());
    let failed = report.scenes.iter().filter(|scene| !scene.is_passed()).count();
    let is_skipped =
        |scene: &&SceneReport| scene.is_passed() && scene.verdict == SceneVerdict::NotTested;
    let skipped = report.scenes.iter().filter(is_skipped).count();
    let markup = html! {
        (PreEscaped("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))
        testsuites {
            testsuite name=(suite) tests=(report.scenes.len() + errors) failures=(failed) errors=(errors)
                skipped=(skipped) time=(report.seconds) {
                @if let Some(problem) = &report.problem {
                    testcase classname=(suite) name="builds and starts" {
                        @let output = report.build.iter().flat_map(|build| &build.output);
                        error message=(problem) { (output.cloned().collect::<Vec<_>>().join("\n")) }
                    }
                }
                @for scene in &report.scenes {
                    testcase classname=(suite) name=(scene.title) {
                        @let message = scene.message.as_deref().unwrap_or_default();
                        @if !scene.is_passed() {
                            failure type=[&scene.criterion] message=(message) { (told(scene)) }
                        } @else if is_skipped(&scene) {
                            skipped message=(message) {}
                        }
                    }
                }
            }
        }
    };
    markup.into_string().replace(is_no_xml, "\u{fffd}") + "\n"
}

/// Is this a character that no XML file may have? A bot can write it, or be named so.
fn is_no_xml(c: char) -> bool {
    c.is_ascii_control() && !"\t\n\r\u{7f}".contains(c) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

fn csv(report: &ExamReport) -> String {
    let verdict = |verdict| match verdict {
        SceneVerdict::Passed => "passed",
        SceneVerdict::Failed => "failed",
        SceneVerdict::NotTested => "not-tested",
    };
    let mut text = csv_line(CSV_HEADER);
    for scene in &report.scenes {
        text += &csv_line([
            &report.bot,
            &report.stage,
            &report.variant,
            &scene.id,
            verdict(scene.verdict),
            &scene.points.to_string(),
            &scene.of.to_string(),
            scene.message.as_deref().unwrap_or_default(),
            scene.criterion.as_deref().unwrap_or_default(),
        ]);
    }
    text
}

/// A line of CSV as RFC 4180 has it. A field that a spreadsheet would take for a formula begins with an
/// apostrophe; a number is none.
fn csv_line<'a>(fields: impl IntoIterator<Item = &'a str>) -> String {
    let quoted = |field: &str| {
        let is_number = field.parse::<f64>().is_ok();
        let is_formula = field.starts_with(['=', '+', '-', '@']) && !is_number;
        let field = format!("{}{field}", if is_formula { "'" } else { "" });
        if field.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", field.replace('"', "\"\""))
        } else {
            field
        }
    };
    let fields: Vec<String> = fields.into_iter().map(quoted).collect();
    fields.join(",") + "\r\n"
}

/// A line for each bot: its points, what is wrong with it as a whole, how many scenes it has passed only at the second
/// try, and its points for each scene. A scene that counts no points, because the protocol of the bot has no words for
/// it, is empty.
pub fn class_csv(reports: &[ExamReport]) -> String {
    let scenes = reports.first().map(|report| &report.scenes[..]).unwrap_or_default();
    let ids = scenes.iter().map(|scene| scene.id.as_str());
    let columns = ["bot", "points", "of", "elo", "problem", "second-tries"];
    let mut text = csv_line(columns.into_iter().chain(ids));
    for report in reports {
        let points = [report.points, report.of].map(|points| points.to_string());
        let shown = |scene: &SceneReport| match scene.of {
            0 if scene.verdict == SceneVerdict::NotTested => String::new(),
            _ => scene.points.to_string(),
        };
        let scenes: Vec<String> = report.scenes.iter().map(shown).collect();
        let problem = report.problem.as_deref().unwrap_or_default();
        let elo = report.strength.and_then(|strength| strength.elo);
        let elo = elo.map(|elo| format!("{elo:.0}")).unwrap_or_default();
        let second_tries = report.scenes.iter().filter(|scene| scene.second_try).count();
        let second_tries = second_tries.to_string();
        let fields = [&report.bot, &points[0], &points[1], &elo, problem, &second_tries];
        text += &csv_line(fields.into_iter().chain(scenes.iter().map(String::as_str)));
    }
    text
}

/// A line for each bot: its place, and what decided it.
pub fn tournament_csv(table: &[TableRow]) -> String {
    let mut text = csv_line(["place", "bot", "points", "games", "direct", "sonneborn-berger"]);
    for row in table {
        let (rank, games) = (row.place.to_string(), row.games.to_string());
        let numbers =
            [row.points, row.direct, row.sonneborn_berger].map(|number| number.to_string());
        let [points, direct, sonneborn_berger] = &numbers;
        text += &csv_line(
            [&rank, &row.name, points, &games, direct, sonneborn_berger].map(String::as_str),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::engines::Protocol;
    use crate::arena::exam::build::BuildReport;
    use crate::arena::exam::games::Rung;

    fn report() -> ExamReport {
        let scene = |id: &str, verdict, points, message: Option<&str>| SceneReport {
            id: id.to_owned(),
            title: format!("does {id}"),
            why: "It is a rule.".to_owned(),
            verdict,
            points,
            of: 2,
            message: message.map(str::to_owned),
            criterion: message.map(|_| "legal-moves".to_owned()),
            same_as: None,
            second_try: false,
            fen: Some("8/8/8/8/8/8/8/K1k5 w - - 0 1".to_owned()),
            dialogue: vec!["> go".to_owned(), "< <&>".to_owned()],
        };
        ExamReport {
            bot: "team, 7".to_owned(),
            stage: "pawns".to_owned(),
            variant: "normal".to_owned(),
            seed: 1,
            command: vec!["make".to_owned(), "run".to_owned()],
            protocol: Some(Protocol::Cecp),
            confinement: "not confined".to_owned(),
            build: None,
            problem: None,
            seconds: 1.5,
            points: 2,
            of: 6,
            scenes: vec![
                scene("a", SceneVerdict::Passed, 2, None),
                scene("b", SceneVerdict::Failed, 0, Some("writes `<&>`, \"so\"")),
                scene("c", SceneVerdict::NotTested, 0, Some("does not declare `setboard`")),
            ],
            ladder: vec![Rung { level: "Beginner".to_owned(), won: 3, drawn: 1, lost: 0 }],
            ladder_rules: Some("4 games against each level with the clock 3+0.02".to_owned()),
            strength: None,
            games_page: None,
        }
    }

    fn parsed(form: Form) -> Value {
        serde_json::from_str(&form.text(&report())).unwrap()
    }

    #[test]
    fn gradescope_gets_scores_status_and_output() {
        let value = parsed(Form::Gradescope);
        assert_eq!(value["score"], 2);
        assert_eq!(value["execution_time"], 1.5);
        let tests = value["tests"].as_array().unwrap();
        let status: Vec<&Value> = tests.iter().map(|test| &test["status"]).collect();
        assert_eq!(status, ["passed", "failed", "failed"]);
        assert_eq!((&tests[1]["score"], &tests[1]["max_score"]), (&json!(0), &json!(2)));
        assert_eq!(
            tests[1]["output"],
            "The bot writes `<&>`, \"so\".\nPosition: 8/8/8/8/8/8/8/K1k5 w - - 0 1\n> go\n< <&>\n\
             Why: It is a rule."
        );
    }

    #[test]
    fn classroom_50_gets_its_schema() {
        let value = parsed(Form::Classroom50);
        assert_eq!(value["schema"], "classroom50/result/v1");
        assert_eq!((&value["score"], &value["max-score"]), (&json!(2), &json!(6)));
        let first = json!({"test-name": "a", "passed": true, "score": 2, "max-score": 2});
        assert_eq!(value["tests"][0], first);
        assert_eq!(value["tests"][2]["passed"], false);
    }

    #[test]
    fn junit_and_csv_escape_what_a_bot_writes() {
        let xml = Form::Junit.text(&report());
        assert!(
            xml.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>"),
            "{xml}"
        );
        assert!(xml.contains("tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\" time=\"1.5\""));
        let message =
            "<failure type=\"legal-moves\" message=\"writes `&lt;&amp;&gt;`, &quot;so&quot;\">";
        assert!(xml.contains(message), "{xml}");
        // What XML cannot have at all makes no bad file.
        let odd = ExamReport { bot: "a\u{1}\u{ffff}\tb".to_owned(), ..report() };
        let xml = Form::Junit.text(&odd);
        assert!(xml.contains("name=\"a\u{fffd}\u{fffd}\tb pawns normal\""), "{xml}");
        let csv = Form::Csv.text(&report());
        let lines: Vec<&str> = csv.split("\r\n").collect();
        assert_eq!(lines[0], "bot,stage,variant,scene,verdict,points,of,message,criterion");
        assert_eq!(lines[1], "\"team, 7\",pawns,normal,a,passed,2,2,,");
        assert_eq!(
            lines[2],
            "\"team, 7\",pawns,normal,b,failed,0,2,\"writes `<&>`, \"\"so\"\"\",legal-moves"
        );
        assert_eq!(lines.len(), 5);
        assert_eq!(csv_line(["=1+1", "a"]), "'=1+1,a\r\n");
        assert_eq!(csv_line(["-11", "-1+1", "+0.5"]), "-11,'-1+1,+0.5\r\n");
    }

    #[test]
    fn junit_has_an_error_for_a_bot_that_cannot_be_built() {
        let build = BuildReport {
            command: vec!["make".to_owned(), "build".to_owned()],
            problem: Some("fails (exit status: 2)".to_owned()),
            output: vec!["bot.c:3: missing ;".to_owned()],
        };
        let problem = Some("cannot be built: `make build` fails (exit status: 2)".to_owned());
        let mut report = ExamReport { problem, build: Some(build), ..report() };
        report.scenes.remove(1);
        report.scenes[0].verdict = SceneVerdict::NotTested;
        let xml = Form::Junit.text(&report);
        assert!(xml.contains("tests=\"3\" failures=\"2\" errors=\"1\" skipped=\"0\""), "{xml}");
        let error = "name=\"builds and starts\"><error message=\"cannot be built: `make build` fails \
            (exit status: 2)\">bot.c:3: missing ;</error>";
        assert!(xml.contains(error), "{xml}");
        // The protocol has no words for one of them.
        report.scenes[1].of = 0;
        let xml = Form::Junit.text(&report);
        assert!(xml.contains("failures=\"1\" errors=\"1\" skipped=\"1\""), "{xml}");
    }

    #[test]
    fn every_form_begins_as_it_says() {
        for form in
            [Form::Json, Form::Csv, Form::Junit, Form::Gradescope, Form::Classroom50, Form::Html]
        {
            assert!(form.text(&report()).starts_with(form.start()), "{form:?}");
        }
    }

    #[test]
    fn json_can_be_read_again() {
        let read: ExamReport = serde_json::from_str(&Form::Json.text(&report())).unwrap();
        assert_eq!(read.summary(), "2 of 6 points: 1 scene passed, 1 failed, 1 not tested");
        assert!(!read.is_passed());
    }

    #[test]
    fn a_scene_that_could_have_been_tested_is_not_passed() {
        let mut report = report();
        report.scenes.remove(1);
        assert!(!report.is_passed(), "the bot does not declare what the scene needs");
        report.scenes[1].of = 0;
        assert!(report.is_passed(), "the protocol has no words for it");
        assert_eq!(gradescope(&report)["tests"][1]["status"], "passed");
        assert_eq!(classroom50(&report)["tests"][1]["passed"], true);
    }
}
