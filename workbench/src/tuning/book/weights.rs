//! Weights of moves as a book stores them.

/// Weights as 16 bits, in the same proportions: divided if the greatest is too great. A positive
/// weight stays positive.
pub fn scaled(weights: &[u64]) -> Vec<u16> {
    let greatest = weights.iter().copied().max().unwrap_or(0);
    let limit = u64::from(u16::MAX);
    let scale = |weight: u64| match weight {
        0 => 0,
        weight if greatest <= limit => weight,
        weight => (u128::from(weight) * u128::from(limit) / u128::from(greatest)).max(1) as u64,
    };
    weights.iter().map(|&weight| scale(weight) as u16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn great_weights_are_divided() {
        assert_eq!(scaled(&[]), [0_u16; 0]);
        assert_eq!(scaled(&[65_535, 2, 0]), [65_535, 2, 0]);
        assert_eq!(scaled(&[131_070, 65_536, 1, 0]), [65_535, 32_768, 1, 0]);
        assert_eq!(scaled(&[u64::MAX, u64::MAX / 2]), [65_535, 32_767]);
    }
}
