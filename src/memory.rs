//! Large zeroed memory, asked for and not demanded: it may be refused, and the system hands out its pages when they are
//! first touched, so that a table of many gigabytes is there at once.
//!
//! The `unsafe` blocks of the library are here. Without the first there is no memory that is fallible and lazy: a `Vec`
//! that is reserved fallibly is zeroed by hand, and `vec![0; n]` ends the process when it is refused. Gain: a table of
//! 4 GiB is had in microseconds instead of seconds, during which no command was served and the clock of the first search
//! ran out. The other two make random access fast: large pages and prefetching.

use std::sync::atomic::AtomicU64;

/// Two words that threads share.
pub type Pair = [AtomicU64; 2];

/// `count` pairs of zeros, or `None` if there is not so much memory.
#[allow(unsafe_code)]
pub fn zeroed(count: usize) -> Option<Box<[Pair]>> {
    use std::alloc::{Layout, alloc_zeroed};
    let layout = Layout::array::<Pair>(count).ok()?;
    if layout.size() == 0 {
        return Some(Box::default());
    }
    // SAFETY: the layout is not empty. A pointer that is not null is to `count` pairs of the global allocator, aligned
    // and all bits zero, which is a valid `AtomicU64`; nobody else has it, and the box frees it by the same layout.
    unsafe {
        let first = alloc_zeroed(layout).cast::<Pair>();
        (!first.is_null()).then(|| Box::from_raw(std::ptr::slice_from_raw_parts_mut(first, count)))
    }
    .inspect(|pairs| use_large_pages(pairs))
}

/// Asks the system for large pages where whole ones fit; whether it grants them is its affair.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn use_large_pages(pairs: &[Pair]) {
    use nix::sys::mman::{MmapAdvise, madvise};
    const LARGE: usize = 2 << 20;
    let range = pairs.as_ptr_range();
    let first = (range.start as usize).next_multiple_of(LARGE);
    let length = (range.end as usize).saturating_sub(first) / LARGE * LARGE;
    let start = std::ptr::NonNull::new(first as *mut std::ffi::c_void);
    if let Some(start) = start.filter(|_| length > 0) {
        // SAFETY: the range lies within `pairs`, and the advice changes no contents.
        if let Err(error) = unsafe { madvise(start, length, MmapAdvise::MADV_HUGEPAGE) } {
            log::debug!("no large pages: {error}");
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn use_large_pages(_: &[Pair]) {}

/// Begins to fetch a pair into the cache.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch(pair: &Pair) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE is part of x86-64, and fetching what a reference points to has no effect but on speed.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(pair).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = pair;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn zeros_or_nothing() {
        let pairs = zeroed(1000).unwrap();
        assert!(pairs.len() == 1000 && pairs.iter().flatten().all(|word| word.load(Relaxed) == 0));
        pairs[999][1].store(7, Relaxed);
        assert_eq!(pairs[999][1].load(Relaxed), 7);
        assert!(zeroed(0).unwrap().is_empty());
        // An allocation that nobody looks at may be optimised away, and then it is never refused.
        for too_many in [usize::MAX, usize::MAX / 64] {
            assert!(black_box(zeroed(black_box(too_many))).is_none());
        }
    }
}
