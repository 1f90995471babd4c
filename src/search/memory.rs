//! Large blocks of memory for tables: zeroed, in huge pages where the system has them.
//!
//! The only unsafe code of the search besides a prefetch. It does not know the contents of a table.

use std::ops::Deref;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// How many words [`Words::populate`] makes ready between two looks at the clock: 64 MiB.
const POPULATED_AT_ONCE: usize = (64 << 20) / size_of::<AtomicU64>();

/// A block of words that are zero at first.
///
/// On Linux it is mapped for itself. The allocator would keep large blocks when they are freed: a
/// server would need more and more memory.
pub struct Words {
    start: NonNull<AtomicU64>,
    count: usize,
    is_mapped: bool,
}

// SAFETY: the block owns its words, and words are atomic.
unsafe impl Send for Words {}
// SAFETY: as above.
unsafe impl Sync for Words {}

impl Words {
    /// `count` zeroed words. If there is not enough memory, half as many, and so on down to `least`.
    ///
    /// The system zeroes a page when it is first touched, so a large block is there at once, and
    /// [`Words::populate`] makes it ready.
    pub fn new(mut count: usize, least: usize) -> Words {
        while count > least {
            if let Some(start) = map(count) {
                return Words { start, count, is_mapped: true };
            }
            count /= 2;
        }
        Words::boxed((0..least).map(|_| AtomicU64::new(0)).collect())
    }

    /// Lets the system find the memory of the words now, not when each page is first touched. Best effort.
    ///
    /// Returns false if `limit` has passed before the end. The next call goes on: it takes hardly any time for what
    /// is there already.
    pub fn populate(&self, limit: Duration) -> bool {
        if !self.is_mapped {
            return true;
        }
        let start = Instant::now();
        self.chunks(POPULATED_AT_ONCE).all(|words| {
            let is_in_time = start.elapsed() < limit;
            if is_in_time {
                populate(words);
            }
            is_in_time
        })
    }

    fn boxed(words: Box<[AtomicU64]>) -> Words {
        let count = words.len();
        let start = NonNull::from(Box::leak(words)).cast();
        Words { start, count, is_mapped: false }
    }
}

impl Default for Words {
    /// No words.
    fn default() -> Words {
        Words::boxed(Box::default())
    }
}

impl Deref for Words {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: the block has `count` valid words as long as `self` lives.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.count) }
    }
}

impl Drop for Words {
    fn drop(&mut self) {
        if self.is_mapped {
            // SAFETY: `map` has made the block, and nothing refers to it any more.
            unsafe { unmap(self.start, self.count) };
        } else {
            let words = ptr::slice_from_raw_parts_mut(self.start.as_ptr(), self.count);
            // SAFETY: the block was a box of this length, and nothing refers to it any more.
            drop(unsafe { Box::from_raw(words) });
        }
    }
}

/// Maps zeroed words; `None` if there is not enough memory.
#[cfg(target_os = "linux")]
fn map(count: usize) -> Option<NonNull<AtomicU64>> {
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};

    let size = count.checked_mul(size_of::<AtomicU64>())?;
    let access = ProtFlags::READ | ProtFlags::WRITE;
    // SAFETY: a new mapping changes no memory that is in use.
    let block = unsafe { mmap_anonymous(ptr::null_mut(), size, access, MapFlags::PRIVATE) }.ok()?;
    prefer_huge_pages(block.cast(), size);
    NonNull::new(block.cast())
}

/// # Safety
/// The block must come from [`map`] with this count, and nothing may refer to it.
#[cfg(target_os = "linux")]
unsafe fn unmap(start: NonNull<AtomicU64>, count: usize) {
    // SAFETY: promised by the caller. It does not fail for a mapping that exists.
    let _ = unsafe { rustix::mm::munmap(start.as_ptr().cast(), count * size_of::<AtomicU64>()) };
}

/// Asks Linux to use pages of 2 MiB for a mapped block: probes of a large table then miss the TLB
/// less often, and the program ends faster.
#[cfg(target_os = "linux")]
fn prefer_huge_pages(block: *mut u8, size: usize) {
    use rustix::mm::{Advice, madvise};

    const PAGE: usize = 2 << 20;
    let start = block.align_offset(PAGE);
    let length = size.saturating_sub(start) / PAGE * PAGE;
    if length > 0 {
        let range = block.wrapping_add(start).cast();
        // SAFETY: the range lies within the block. The advice changes no byte of it.
        // Best effort: ignore a refusal.
        let _ = unsafe { madvise(range, length, Advice::LinuxHugepage) };
    }
}

/// Lets the system find the pages of mapped words. It refuses before Linux 5.14; then nothing is lost.
#[cfg(target_os = "linux")]
fn populate(words: &[AtomicU64]) {
    use rustix::mm::{Advice, madvise};

    let start = words.as_ptr().cast_mut().cast();
    // SAFETY: the words are valid. The advice changes no byte of them.
    let _ = unsafe { madvise(start, size_of_val(words), Advice::LinuxPopulateWrite) };
}

#[cfg(not(target_os = "linux"))]
fn populate(_words: &[AtomicU64]) {}

/// Allocates zeroed words; `None` if there is not enough memory.
#[cfg(not(target_os = "linux"))]
fn map(count: usize) -> Option<NonNull<AtomicU64>> {
    use std::alloc::{Layout, alloc_zeroed};

    let layout = Layout::array::<AtomicU64>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the size of the layout is not zero. Zero bits are valid words.
    NonNull::new(unsafe { alloc_zeroed(layout) }.cast())
}

/// # Safety
/// The block must come from [`map`] with this count, and nothing may refer to it.
#[cfg(not(target_os = "linux"))]
unsafe fn unmap(start: NonNull<AtomicU64>, count: usize) {
    use std::alloc::{Layout, dealloc};

    if let Ok(layout) = Layout::array::<AtomicU64>(count) {
        // SAFETY: `map` has allocated the block with this layout.
        unsafe { dealloc(start.as_ptr().cast(), layout) };
    }
}

/// Can a block of this many bytes be allocated now?
pub fn has_room(bytes: usize) -> bool {
    let mut block = Vec::<u8>::new();
    let is_granted = block.try_reserve_exact(bytes).is_ok();
    // Keeps the compiler from leaving out an allocation that is not used.
    std::hint::black_box(&mut block);
    is_granted
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn words_are_zero_and_can_be_written() {
        let words = Words::new(100_000, 8);
        assert_eq!(words.len(), 100_000);
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
        words[99_999].store(7, Relaxed);
        assert!(words.populate(Duration::MAX));
        assert_eq!((words[0].load(Relaxed), words[99_999].load(Relaxed)), (0, 7));
    }

    #[test]
    fn populating_ends_with_its_time() {
        let words = Words::new(2 * POPULATED_AT_ONCE, 8);
        assert!(!words.populate(Duration::ZERO));
    }

    #[test]
    fn too_many_words_become_fewer() {
        let words = Words::new(usize::MAX / 2, 8);
        assert!((8..usize::MAX / 4).contains(&words.len()));
        assert_eq!((Words::new(8, 8).len(), Words::default().len()), (8, 0));
    }

    #[test]
    fn there_is_room_for_little_and_not_for_all() {
        assert!(has_room(1 << 20));
        assert!(!has_room(isize::MAX as usize));
    }
}
