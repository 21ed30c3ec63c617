//! The place of a set bit of a mask, without a loop and without a branch that the processor has to guess.

const ONES: u64 = 0x0101_0101_0101_0101;

/// The position of the set bit that has `n` set bits below it; 64 if there is none.
#[inline]
pub(super) fn nth_bit(mask: u64, n: u32) -> u32 {
    nth_bit_by_sums(mask, byte_sums(mask), n)
}

/// A word whose byte k holds the number of ones in bytes 0..=k of `mask`. The sums of all bytes come at once, so a
/// processor without a population count instruction does well too.
#[inline]
pub(super) fn byte_sums(mask: u64) -> u64 {
    let pairs = mask - ((mask >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    bytes.wrapping_mul(ONES)
}

/// [`nth_bit`] of a mask whose [`byte_sums`] are known.
#[inline]
pub(super) fn nth_bit_by_sums(mask: u64, sums: u64, n: u32) -> u32 {
    // The high bit of each byte says whether its sum is at most n; counting those bits gives the byte to look in.
    let at_most = ((u64::from(n) * ONES) | (ONES << 7)).wrapping_sub(sums) & (ONES << 7);
    let byte = ((at_most >> 7).wrapping_mul(ONES) >> 56) as u32 * 8;
    if byte >= 64 {
        return 64;
    }
    let left = n - ((sums << 8) >> byte & 0xff) as u32;
    let rest = (mask >> byte) & 0xff;
    byte + u32::from(NTH_BIT_OF_BYTE[(rest << 3 | u64::from(left & 7)) as usize])
}

/// For each byte and each n below 8 the position of the set bit that has n set bits below it: a table, because a loop
/// over the bits is mispredicted by the processor nearly every time.
static NTH_BIT_OF_BYTE: [u8; 256 * 8] = {
    let mut table = [0; 256 * 8];
    let mut i = 0;
    while i < 256 * 8 {
        let (mut rest, mut left) = (i >> 3, i & 7);
        while left > 0 && rest > 0 {
            rest &= rest - 1;
            left -= 1;
        }
        table[i] = if rest > 0 { rest.trailing_zeros() as u8 } else { 0 };
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn nth_bit_agrees_with_counting_one_by_one() {
        let mut rng = Rng::new(1, 0);
        for round in 0..2_000 {
            let mask = match round % 3 {
                0 => rng.bits(),
                1 => rng.bits() & rng.bits() & rng.bits(),
                _ => rng.bits() | rng.bits() | rng.bits(),
            };
            let positions: Vec<u32> = (0..64).filter(|&bit| mask >> bit & 1 == 1).collect();
            for (n, &position) in positions.iter().enumerate() {
                assert_eq!(nth_bit(mask, n as u32), position, "bit {n} of {mask:#x}");
            }
        }
        assert_eq!(nth_bit(u64::MAX, 63), 63);
        assert_eq!(Rng::new(1, 0).pick_bit(0), 64);
    }
}
