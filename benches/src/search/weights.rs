//! Weights of the fields, for engines that have none of their own.

/// The weights of slug, name, keywords, description and headings.
pub(super) type Weights = [f64; 5];

/// The weights that an engine may choose from.
pub(super) const WEIGHTS: [Weights; 6] = [
    [1.0, 1.0, 1.0, 1.0, 1.0],
    [3.0, 3.0, 2.0, 1.0, 0.5],
    [5.0, 5.0, 3.0, 1.0, 0.4],
    [5.0, 2.0, 3.0, 2.0, 0.5],
    [10.0, 10.0, 5.0, 1.0, 0.3],
    [8.0, 4.0, 4.0, 4.0, 0.5],
];
