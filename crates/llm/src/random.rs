//! Random numbers that are the same on every target.

/// The splitmix64 generator: small, and good enough to draw tokens.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Random numbers that depend on the seed only.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// The next number from 0 up to, and without, 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly_and_depend_on_the_seed() {
        let mut random = Random::new(1);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            let unit = random.unit();
            assert!((0.0..1.0).contains(&unit));
            let at = counts.iter().enumerate().position(|(at, _)| unit < (at + 1) as f64 / 10.0).unwrap();
            counts[at] += 1;
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_ne!(Random::new(1).bits(), Random::new(2).bits());
    }
}
