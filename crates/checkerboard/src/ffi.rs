//! What CheckerBoard calls. All that is unsafe is here: pointers from the GUI in, plain values on.
//!
//! The GUI promises what its header says: a board is 64 `int`s, a status line and a reply have room for 1024 characters,
//! a command ends with a zero, the flag and the move are one `int` and one `CBmove`; all of them stay while a call lasts.
//! It reads the status line and writes the flag from other threads meanwhile, so that both are touched as atomics alone.
//! Null pointers are answered, not followed. A panic ends here: it never reaches the GUI.

#![allow(unsafe_code)]

use crate::board::{Board, CbMove};
use crate::commands::{REPLY, Settings};
use crate::player::{Answer, Claim, Player, Question, limits};
use crate::variant::Variant;
use std::ffi::{CStr, c_char, c_double, c_int};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

/// Room for a status line, its zero included.
const STATUS: usize = 1024;
/// Bit 0 of `info`: a new game, or a jump within one.
const RESET: c_int = 1;
/// How long a second search waits before it looks again whether the first has ended.
const PAUSE: Duration = Duration::from_millis(1);

/// What has been set. Never held during a search: the GUI asks for settings meanwhile.
static SETTINGS: Mutex<Option<Settings>> = Mutex::new(None);
/// The engine, which is held by a search.
static PLAYER: Mutex<Player> = Mutex::new(Player::idle());

/// Takes a lock; what a panic has left behind it is whole, as all under it is replaced at once.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Looks at the settings, or changes them. The first look chooses the game.
fn with_settings<T>(look: impl FnOnce(&mut Settings) -> T) -> T {
    look(lock(&SETTINGS).get_or_insert_with(|| Settings::new(chosen())))
}

/// The game of this copy of the library: named by its file, else by the environment, else Italian.
fn chosen() -> Variant {
    let file = own_file().as_deref().and_then(Variant::of_file);
    let environment = || std::env::var("SOFFIO_VARIANT").ok().as_deref().and_then(Variant::named);
    file.or_else(environment).unwrap_or(Variant::Italian)
}

/// CheckerBoard's `getmove`: plays on `board` and gives 0 for a draw, 1 for a win, 2 for a loss, 3 for none of them known.
///
/// # Safety
/// Each pointer is null or points to what CheckerBoard's header says, for the length of the call.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn getmove(
    board: *mut Board,
    color: c_int,
    maxtime: c_double,
    status: *mut c_char,
    playnow: *mut c_int,
    info: c_int,
    moreinfo: c_int,
    mv: *mut CbMove,
) -> c_int {
    let claim = catch_unwind(AssertUnwindSafe(|| {
        if board.is_null() {
            return Claim::Unknown;
        }
        // SAFETY: not null, and the GUI lends us 64 ints.
        let position = unsafe { board.read() };
        let question = Question {
            board: position,
            color,
            limits: limits(maxtime, info, moreinfo),
            reset: info & RESET != 0,
        };
        // SAFETY: the GUI lends us the flag and the status line for the length of the call.
        let stop = || unsafe { is_set(playnow) };
        // SAFETY: as before.
        let mut tell = |line: &str| unsafe { write_text(status, STATUS, line) };
        let answer = think(&question, &stop, &mut tell);
        tell(&answer.status);
        if let Some((after, described)) = answer.after {
            // SAFETY: not null, and the GUI lends us 64 ints.
            unsafe { board.write(after) };
            if !mv.is_null() {
                // SAFETY: not null, and the GUI lends us a CBmove.
                unsafe { mv.write(described) };
            }
        }
        answer.claim
    }));
    claim.unwrap_or(Claim::Unknown) as c_int
}

/// Searches with the settings as they are. A search that is still under way is waited for: a GUI that has given one up
/// asks the next from another thread.
fn think(question: &Question, stop: &dyn Fn() -> bool, tell: &mut dyn FnMut(&str)) -> Answer {
    let mut player = loop {
        match PLAYER.try_lock() {
            Ok(player) => break player,
            Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
        }
    };
    let settings = with_settings(|settings| settings.clone());
    player.think(&settings, question, stop, tell)
}

/// CheckerBoard's `enginecommand`: 1 if the command was obeyed, with the answer in `reply`, else 0 and `?`.
///
/// # Safety
/// As for [`getmove`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn enginecommand(command: *const c_char, reply: *mut c_char) -> c_int {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        if command.is_null() {
            return None;
        }
        // SAFETY: not null, and the GUI ends it with a zero.
        let command = unsafe { CStr::from_ptr(command) }.to_string_lossy();
        with_settings(|settings| settings.command(&command))
    }));
    let answer = answer.ok().flatten();
    // SAFETY: the GUI lends us room for a reply.
    unsafe { write_text(reply, REPLY, answer.as_deref().unwrap_or("?")) };
    c_int::from(answer.is_some())
}

