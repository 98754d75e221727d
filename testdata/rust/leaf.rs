// What the subjects in this folder print of themselves: one line `leaf PATH VALUE` for each leaf, with
// values as xstep writes them. A part of each subject, `mod leaf;`.
#![allow(dead_code)]
pub trait Leaf {
    fn text(&self) -> String;
}
macro_rules! integers {
    ($($type:ty)*) => { $(impl Leaf for $type {
        fn text(&self) -> String { self.to_string() }
    })* };
}
integers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
impl Leaf for bool {
    fn text(&self) -> String {
        (*self as u8).to_string()
    }
}
impl Leaf for char {
    fn text(&self) -> String {
        (*self as u32).to_string()
    }
}
// A text of one's own, such as `{}` of a variant without data.
impl Leaf for &str {
    fn text(&self) -> String {
        self.to_string()
    }
}
impl Leaf for f32 {
    fn text(&self) -> String {
        self.to_string()
    }
}
impl Leaf for f64 {
    fn text(&self) -> String {
        self.to_string()
    }
}
impl<T> Leaf for *const T {
    fn text(&self) -> String {
        format!("{:#x}", *self as usize)
    }
}
pub fn leaf<T: Leaf>(path: &str, value: T) {
    println!("leaf {} {}", path, value.text());
}
// The first word of a reference to something without a size.
pub fn data<T: ?Sized>(of: &T) -> *const u8 {
    of as *const T as *const u8
}
// The second word of one: the address of a table of methods.
pub fn table<T: ?Sized>(of: &T) -> *const u8 {
    let wide: &&T = &of;
    unsafe { *(wide as *const &T as *const *const u8).add(1) }
}
// Keeps values from being known while the program is compiled.
#[inline(never)]
pub fn opaque<T: Copy>(value: T) -> T {
    unsafe { std::ptr::read_volatile(&value) }
}
// What is passed must be in memory, and may be looked at.
#[inline(never)]
pub fn look<T>(value: &T) {
    unsafe { std::ptr::read_volatile(&(value as *const T)) };
}
