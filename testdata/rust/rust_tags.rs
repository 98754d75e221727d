// Enums whose tags are chosen: with data, below 0, above 2^63, of 128 bits. Not all of it is stable Rust.
//
// RUSTC_BOOTSTRAP=1 rustc -g -C opt-level=0 rust_tags.rs
//
// At the line `end` every leaf of main's is what the program prints (cli/rust_test.py).
#![feature(arbitrary_enum_discriminant, repr128)]
#![allow(dead_code, incomplete_features)]
mod leaf;
use leaf::{leaf, look, opaque};

#[repr(u8)]
enum Small {
    A(u8) = 3,
    B { x: i16 } = 200,
    C = 255,
}
#[repr(i16)]
enum Negative {
    Minus(u16) = -2,
    Plus(u16) = 2,
}
#[repr(u64)]
enum Large {
    Low(u8) = 1,
    High(u8) = 0xffff_ffff_ffff_fff0,
}
#[repr(u128)]
enum Huge {
    Low(u8) = 1,
    High(u8) = 1 << 100,
}
#[repr(i128)]
#[derive(Clone, Copy)]
enum Plain {
    Low = -1,
    High = 1 << 100,
}

fn main() {
    let small = [Small::A(opaque(1)), Small::B { x: opaque(-2) }, Small::C];
    let minus = Negative::Minus(opaque(65535));
    let plus = Negative::Plus(opaque(1));
    let low = Large::Low(opaque(1));
    let high = Large::High(opaque(2));
    let huge_low = Huge::Low(opaque(3));
    let huge_high = Huge::High(opaque(4));
    let plain_low = opaque(Plain::Low);
    let plain_high = opaque(Plain::High);
    look(&(&small, &minus, &plus, &low, &high, &huge_low, &huge_high, &plain_low, &plain_high));
    look(&plus); // end
    look(&(&small, &minus, &plus, &low, &high, &huge_low, &huge_high, &plain_low, &plain_high));
    if cfg!(quiet) {
        return;
    }

    if let Small::A(a) = small[0] {
        leaf("small[0].A.__0", a);
    }
    if let Small::B { x } = small[1] {
        leaf("small[1].B.x", x);
    }
    if let Small::C = small[2] {
        leaf("small[2].C", "{}");
    }
    if let Negative::Minus(number) = minus {
        leaf("minus.Minus.__0", number);
    }
    if let Negative::Plus(number) = plus {
        leaf("plus.Plus.__0", number);
    }
    if let Large::Low(number) = low {
        leaf("low.Low.__0", number);
    }
    if let Large::High(number) = high {
        leaf("high.High.__0", number);
    }
    if let Huge::Low(number) = huge_low {
        leaf("huge_low.Low.__0", number);
    }
    // Of Huge::High rustc 1.63 writes the lower 64 bits of the tag, 0: xstep finds no variant, and says so.
    leaf("plain_low", plain_low as i128);
    leaf("plain_high", plain_high as i128);
}
