// Numbers of all widths, char, tuples, arrays, unions, generics, packed structs, (), statics and constants, bindings
// that hide others, modules within modules, methods.
//
// rustc -g -C opt-level=0 rust_scalars.rs
//
// At the line `end` every leaf of main's is what the program prints; so are those of methods at `inner`
// (cli/rust_test.py).
#![allow(dead_code)]
mod leaf;
use leaf::{leaf, look, opaque};
use std::marker::PhantomData;

static GREETING: &str = "hello";
static mut COUNTER: u32 = 3;
static TABLE: [i16; 3] = [-1, 0, 1];
const LIMIT: u64 = 9;

mod outer {
    pub static DEPTH: u8 = 1;
    pub mod inner {
        pub static DEPTH: u8 = 2;
        #[derive(Clone, Copy)]
        pub struct Point<T> {
            pub x: T,
            pub y: T,
        }
        impl<T: Copy + std::ops::Add<Output = T> + crate::leaf::Leaf> Point<T> {
            #[inline(never)]
            pub fn moved(self, by: T) -> Point<T> {
                let x = self.x + by;
                crate::leaf::look(&(&self, &by, &x)); // inner
                Point { x, y: self.y + by }
            }
        }
    }
    #[inline(never)]
    pub fn deep(depth: u32) -> u32 {
        let depth = depth + DEPTH as u32;
        let depth = depth + inner::DEPTH as u32;
        depth
    }
}
use outer::inner::Point;

#[derive(Clone, Copy)]
union Either {
    number: u32,
    bytes: [u8; 4],
    float: f32,
}
#[repr(C, packed)]
#[derive(Clone, Copy)]
struct Packed {
    byte: u8,
    word: u32,
    wide: u64,
}
#[derive(Clone, Copy)]
struct Unit;
#[derive(Clone, Copy)]
struct Meters(f32);
struct Tagged<T> {
    value: u8,
    tag: PhantomData<T>,
}
struct Grid<const N: usize> {
    cells: [u8; N],
}
#[inline(never)]
fn fail(code: i32) -> ! {
    std::process::exit(code)
}
#[inline(never)]
fn largest<T: PartialOrd + Copy>(of: &[T]) -> T {
    let mut best = of[0];
    for one in of {
        if *one > best {
            best = *one;
        }
    }
    best
}

fn main() {
    let i8 = opaque(-128i8);
    let u8 = opaque(255u8);
    let i16 = opaque(-300i16);
    let u16 = opaque(65535u16);
    let i32 = opaque(-70000i32);
    let u32 = opaque(4000000000u32);
    let i64 = opaque(i64::MIN);
    let u64 = opaque(u64::MAX);
    let i128 = opaque(i128::MIN + 1);
    let u128 = opaque(u128::MAX - 1);
    let isize = opaque(-1isize);
    let usize = opaque(1usize);
    let f32 = opaque(0.5f32);
    let f64 = opaque(-1234.0625f64);
    let yes = opaque(true);
    let letter = opaque('λ');
    let tuple = (opaque(1u8), opaque(-2i64), (opaque('z'), opaque(true)));
    let array = [[opaque(1i32), 2], [3, 4], [5, 6]];
    let empty: [u8; 0] = [];
    let tuples = [(opaque(1u8), 2u16), (3, 4)];
    let either = Either { number: opaque(0x3f000000) };
    let packed = Packed { byte: opaque(1), word: opaque(2), wide: opaque(3) };
    let unit = ();
    let nothing = Unit;
    let meters = Meters(opaque(2.5));
    let tagged: Tagged<u64> = Tagged { value: opaque(4), tag: PhantomData };
    let grid = Grid::<3> { cells: [opaque(1), 2, 3] };
    let point = Point { x: opaque(1i32), y: 2 };
    let floats = Point { x: opaque(0.5f64), y: 2.0 };
    let moved = point.moved(opaque(10));
    let shadow = opaque(1u8);
    look(&shadow);
    let shadow = shadow as i32 - 2;
    let best = (largest(&array[1]), largest(&[floats.x, floats.y]));
    let depth = outer::deep(opaque(4));
    look(&(&i8, &u8, &i16, &u16, &i32, &u32, &i64, &u64, &i128, &u128, &isize, &usize));
    look(&(&f32, &f64, &yes, &letter, &tuple, &array, &empty, &tuples, &either, &packed, &unit, &nothing));
    look(&(&meters, &tagged, &grid, &point, &floats, &moved, &shadow, &best, &depth));
    look(&(&outer::DEPTH, &outer::inner::DEPTH));
    look(&depth); // end
    look(&(&i8, &u8, &i16, &u16, &i32, &u32, &i64, &u64, &i128, &u128, &isize, &usize));
    look(&(&f32, &f64, &yes, &letter, &tuple, &array, &empty, &tuples, &either, &packed, &unit, &nothing));
    look(&(&meters, &tagged, &grid, &point, &floats, &moved, &shadow, &best, &depth));
    if cfg!(quiet) {
        return;
    }

    leaf("i8", i8);
    leaf("u8", u8);
    leaf("i16", i16);
    leaf("u16", u16);
    leaf("i32", i32);
    leaf("u32", u32);
    leaf("i64", i64);
    leaf("u64", u64);
    leaf("i128", i128);
    leaf("u128", u128);
    leaf("isize", isize);
    leaf("usize", usize);
    leaf("f32", f32);
    leaf("f64", f64);
    leaf("yes", yes);
    leaf("letter", letter);
    leaf("tuple.__0", tuple.0);
    leaf("tuple.__1", tuple.1);
    leaf("tuple.__2.__0", (tuple.2).0);
    leaf("tuple.__2.__1", (tuple.2).1);
    for i in 0..3 {
        for j in 0..2 {
            leaf(&format!("array[{}][{}]", i, j), array[i][j]);
        }
        leaf(&format!("grid.cells[{}]", i), grid.cells[i]);
        leaf(&format!("rust_scalars::TABLE[{}]", i), TABLE[i]);
    }
    for i in 0..2 {
        leaf(&format!("tuples[{}].__0", i), tuples[i].0);
        leaf(&format!("tuples[{}].__1", i), tuples[i].1);
    }
    unsafe {
        leaf("either.number", either.number);
        for i in 0..4 {
            leaf(&format!("either.bytes[{}]", i), either.bytes[i]);
        }
        leaf("either.float", either.float);
        leaf("rust_scalars::COUNTER", COUNTER);
    }
    leaf("packed.byte", packed.byte);
    leaf("packed.word", packed.word);
    leaf("packed.wide", packed.wide);
    leaf("meters.__0", meters.0);
    leaf("tagged.value", tagged.value);
    leaf("point.x", point.x);
    leaf("point.y", point.y);
    leaf("floats.x", floats.x);
    leaf("floats.y", floats.y);
    leaf("moved.x", moved.x);
    leaf("moved.y", moved.y);
    leaf("shadow", shadow);
    leaf("best.__0", best.0);
    leaf("best.__1", best.1);
    leaf("depth", depth);
    leaf("rust_scalars::GREETING.data_ptr", GREETING.as_ptr());
    leaf("rust_scalars::GREETING.length", GREETING.len());
    leaf("rust_scalars::outer::DEPTH", outer::DEPTH);
    leaf("rust_scalars::outer::inner::DEPTH", outer::inner::DEPTH);
    if LIMIT == opaque(0) {
        fail(1);
    }
}
