//! Large zeroed memory, asked for and not demanded: it may be refused, and the system hands out its pages when they are
//! first touched, so that a table of many gigabytes is there at once.
//!
//! The one `unsafe` block of the crate. Without it there is no memory that is fallible and lazy: a `Vec` that is reserved
//! fallibly is zeroed by hand, and `vec![0; n]` ends the process when it is refused. Gain: a table of 4 GiB is had in
//! microseconds instead of seconds, during which no command was served and the clock of the first search ran out.

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
