// What is behind pointers: slices, str, String, Vec, Box, Rc, RefCell, references to trait objects, closures, functions.
//
// rustc -g -C opt-level=0 rust_heap.rs
//
// At the line `end` every leaf of main's is what the program prints (cli/rust_test.py).
mod leaf;
use leaf::{data, leaf, look, opaque, table};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

trait Speak {
    fn speak(&self) -> i32;
}
struct Cat {
    lives: i32,
}
impl Speak for Cat {
    fn speak(&self) -> i32 {
        self.lives
    }
}
#[inline(never)]
fn apply(function: &dyn Fn(i32) -> i32, to: i32) -> i32 {
    function(to)
}
fn twice(number: i32) -> i32 {
    2 * number
}
#[inline(never)]
fn sum(numbers: &[i32]) -> i32 {
    let mut total = 0;
    for number in numbers {
        total += *number;
    }
    total
}

fn main() {
    let array = [opaque(10), 11, 12, 13];
    let slice = &array[1..3];
    let empty: &[u64] = &[];
    let text = opaque("grüße");
    let tail = &text[2..];
    let string = String::from(text);
    let vector: Vec<i32> = array.to_vec();
    let bytes: Box<[u8]> = vec![opaque(1u8), 2, 3].into_boxed_slice();
    let boxed = Box::new(opaque(42u64));
    let lent = &boxed;
    let counted = Rc::new(opaque(7u16));
    let again = Rc::clone(&counted);
    let weak = Rc::downgrade(&counted);
    let cell = Cell::new(opaque(3i8));
    let shared = RefCell::new(opaque(-4i32));
    let cat = Cat { lives: opaque(9) };
    let speaker: &dyn Speak = &cat;
    let owned: Box<dyn Speak> = Box::new(Cat { lives: 8 });
    let mut count = opaque(100);
    let base = opaque(5);
    let by_value = move |x: i32| x + base;
    let by_reference = |x: i32| x + array[0] + cat.lives;
    let mut changing = |x: i32| count += x;
    changing(1);
    let pointer: fn(i32) -> i32 = opaque(twice);
    let raw: *const i32 = &array[2];
    let total = sum(slice) + apply(&by_value, 1) + apply(&by_reference, 1) + owned.speak() + pointer(1);
    look(&(&array, &slice, &empty, &text, &tail, &string, &vector, &bytes, &boxed, &lent, &counted, &again));
    look(&(&weak, &cell, &shared, &cat, &speaker, &owned, &base, &by_value, &by_reference, &changing, &pointer, &raw));
    look(&changing); // end
    look(&(&array, &slice, &empty, &text, &tail, &string, &vector, &bytes, &boxed, &lent, &counted, &again));
    look(&(&weak, &cell, &shared, &cat, &speaker, &owned, &base, &by_value, &by_reference, &pointer, &raw));
    if cfg!(quiet) {
        return;
    }

    for i in 0..4 {
        leaf(&format!("array[{}]", i), array[i]);
    }
    leaf("slice.data_ptr", slice.as_ptr());
    leaf("slice.length", slice.len());
    leaf("empty.data_ptr", empty.as_ptr());
    leaf("empty.length", empty.len());
    leaf("text.data_ptr", text.as_ptr());
    leaf("text.length", text.len());
    leaf("tail.data_ptr", tail.as_ptr());
    leaf("tail.length", tail.len());
    leaf("string.vec.buf.ptr.pointer.pointer", string.as_ptr());
    leaf("string.vec.buf.cap", string.capacity());
    leaf("string.vec.len", string.len());
    leaf("vector.buf.ptr.pointer.pointer", vector.as_ptr());
    leaf("vector.buf.cap", vector.capacity());
    leaf("vector.len", vector.len());
    leaf("bytes.data_ptr", bytes.as_ptr());
    leaf("bytes.length", bytes.len());
    leaf("boxed", &*boxed as *const u64);
    leaf("lent", lent as *const Box<u64>);
    leaf("counted.ptr.pointer", data(&*counted).wrapping_sub(16));
    leaf("again.ptr.pointer", data(&*again).wrapping_sub(16));
    leaf("weak.ptr.pointer", data(&*counted).wrapping_sub(16));
    leaf("cell.value.value", cell.get());
    leaf("shared.borrow.value.value", 0);
    leaf("shared.value.value", *shared.borrow());
    leaf("cat.lives", cat.lives);
    leaf("speaker.pointer", data(speaker));
    leaf("speaker.vtable", table(speaker));
    leaf("owned.pointer", data(&*owned));
    leaf("owned.vtable", table(&*owned));
    leaf("base", base);
    leaf("by_value.base", base);
    leaf("by_reference._ref__array", &array as *const [i32; 4]);
    leaf("by_reference._ref__cat", &cat.lives as *const i32);
    leaf("count", count);
    leaf("changing._ref__count", &count as *const i32);
    leaf("pointer", pointer as *const u8);
    leaf("raw", raw);
    leaf("total", total);
}