/// CheckerBoard's `islegal`: 1 if there is a move between two squares, which then is described in `mv`, else 0.
///
/// # Safety
/// As for [`getmove`].
#[unsafe(no_mangle)]
pub unsafe extern "system" fn islegal(
    board: *const Board,
    color: c_int,
    from: c_int,
    to: c_int,
    mv: *mut CbMove,
) -> c_int {
    let found = catch_unwind(AssertUnwindSafe(|| {
        if board.is_null() {
            return None;
        }
        // SAFETY: not null, and the GUI lends us 64 ints.
        let position = unsafe { board.read() };
        let (from, to) = (usize::try_from(from).ok()?, usize::try_from(to).ok()?);
        with_settings(|settings| settings.clone()).legal_move(&position, color, from, to)
    }));
    let Some(found) = found.ok().flatten() else { return 0 };
    if !mv.is_null() {
        // SAFETY: not null, and the GUI lends us a CBmove.
        unsafe { mv.write(found) };
    }
    1
}

/// Whether a flag of the GUI is set; another thread may set it now.
///
/// # Safety
/// `flag` is null or points to an `int` that stays.
unsafe fn is_set(flag: *mut c_int) -> bool {
    // SAFETY: not null, aligned as an int is, and nobody here touches it otherwise.
    !flag.is_null() && unsafe { AtomicI32::from_ptr(flag) }.load(Ordering::Relaxed) != 0
}

/// Writes a text and a zero, cut to the room there is. Another thread may read meanwhile, and finds a zero in any case.
///
/// # Safety
/// `to` is null or points to `room` characters that stay.
unsafe fn write_text(to: *mut c_char, room: usize, text: &str) {
    if to.is_null() {
        return;
    }
    let mut length = text.len().min(room - 1);
    while !text.is_char_boundary(length) {
        length -= 1;
    }
    let bytes = text.as_bytes()[..length].iter().copied().filter(|byte| *byte != 0);
    let set = |index: usize, byte: u8| {
        // SAFETY: the index is below `room`; a byte is aligned anywhere, and nobody here touches it otherwise.
        unsafe { AtomicU8::from_ptr(to.cast::<u8>().add(index)) }.store(byte, Ordering::Relaxed);
    };
    set(length, 0);
    let written = bytes.enumerate().map(|(index, byte)| set(index, byte)).count();
    set(written, 0);
}

/// The name of the file that this library was loaded from.
#[cfg(unix)]
fn own_file() -> Option<String> {
    let mut found = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: the address is of this library, and `found` has room for the answer.
    let known = unsafe { libc::dladdr((own_file as fn() -> Option<String>) as *const _, found.as_mut_ptr()) };
    if known == 0 {
        return None;
    }
    // SAFETY: it is filled in, as the call has succeeded; before that it was zero, which is no bad value of it.
    let name = unsafe { found.assume_init() }.dli_fname;
    if name.is_null() {
        return None;
    }
    // SAFETY: a name that the loader keeps while the library is loaded, with a zero at its end.
    let path = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    path.rsplit('/').next().map(str::to_owned)
}

/// The name of the file that this library was loaded from.
#[cfg(windows)]
fn own_file() -> Option<String> {
    use std::ffi::c_void;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetModuleHandleExW(flags: u32, address: *const c_void, module: *mut *mut c_void) -> i32;
        fn GetModuleFileNameW(module: *mut c_void, name: *mut u16, room: u32) -> u32;
    }
    /// The address is within the module, whose count of users stays as it is.
    const FROM_ADDRESS_UNCHANGED: u32 = 4 | 2;
    const ROOM: usize = 1024;

    let mut module = std::ptr::null_mut();
    let address = own_file as fn() -> Option<String> as *const c_void;
    // SAFETY: the address is of this library, and `module` has room for the answer.
    if unsafe { GetModuleHandleExW(FROM_ADDRESS_UNCHANGED, address, &mut module) } == 0 {
        return None;
    }
    let mut name = [0u16; ROOM];
    // SAFETY: `name` has the room that is said.
    let length = unsafe { GetModuleFileNameW(module, name.as_mut_ptr(), ROOM as u32) };
    let path = String::from_utf16_lossy(name.get(..length as usize)?);
    path.rsplit(['\\', '/']).next().map(str::to_owned)
}

/// The name of the file that this library was loaded from, which nobody knows on this system.
#[cfg(not(any(unix, windows)))]
fn own_file() -> Option<String> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_and_ended() {
        let mut room = [1 as c_char; 8];
        let written = |room: &mut [c_char; 8], text: &str| {
            // SAFETY: there is room for 8 characters.
            unsafe { write_text(room.as_mut_ptr(), 8, text) };
            // SAFETY: it has just been ended.
            unsafe { CStr::from_ptr(room.as_ptr()) }.to_str().unwrap().to_owned()
        };
        assert_eq!(written(&mut room, "abc"), "abc");
        assert_eq!(written(&mut room, "abcdefghij"), "abcdefg");
        assert_eq!(written(&mut room, "abcdef\u{e9}"), "abcdef", "characters are not cut");
        assert_eq!(written(&mut room, "a\0b"), "ab");
        assert_eq!(written(&mut room, ""), "");
    }

    #[test]
    fn null_pointers_are_answered() {
        use std::ptr::{null, null_mut};
        // SAFETY: all are null.
        unsafe {
            assert_eq!(getmove(null_mut(), 1, 1.0, null_mut(), null_mut(), 0, 0, null_mut()), 3);
            assert_eq!(enginecommand(null(), null_mut()), 0);
            assert_eq!(islegal(null(), 1, 1, 1, null_mut()), 0);
        }
    }
}
