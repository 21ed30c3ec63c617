//! Parts of the standard library that are newer than Rust 1.63, written with what it had then.
//!
//! This file is data: [`super`] copies the modules that a program uses. A module has the name of what it replaces. A
//! method becomes one of a trait, under a name with `old_` before it; a function or type has a path of its own.

pub mod with_borrow {
    pub trait Method<T: 'static> {
        fn old_with_borrow<R>(&'static self, work: impl FnOnce(&T) -> R) -> R;
    }
    impl<T: 'static> Method<T> for std::thread::LocalKey<std::cell::RefCell<T>> {
        #[inline]
        fn old_with_borrow<R>(&'static self, work: impl FnOnce(&T) -> R) -> R {
            self.with(|cell| work(&cell.borrow()))
        }
    }
}

pub mod with_borrow_mut {
    pub trait Method<T: 'static> {
        fn old_with_borrow_mut<R>(&'static self, work: impl FnOnce(&mut T) -> R) -> R;
    }
    impl<T: 'static> Method<T> for std::thread::LocalKey<std::cell::RefCell<T>> {
        #[inline]
        fn old_with_borrow_mut<R>(&'static self, work: impl FnOnce(&mut T) -> R) -> R {
            self.with(|cell| work(&mut cell.borrow_mut()))
        }
    }
}

pub mod div_ceil {
    pub trait Method {
        fn old_div_ceil(self, by: Self) -> Self;
    }
    macro_rules! div_ceil_of { ($($of:ty)*) => { $(impl Method for $of {
        #[inline]
        fn old_div_ceil(self, by: $of) -> $of {
            self / by + <$of>::from(self % by != 0)
        }
    })* } }
    div_ceil_of!(u8 u16 u32 u64 u128 usize);
}

pub mod next_multiple_of {
    pub trait Method {
        fn old_next_multiple_of(self, of: Self) -> Self;
    }
    macro_rules! next_multiple_of_of { ($($of:ty)*) => { $(impl Method for $of {
        #[inline]
        fn old_next_multiple_of(self, of: $of) -> $of {
            match self % of {
                0 => self,
                rest => self + (of - rest),
            }
        }
    })* } }
    next_multiple_of_of!(u8 u16 u32 u64 u128 usize);
}

pub mod is_multiple_of {
    pub trait Method {
        fn old_is_multiple_of(self, of: Self) -> bool;
    }
    macro_rules! is_multiple_of_of { ($($of:ty)*) => { $(impl Method for $of {
        #[inline]
        fn old_is_multiple_of(self, of: $of) -> bool {
            match of {
                0 => self == 0,
                _ => self % of == 0,
            }
        }
    })* } }
    is_multiple_of_of!(u8 u16 u32 u64 u128 usize);
}

pub mod cast_signed {
    pub trait Method {
        type Signed;
        fn old_cast_signed(self) -> Self::Signed;
    }
    macro_rules! cast_signed_of { ($($of:ty, $signed:ty;)*) => { $(impl Method for $of {
        type Signed = $signed;
        #[inline]
        fn old_cast_signed(self) -> $signed {
            self as $signed
        }
    })* } }
    cast_signed_of!(u8, i8; u16, i16; u32, i32; u64, i64; u128, i128; usize, isize;);
}

pub mod cast_unsigned {
    pub trait Method {
        type Unsigned;
        fn old_cast_unsigned(self) -> Self::Unsigned;
    }
    macro_rules! cast_unsigned_of { ($($of:ty, $unsigned:ty;)*) => { $(impl Method for $of {
        type Unsigned = $unsigned;
        #[inline]
        fn old_cast_unsigned(self) -> $unsigned {
            self as $unsigned
        }
    })* } }
    cast_unsigned_of!(i8, u8; i16, u16; i32, u32; i64, u64; i128, u128; isize, usize;);
}

pub mod checked_add_signed {
    pub trait Method: Sized {
        type Signed;
        fn old_checked_add_signed(self, by: Self::Signed) -> Option<Self>;
    }
    macro_rules! checked_add_signed_of { ($($of:ty, $signed:ty;)*) => { $(impl Method for $of {
        type Signed = $signed;
        #[inline]
        fn old_checked_add_signed(self, by: $signed) -> Option<$of> {
            match by < 0 {
                true => self.checked_sub(by.unsigned_abs()),
                false => self.checked_add(by as $of),
            }
        }
    })* } }
    checked_add_signed_of!(u8, i8; u16, i16; u32, i32; u64, i64; usize, isize;);
}

pub mod saturating_add_signed {
    pub trait Method: Sized {
        type Signed;
        fn old_saturating_add_signed(self, by: Self::Signed) -> Self;
    }
    macro_rules! saturating_add_signed_of { ($($of:ty, $signed:ty;)*) => { $(impl Method for $of {
        type Signed = $signed;
        #[inline]
        fn old_saturating_add_signed(self, by: $signed) -> $of {
            match by < 0 {
                true => self.saturating_sub(by.unsigned_abs()),
                false => self.saturating_add(by as $of),
            }
        }
    })* } }
    saturating_add_signed_of!(u8, i8; u16, i16; u32, i32; u64, i64; usize, isize;);
}

