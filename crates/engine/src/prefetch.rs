//! The one exception to "no unsafe code" in this project: the prefetch instruction.
//!
//! Safe Rust has none, and a search of cheap playouts spends much of its time waiting for memory, as large networks of
//! tuples do. Nothing is dereferenced, and a prefetch of any address is harmless.

/// Prefetches the cache line of a value that will be read soon. Does nothing where the processor has no such
/// instruction.
#[inline(always)]
#[allow(unsafe_code, reason = "a prefetch reads nothing, and safe Rust has none")]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction is in every x86-64 processor, and it cannot fault.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
