//! A checksum that depends on its bytes only: not on the platform, not on a library's version.

/// FNV-1a with 64 bits (Fowler, Noll and Vo 1991), over all bytes so far.
///
/// It finds accidents, not forgeries.
///
/// ```
/// let mut checksum = boughs::checksum::Checksum::default();
/// checksum.add(b"foo");
/// checksum.add(b"bar");
/// assert_eq!(checksum.value(), 0x8594_4171_f739_67e8); // as published for "foobar"
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum(u64);

impl Default for Checksum {
    fn default() -> Checksum {
        Checksum(0xcbf2_9ce4_8422_2325)
    }
}

impl Checksum {
    /// Adds these bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// The checksum of all bytes so far.
    pub fn value(self) -> u64 {
        self.0
    }
}