pub mod wrapping_add_signed {
    pub trait Method: Sized {
        type Signed;
        fn old_wrapping_add_signed(self, by: Self::Signed) -> Self;
    }
    macro_rules! wrapping_add_signed_of { ($($of:ty, $signed:ty;)*) => { $(impl Method for $of {
        type Signed = $signed;
        #[inline]
        fn old_wrapping_add_signed(self, by: $signed) -> $of {
            self.wrapping_add(by as $of)
        }
    })* } }
    wrapping_add_signed_of!(u8, i8; u16, i16; u32, i32; u64, i64; usize, isize;);
}

pub mod ilog2 {
    pub trait Method {
        fn old_ilog2(self) -> u32;
    }
    macro_rules! ilog2_of { ($($of:ty)*) => { $(impl Method for $of {
        #[inline]
        #[track_caller]
        fn old_ilog2(self) -> u32 {
            match self {
                0 => panic!("argument of integer logarithm must be positive"),
                _ => <$of>::BITS - 1 - self.leading_zeros(),
            }
        }
    })* } }
    ilog2_of!(u8 u16 u32 u64 u128 usize);
}

pub mod isqrt {
    pub trait Method {
        fn old_isqrt(self) -> Self;
    }
    macro_rules! isqrt_of { ($($of:ty)*) => { $(impl Method for $of {
        fn old_isqrt(self) -> $of {
            let mut root: $of = 0;
            for bit in (0..<$of>::BITS / 2).rev() {
                let next = root | 1 << bit;
                if next * next <= self {
                    root = next;
                }
            }
            root
        }
    })* } }
    isqrt_of!(u8 u16 u32 u64 u128 usize);
}

pub mod select_unpredictable {
    #[inline]
    pub fn select_unpredictable<T>(chosen: bool, yes: T, no: T) -> T {
        if chosen {
            yes
        } else {
            no
        }
    }
}

pub mod is_some_and {
    pub trait Method<T> {
        fn old_is_some_and(self, is: impl FnOnce(T) -> bool) -> bool;
    }
    impl<T> Method<T> for Option<T> {
        #[inline]
        fn old_is_some_and(self, is: impl FnOnce(T) -> bool) -> bool {
            match self {
                Some(value) => is(value),
                None => false,
            }
        }
    }
}

pub mod is_none_or {
    pub trait Method<T> {
        fn old_is_none_or(self, is: impl FnOnce(T) -> bool) -> bool;
    }
    impl<T> Method<T> for Option<T> {
        #[inline]
        fn old_is_none_or(self, is: impl FnOnce(T) -> bool) -> bool {
            match self {
                Some(value) => is(value),
                None => true,
            }
        }
    }
}

pub mod is_ok_and {
    pub trait Method<T> {
        fn old_is_ok_and(self, is: impl FnOnce(T) -> bool) -> bool;
    }
    impl<T, E> Method<T> for Result<T, E> {
        #[inline]
        fn old_is_ok_and(self, is: impl FnOnce(T) -> bool) -> bool {
            match self {
                Ok(value) => is(value),
                Err(_) => false,
            }
        }
    }
}

pub mod inspect_err {
    pub trait Method<E> {
        fn old_inspect_err(self, look: impl FnOnce(&E)) -> Self;
    }
    impl<T, E> Method<E> for Result<T, E> {
        #[inline]
        fn old_inspect_err(self, look: impl FnOnce(&E)) -> Self {
            if let Err(error) = &self {
                look(error);
            }
            self
        }
    }
}

pub mod take_if {
    pub trait Method<T> {
        fn old_take_if(&mut self, is: impl FnOnce(&mut T) -> bool) -> Option<T>;
    }
    impl<T> Method<T> for Option<T> {
        #[inline]
        fn old_take_if(&mut self, is: impl FnOnce(&mut T) -> bool) -> Option<T> {
            match self.as_mut().map_or(false, is) {
                true => self.take(),
                false => None,
            }
        }
    }
}

pub mod pop_if {
    pub trait Method<T> {
        fn old_pop_if(&mut self, is: impl FnOnce(&mut T) -> bool) -> Option<T>;
    }
    impl<T> Method<T> for Vec<T> {
        #[inline]
        fn old_pop_if(&mut self, is: impl FnOnce(&mut T) -> bool) -> Option<T> {
            match self.last_mut().map_or(false, is) {
                true => self.pop(),
                false => None,
            }
        }
    }
}

pub mod first_chunk {
    pub trait Method<T> {
        fn old_first_chunk<const N: usize>(&self) -> Option<&[T; N]>;
    }
    impl<T> Method<T> for [T] {
        #[inline]
        fn old_first_chunk<const N: usize>(&self) -> Option<&[T; N]> {
            self.get(..N)?.try_into().ok()
        }
    }
}

