//! A diagram as PNG.

use super::Diagram;

/// Why a diagram could not be made into a PNG.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    #[error("this build writes no PNG: write an .svg file, or build with the feature png")]
    NotBuilt,
    #[cfg(feature = "png")]
    #[error("the diagram could not be drawn: {0}")]
    Svg(#[from] resvg::usvg::Error),
    #[error("the picture is too large")]
    TooLarge,
    #[error("the picture could not be packed: {0}")]
    Packing(String),
}

/// The bytes of a PNG file with the picture.
///
/// # Errors
/// If this build has no PNG, or if there is no memory for the picture.
#[cfg(feature = "png")]
pub fn png(diagram: &Diagram) -> Result<Vec<u8>, PngError> {
    use resvg::tiny_skia::{Pixmap, Transform};
    use resvg::usvg::{Options, Tree};

    let tree = Tree::from_str(&diagram.to_string(), &Options::default())?;
    let (width, height) = diagram.size();
    let mut pixels = Pixmap::new(width, height).ok_or(PngError::TooLarge)?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PngError::Packing(error.to_string()))
}

/// This build has no PNG.
///
/// # Errors
/// Always.
#[cfg(not(feature = "png"))]
pub fn png(_: &Diagram) -> Result<Vec<u8>, PngError> {
    Err(PngError::NotBuilt)
}
