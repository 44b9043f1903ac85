//! The accent color of pages, and whether people can read it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The least contrast of text with what is behind it (WCAG 2.2, 1.4.3, level AA).
const MIN_CONTRAST: f64 = 4.5;

/// Percents of the accent in soft backgrounds.
const SOFT: u32 = 12;

/// What is behind text on pages: `--back` and `--panel` of `site.css`, in the light and in the dark theme.
const BACKS: [[Color; 2]; 2] =
    [[Color([255, 255, 255]), Color([245, 247, 248])], [Color([15, 21, 24]), Color([23, 31, 35])]];

const WHITE: Color = Color([255, 255, 255]);
const BLACK: Color = Color([0, 0, 0]);

/// A color without transparency: red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Color([u8; 3]);

impl Color {
    fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6)?;
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(Self([red, green, blue]))
    }

    /// This color with so many percents of another one.
    pub(super) fn mixed(self, other: Self, percents: u32) -> Self {
        let (Self(own), Self(other)) = (self, other);
        let mix = |at: usize| (u32::from(own[at]) * (100 - percents) + u32::from(other[at]) * percents) / 100;
        Self([0, 1, 2].map(|at| u8::try_from(mix(at)).unwrap_or(u8::MAX)))
    }

    /// The relative luminance of WCAG, 0 to 1.
    fn luminance(self) -> f64 {
        let linear = self.0.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        linear[0] * 0.2126 + linear[1] * 0.7152 + linear[2] * 0.0722
    }

    /// The contrast of WCAG, 1 to 21.
    fn contrast(self, other: Self) -> f64 {
        let (one, other) = (self.luminance(), other.luminance());
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self([red, green, blue]) = self;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

/// A color for links and buttons that people can read in the light theme, or in the dark one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Accent<const IS_DARK: bool>(Color);

impl<const IS_DARK: bool> Accent<IS_DARK> {
    /// The soft background for text of this color.
    fn soft(self) -> Color {
        let [back, _] = BACKS[usize::from(IS_DARK)];
        back.mixed(self.0, SOFT)
    }

    /// The least contrast with what is behind it.
    fn contrast(self) -> f64 {
        let [back, panel] = BACKS[usize::from(IS_DARK)];
        [back, panel, self.soft()].map(|behind| self.0.contrast(behind)).into_iter().fold(21.0, f64::min)
    }

    /// The rule of a style sheet that sets it.
    pub(super) fn rule(self) -> String {
        let Self(color) = self;
        let on = if color.contrast(WHITE) >= color.contrast(BLACK) { WHITE } else { BLACK };
        let soft = self.soft();
        format!(":root {{ --accent: {color}; --on-accent: {on}; --accent-soft: {soft}; }}")
    }
}

impl Accent<false> {
    /// Mixes the color with white until people can read it in the dark theme.
    pub(super) fn lightened(self) -> Accent<true> {
        let lighter = (0..100).map(|percents| Accent(self.0.mixed(WHITE, percents)));
        lighter.into_iter().find(|accent| accent.contrast() >= MIN_CONTRAST).unwrap_or(Accent(WHITE))
    }
}

impl<const IS_DARK: bool> FromStr for Accent<IS_DARK> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let color = Color::parse(text);
        let color = color.ok_or_else(|| format!("`{text}` is no color: write one like \"#0b6b78\""))?;
        let accent = Self(color);
        let contrast = accent.contrast();
        if contrast >= MIN_CONTRAST {
            return Ok(accent);
        }
        let (theme, remedy) = if IS_DARK { ("dark", "lighter") } else { ("light", "darker") };
        // Rounded down, so that 4.49 does not look like enough.
        let contrast = (contrast * 10.0).floor() / 10.0;
        Err(format!(
            "{color} has a contrast of {contrast}:1 with the {theme} pages, and people need {MIN_CONTRAST}:1 to read it \
             (WCAG AA): write a {remedy} color"
        ))
    }
}

impl<const IS_DARK: bool> TryFrom<String> for Accent<IS_DARK> {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl<const IS_DARK: bool> From<Accent<IS_DARK>> for String {
    fn from(accent: Accent<IS_DARK>) -> Self {
        accent.0.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::assets::embedded;

    #[test]
    fn backgrounds_and_default_accents_are_those_of_the_style_sheet() {
        let css = embedded("site.css").unwrap();
        let of = |name: &str| -> Vec<&str> {
            let values = css.split(name).skip(1).map(|rest| rest.split(';').next().unwrap());
            values.take(2).collect()
        };
        for (theme, backs) in BACKS.iter().enumerate() {
            let long = |text: &str| if text == "#fff" { "#ffffff".to_owned() } else { text.to_owned() };
            for (name, back) in ["--back: ", "--panel: "].iter().zip(backs) {
                assert_eq!(long(of(name)[theme]), back.to_string());
            }
        }
        of("--accent: ")[0].parse::<Accent<false>>().unwrap();
        of("--accent: ")[1].parse::<Accent<true>>().unwrap();
    }

    #[test]
    fn contrast_is_that_of_wcag() {
        let of = |text| Color::parse(text).unwrap();
        assert!((WHITE.contrast(BLACK) - 21.0).abs() < 1e-9);
        // The examples of WebAIM's checker.
        assert!((of("#777777").contrast(WHITE) - 4.48).abs() < 0.01);
        assert!((of("#0000ff").contrast(WHITE) - 8.59).abs() < 0.01);
    }

    #[test]
    fn accent_that_nobody_can_read_is_refused() {
        for (text, said) in [
            ("#ffcc00", "write a darker color"),
            ("#fc0", "is no color"),
            ("red", "is no color"),
            ("#+12345", "is no color"),
            ("#fff;}*{", "is no color"),
        ] {
            assert!(text.parse::<Accent<false>>().unwrap_err().contains(said), "{text}");
        }
        assert!("#0b6b78".parse::<Accent<true>>().unwrap_err().contains("write a lighter color"));
    }

    #[test]
    fn lightened_accent_can_be_read_in_the_dark_theme() {
        for text in ["#000000", "#0000c8", "#7a1fa2", "#a3211b", "#0b6b78"] {
            let dark = text.parse::<Accent<false>>().unwrap().lightened();
            assert!(String::from(dark).parse::<Accent<true>>().is_ok(), "{text}");
        }
    }
}