pub mod split_first_chunk {
    pub trait Method<T> {
        fn old_split_first_chunk<const N: usize>(&self) -> Option<(&[T; N], &[T])>;
    }
    impl<T> Method<T> for [T] {
        #[inline]
        fn old_split_first_chunk<const N: usize>(&self) -> Option<(&[T; N], &[T])> {
            Some((self.get(..N)?.try_into().ok()?, &self[N..]))
        }
    }
}

pub mod split_at_checked {
    pub trait Method {
        type Part: ?Sized;
        fn old_split_at_checked(&self, at: usize) -> Option<(&Self::Part, &Self::Part)>;
    }
    impl<T> Method for [T] {
        type Part = [T];
        #[inline]
        fn old_split_at_checked(&self, at: usize) -> Option<(&[T], &[T])> {
            Some((self.get(..at)?, &self[at..]))
        }
    }
    impl Method for str {
        type Part = str;
        #[inline]
        fn old_split_at_checked(&self, at: usize) -> Option<(&str, &str)> {
            Some((self.get(..at)?, &self[at..]))
        }
    }
}

pub mod is_sorted {
    pub trait Method {
        fn old_is_sorted(&self) -> bool;
    }
    impl<T: PartialOrd> Method for [T] {
        fn old_is_sorted(&self) -> bool {
            self.windows(2).all(|pair| pair[0] <= pair[1])
        }
    }
}

pub mod each_ref {
    pub trait Method<T, const N: usize> {
        fn old_each_ref(&self) -> [&T; N];
    }
    impl<T, const N: usize> Method<T, N> for [T; N] {
        #[inline]
        fn old_each_ref(&self) -> [&T; N] {
            std::array::from_fn(|at| &self[at])
        }
    }
}

pub mod repeat_n {
    pub fn repeat_n<T: Clone>(value: T, times: usize) -> std::iter::Take<std::iter::Repeat<T>> {
        std::iter::repeat(value).take(times)
    }
}

pub mod black_box {
    #[inline(never)]
    pub fn black_box<T>(value: T) -> T {
        value
    }
}

pub mod read_to_string {
    pub fn read_to_string<R: std::io::Read>(mut from: R) -> std::io::Result<String> {
        let mut text = String::new();
        from.read_to_string(&mut text).map(|_| text)
    }
}

pub mod from_ref {
    #[inline]
    pub fn from_ref<T: ?Sized>(value: &T) -> *const T {
        value
    }
}

pub mod try_from_secs_f64 {
    use std::time::Duration;
    #[derive(Clone, PartialEq, Eq, Debug)]
    pub struct TryFromFloatSecsError;
    pub trait Method: Sized {
        fn old_try_from_secs_f64(seconds: f64) -> Result<Self, TryFromFloatSecsError>;
    }
    impl Method for Duration {
        fn old_try_from_secs_f64(seconds: f64) -> Result<Duration, TryFromFloatSecsError> {
            // The first number of seconds that is too large is 2^64.
            match seconds >= 0.0 && seconds < 18_446_744_073_709_551_616.0 {
                true => Ok(Duration::from_secs_f64(seconds)),
                false => Err(TryFromFloatSecsError),
            }
        }
    }
}

/// No method of the standard library, but what a pattern that is a range asks of a value behind any number of borrows.
pub mod is_in_range_pattern {
    pub trait Method: Sized {
        fn old_is_in_range_pattern(&self, range: impl std::ops::RangeBounds<Self>) -> bool;
    }
    macro_rules! is_in_range_pattern_of { ($($of:ty)*) => { $(impl Method for $of {
        #[inline]
        fn old_is_in_range_pattern(&self, range: impl std::ops::RangeBounds<Self>) -> bool {
            range.contains(self)
        }
    })* } }
    is_in_range_pattern_of!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize char);
}

pub mod once_lock {
    use std::sync::{Mutex, PoisonError};
    /// Its value is never freed.
    pub struct OnceLock<T: 'static>(Mutex<Option<&'static T>>);
    impl<T> OnceLock<T> {
        pub const fn new() -> Self {
            OnceLock(Mutex::new(None))
        }
        pub fn get(&self) -> Option<&T> {
            *self.0.lock().unwrap_or_else(PoisonError::into_inner)
        }
        pub fn set(&self, value: T) -> Result<(), T> {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if kept.is_some() {
                return Err(value);
            }
            *kept = Some(Box::leak(Box::new(value)));
            Ok(())
        }
        pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            *kept.get_or_insert_with(|| Box::leak(Box::new(make())))
        }
    }
}

pub mod lazy_lock {
    pub struct LazyLock<T: 'static> {
        value: super::once_lock::OnceLock<T>,
        make: fn() -> T,
    }
    impl<T> LazyLock<T> {
        pub const fn new(make: fn() -> T) -> Self {
            LazyLock { value: super::once_lock::OnceLock::new(), make }
        }
    }
    impl<T> std::ops::Deref for LazyLock<T> {
        type Target = T;
        fn deref(&self) -> &T {
            self.value.get_or_init(self.make)
        }
    }
}

pub mod captures {
    /// Every type, so that `impl Trait + Captures<'a>` may hold what has the lifetime.
    pub trait Captures<'a> {}
    impl<'a, T: ?Sized> Captures<'a> for T {}
}
