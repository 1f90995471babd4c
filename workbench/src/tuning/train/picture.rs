//! The losses of a training as a picture.

use std::fmt::Write;

use trebuchet::text::printable;

/// The size of the picture and the space around the curves, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 60.0;

/// How the file of a picture begins.
pub const BEGINNING: &str =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\" height=\"420\"";

/// An SVG with the curves of both losses: over the training positions, and over those for validation.
pub fn loss_curve(title: &str, losses: &[[f64; 2]]) -> String {
    let values = || losses.iter().flatten().copied();
    let least = values().fold(f64::INFINITY, f64::min);
    let most = values().fold(f64::NEG_INFINITY, f64::max);
    let range = (most - least).max(1e-9);
    let x = |index: usize| {
        MARGIN + (WIDTH - 2.0 * MARGIN) * index as f64 / (losses.len().max(2) - 1) as f64
    };
    let y = |loss: f64| HEIGHT - MARGIN - (HEIGHT - 2.0 * MARGIN) * (loss - least) / range;
    let mut svg = format!(
        "{BEGINNING} \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"30\" font-size=\"16\">{}</text>\n",
        escaped(title)
    );
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    for part in 0..=4 {
        let loss = least + range * f64::from(part) / 4.0;
        let height = y(loss);
        line(format!(
            "<line x1=\"{MARGIN}\" x2=\"{:.0}\" y1=\"{height:.1}\" y2=\"{height:.1}\" stroke=\"#ddd\"/>\
             <text x=\"5\" y=\"{:.1}\">{loss:.6}</text>",
            WIDTH - MARGIN,
            height + 4.0
        ));
    }
    for (index, (name, color, dashes)) in
        [("training", "#0072b2", ""), ("validation", "#d55e00", "6 3")].into_iter().enumerate()
    {
        let mut points = String::new();
        for (epoch, pair) in losses.iter().enumerate() {
            // Writing to a string does not fail.
            let _ = write!(points, "{:.1},{:.1} ", x(epoch), y(pair[index]));
        }
        // A line of one point would not be seen.
        if let [only] = losses {
            let _ = write!(points, "{:.1},{:.1}", x(1), y(only[index]));
        }
        line(format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" \
             stroke-dasharray=\"{dashes}\"/>",
            points.trim_end()
        ));
        let legend = WIDTH - 2.5 * MARGIN;
        line(format!(
            "<text x=\"{legend}\" y=\"{}\" fill=\"{color}\">{name}</text>",
            40 + 18 * index
        ));
    }
    line(format!(
        "<text x=\"{MARGIN}\" y=\"{}\">epoch 1</text>\
         <text x=\"{}\" y=\"{}\">epoch {}</text>\n</svg>",
        HEIGHT - 30.0,
        WIDTH - 2.0 * MARGIN,
        HEIGHT - 30.0,
        losses.len()
    ));
    svg
}

/// A text inside an element. XML knows no control characters.
fn escaped(text: &str) -> String {
    let text = printable(text).replace('\n', " ");
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_title_is_a_text_and_no_element() {
        let svg = loss_curve("a<b>&\x1b", &[[0.1, 0.2]]);
        assert!(svg.starts_with(BEGINNING) && svg.contains(">a&lt;b&gt;&amp; </text>"), "{svg}");
        assert!(svg.contains(&format!("width=\"{WIDTH}\" height=\"{HEIGHT}\"")), "{svg}");
    }

    #[test]
    fn both_curves_run_from_the_first_epoch_to_the_last() {
        let svg = loss_curve("net", &[[0.10, 0.12], [0.06, 0.08], [0.05, 0.08]]);
        // The greatest loss is at the top, the least at the bottom.
        assert!(svg.contains("points=\"60.0,145.7 360.0,317.1 660.0,360.0\""), "{svg}");
        assert!(svg.contains("points=\"60.0,60.0 360.0,231.4 660.0,231.4\""), "{svg}");
        assert!(svg.contains(">epoch 3</text>"), "{svg}");
        assert!(svg.contains(">0.067500</text>"), "{svg}");
        let single = loss_curve("net", &[[0.10, 0.12]]);
        assert!(single.contains("points=\"60.0,60.0 660.0,60.0\""), "{single}");
        assert!(loss_curve("net", &[]).ends_with("</svg>\n"));
    }
}
