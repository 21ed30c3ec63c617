//! The one exception to "no unsafe code": the prefetch instruction.

/// Prefetches the cache line of a value that will be read soon. Does nothing where the processor has no such
/// instruction. Nothing is read, so a search that guesses wrong loses nothing.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the instruction is in every x86-64 processor, and it cannot fault.
    unsafe {
        use std::arch::x86_64::{_mm_prefetch, _MM_HINT_T0};
        _mm_prefetch::<_MM_HINT_T0>((value as *const T).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
