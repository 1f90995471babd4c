//! What a CECP engine says about itself with `feature`.

use trebuchet::cecp::wire::{Feature, FeatureValue};
use trebuchet::protocol::dialect::{STANDARD, VariantNames};

/// The features that matter to the driver of an engine.
#[derive(Clone, Debug)]
pub struct Features {
    pub ping: bool,
    pub setboard: bool,
    pub usermove: bool,
    pub time: bool,
    pub draw: bool,
    pub colors: bool,
    pub reuse: bool,
    pub name: bool,
    pub memory: bool,
    pub smp: bool,
    /// `None` if the engine says nothing: then node limits are tried.
    pub nps: Option<bool>,
    pub variants: Option<String>,
    pub myname: Option<String>,
    /// The names of the options that the engine declares.
    pub options: Vec<String>,
}

impl Default for Features {
    /// The protocol's defaults, for what the engine does not say.
    fn default() -> Features {
        Features {
            ping: false,
            setboard: false,
            usermove: false,
            time: true,
            draw: true,
            colors: true,
            reuse: true,
            name: false,
            memory: false,
            smp: false,
            nps: None,
            variants: None,
            myname: None,
            options: Vec::new(),
        }
    }
}

impl Features {
    /// Notes a feature. True if it is to be accepted, false if it is to be rejected.
    pub fn note(&mut self, feature: &Feature) -> bool {
        match (&feature.value, feature.name.as_str()) {
            (FeatureValue::Number(number), name) => {
                let on = *number != 0;
                match name {
                    "ping" => self.ping = on,
                    "setboard" => self.setboard = on,
                    "usermove" => self.usermove = on,
                    "time" => self.time = on,
                    "draw" => self.draw = on,
                    "colors" => self.colors = on,
                    "reuse" => self.reuse = on,
                    "name" => self.name = on,
                    "memory" => self.memory = on,
                    "smp" => self.smp = on,
                    "nps" => self.nps = Some(on),
                    // Engines that prefer SAN understand coordinates, too.
                    "san" => return !on,
                    "done" | "analyze" | "debug" | "playother" | "sigint" | "sigterm" | "ics"
                    | "pause" | "exclude" | "highlight" => {}
                    _ => return false,
                }
            }
            (FeatureValue::Text(text), "variants") => self.variants = Some(text.clone()),
            (FeatureValue::Text(text), "myname") => self.myname = Some(text.clone()),
            (FeatureValue::Text(_), "egt") => {}
            (FeatureValue::Option(option), _) => self.options.push(option.name.clone()),
            (FeatureValue::Text(_), _) => return false,
        }
        true
    }

    /// Does the engine play this variant? One that lists no variants plays standard chess only.
    pub fn can_play(&self, names: VariantNames) -> bool {
        match self.variants {
            Some(_) => self.lists_variant(names.cecp.unwrap_or(STANDARD)),
            None => names.cecp.is_none(),
        }
    }

    /// Is the variant in the list of variants?
    pub fn lists_variant(&self, name: &str) -> bool {
        let variants = self.variants.as_deref().unwrap_or_default();
        variants.split(',').any(|listed| listed.trim() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_in_the_list_of_variants_do_no_harm() {
        let chess = VariantNames::of_standard_chess();
        let giveaway = VariantNames { cecp: Some("giveaway"), ..chess };
        let mut features = Features::default();
        let is_listed =
            |features: &Features| ["3check", STANDARD].map(|name| features.lists_variant(name));
        assert_eq!(is_listed(&features), [false, false]);
        assert!(features.can_play(chess) && !features.can_play(giveaway));
        features.variants = Some("3check, normal".to_owned());
        assert_eq!(is_listed(&features), [true, true]);
        assert!(features.can_play(chess) && !features.can_play(giveaway));
    }
}
