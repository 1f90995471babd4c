//! Large blocks of memory for tables: zeroed, in huge pages where the system has them.
//!
//! The only unsafe code of the search besides a prefetch. It does not know the contents of a table.

use std::alloc::{Layout, alloc_zeroed};
use std::ptr;
use std::sync::atomic::AtomicU64;

/// `count` zeroed words. If there is not enough memory, half as many, and so on down to `least`.
///
/// The system zeroes a page when it is first touched, so a large block is ready at once. That holds
/// for blocks of the default alignment only.
pub fn allocate_zeroed(mut count: usize, least: usize) -> Box<[AtomicU64]> {
    while count > least {
        if let Ok(layout) = Layout::array::<AtomicU64>(count) {
            // SAFETY: the size of the layout is not zero. A block that is not null has the layout of
            // a boxed slice of `count` words, and zero bits are valid words.
            unsafe {
                let block = alloc_zeroed(layout).cast::<AtomicU64>();
                if !block.is_null() {
                    prefer_huge_pages(block.cast(), layout.size());
                    return Box::from_raw(ptr::slice_from_raw_parts_mut(block, count));
                }
            }
        }
        count /= 2;
    }
    (0..least).map(|_| AtomicU64::new(0)).collect()
}

/// Asks Linux to use pages of 2 MiB for the block: probes of a large table then miss the TLB less
/// often, and the program ends faster.
///
/// # Safety
/// The block must be allocated, and nothing may refer to it yet.
unsafe fn prefer_huge_pages(block: *mut u8, size: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 2 << 20;
        let start = block.align_offset(PAGE);
        let length = size.saturating_sub(start) / PAGE * PAGE;
        if length > 0 {
            // SAFETY: the range lies within the block. The advice changes no byte of it.
            // Best effort: ignore a refusal.
            let _ =
                unsafe { madvise(block.wrapping_add(start).cast(), length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (block, size);
}

/// Can a block of this many bytes be allocated now?
pub fn has_room(bytes: usize) -> bool {
    let mut block = Vec::<u8>::new();
    let is_granted = block.try_reserve_exact(bytes).is_ok();
    // Keeps the compiler from leaving out an allocation that is not used.
    std::hint::black_box(&mut block);
    is_granted
}
