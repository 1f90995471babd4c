//! Constants of the search, which are set by their names like options, but not declared.

use super::{OptionError, OptionState, number};
use crate::search::{Param, Params};

/// A constant of the search.
#[derive(Clone, Copy, Debug)]
pub struct Constant(&'static Param);

impl Constant {
    /// The constant with this name.
    ///
    /// # Errors
    /// [`OptionError::Unknown`] if no constant has this name.
    pub fn find(name: &str) -> Result<Constant, OptionError> {
        let found = Params::LIST.iter().find(|param| param.name == name);
        found.map(Constant).ok_or(OptionError::Unknown)
    }

    /// What a GUI may set it to, in words.
    pub fn expected(self) -> String {
        let Param { default, min, max, .. } = *self.0;
        OptionState::Spin { value: default.into(), min: min.into(), max: max.into() }.expected()
    }

    /// The number that is meant, and whether it lies outside the range. The nearest one in it counts then.
    ///
    /// # Errors
    /// [`OptionError::BadValue`] if the text is not a number.
    pub fn read(self, value: Option<&str>) -> Result<(i32, bool), OptionError> {
        let written = number(value.unwrap_or_default()).ok_or(OptionError::BadValue)? as i32;
        let taken = written.clamp(self.0.min, self.0.max);
        Ok((taken, taken != written))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_takes_the_numbers_of_its_range() {
        let constant = Constant::find("rfp_margin").unwrap();
        assert_eq!(constant.expected(), "a number from 30 to 250");
        assert_eq!(constant.read(Some("91")), Ok((91, false)));
        assert_eq!(constant.read(Some("9999999999")), Ok((250, true)));
        assert_eq!(constant.read(Some("-1")), Ok((30, true)));
        for wrong in [None, Some("x"), Some("12x"), Some("nan")] {
            assert_eq!(constant.read(wrong), Err(OptionError::BadValue), "{wrong:?}");
        }
        assert_eq!(Constant::find("Hash").unwrap_err(), OptionError::Unknown);
    }
}
