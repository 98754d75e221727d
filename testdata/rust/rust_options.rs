// Option and Result of all sorts: with a tag of their own, with one in a niche of what they hold, within one another.
//
// rustc -g -C opt-level=0 rust_options.rs
//
// At the line `end` every leaf of main's is what the program prints (cli/rust_test.py).
mod leaf;
use leaf::{leaf, look, opaque};
use std::cmp::Ordering;
use std::num::NonZeroU32;
use std::rc::Rc;

static FIVE: i32 = 5;

#[inline(never)]
fn divide(a: i32, b: i32) -> Result<i32, &'static str> {
    if b == 0 {
        Err("by zero")
    } else {
        Ok(a / b)
    }
}

fn main() {
    let tagged: Option<u32> = Some(opaque(5));
    let no_tagged: Option<u32> = opaque(None);
    let boxed: Option<Box<i64>> = Some(Box::new(opaque(-1)));
    let no_box: Option<Box<i64>> = None;
    let lent: Option<&i32> = Some(opaque(&FIVE));
    let no_lent: Option<&i32> = opaque(None);
    let truth: Option<bool> = Some(opaque(true));
    let no_truth: Option<bool> = opaque(None);
    let letter: Option<char> = Some(opaque('ß'));
    let no_letter: Option<char> = opaque(None);
    let nonzero: Option<NonZeroU32> = NonZeroU32::new(opaque(77));
    let no_nonzero: Option<NonZeroU32> = NonZeroU32::new(opaque(0));
    let twice: Option<Option<bool>> = Some(Some(opaque(false)));
    let twice_none: Option<Option<bool>> = opaque(Some(None));
    let no_twice: Option<Option<bool>> = opaque(None);
    let wide: Option<u128> = Some(opaque(1 << 100));
    let float: Option<f64> = Some(opaque(-0.25));
    let pair: Option<(u8, bool)> = Some((opaque(3), opaque(true)));
    let no_pair: Option<(u8, bool)> = opaque(None);
    let text: Option<&str> = Some(opaque("text"));
    let no_text: Option<&str> = opaque(None);
    let array: Option<[i16; 3]> = Some([opaque(1), -2, 3]);
    let order: Option<Ordering> = Some(opaque(Ordering::Less));
    let no_order: Option<Ordering> = opaque(None);
    let counted: Option<Rc<u8>> = Some(Rc::new(opaque(8)));
    let good = divide(opaque(9), opaque(2));
    let bad = divide(opaque(9), opaque(0));
    let unit: Result<(), u8> = opaque(Ok(()));
    let no_unit: Result<(), u8> = opaque(Err(4));
    let owned: Result<String, u64> = Err(opaque(12));
    let kept: Result<String, u64> = Ok(String::from(opaque("kept")));
    let function: Option<fn(i32, i32) -> Result<i32, &'static str>> = opaque(Some(divide));
    let nothing: Option<()> = opaque(Some(()));
    look(&(&tagged, &no_tagged, &boxed, &no_box, &lent, &no_lent, &truth, &no_truth, &letter, &no_letter, &nonzero, &no_nonzero));
    look(&(&twice, &twice_none, &no_twice, &wide, &float, &pair, &no_pair, &text, &no_text, &array, &order, &no_order));
    look(&(&counted, &good, &bad, &unit, &no_unit, &owned, &kept, &function, &nothing));
    look(&kept); // end
    look(&(&tagged, &no_tagged, &boxed, &no_box, &lent, &no_lent, &truth, &no_truth, &letter, &no_letter, &nonzero, &no_nonzero));
    look(&(&twice, &twice_none, &no_twice, &wide, &float, &pair, &no_pair, &text, &no_text, &array, &order, &no_order));
    look(&(&counted, &good, &bad, &unit, &no_unit, &owned, &kept, &function, &nothing));
    if cfg!(quiet) {
        return;
    }

    leaf("rust_options::FIVE", FIVE);
    leaf("tagged.Some.__0", tagged.unwrap());
    leaf("boxed.Some.__0", &**boxed.as_ref().unwrap() as *const i64);
    leaf("lent.Some.__0", lent.unwrap() as *const i32);
    leaf("truth.Some.__0", truth.unwrap());
    leaf("letter.Some.__0", letter.unwrap());
    leaf("nonzero.Some.__0.__0", nonzero.unwrap().get());
    leaf("twice.Some.__0.Some.__0", twice.unwrap().unwrap());
    leaf("wide.Some.__0", wide.unwrap());
    leaf("float.Some.__0", float.unwrap());
    leaf("pair.Some.__0.__0", pair.unwrap().0);
    leaf("pair.Some.__0.__1", pair.unwrap().1);
    leaf("text.Some.__0.data_ptr", text.unwrap().as_ptr());
    leaf("text.Some.__0.length", text.unwrap().len());
    for (i, element) in array.unwrap().iter().enumerate() {
        leaf(&format!("array.Some.__0[{}]", i), *element);
    }
    leaf("order.Some.__0", order.unwrap() as i8);
    let held = &**counted.as_ref().unwrap() as *const u8;
    leaf("counted.Some.__0.ptr.pointer", unsafe { held.sub(16) });
    leaf("good.Ok.__0", good.unwrap());
    leaf("bad.Err.__0.data_ptr", bad.unwrap_err().as_ptr());
    leaf("bad.Err.__0.length", bad.unwrap_err().len());
    leaf("no_unit.Err.__0", no_unit.unwrap_err());
    leaf("owned.Err.__0", *owned.as_ref().unwrap_err());
    let string = kept.as_ref().unwrap();
    leaf("kept.Ok.__0.vec.buf.ptr.pointer.pointer", string.as_ptr());
    leaf("kept.Ok.__0.vec.buf.cap", string.capacity());
    leaf("kept.Ok.__0.vec.len", string.len());
    leaf("function.Some.__0", function.unwrap() as *const u8);
    leaf("unit.Ok", if unit.is_ok() { "{}" } else { "?" });
    leaf("nothing.Some", if nothing.is_some() { "{}" } else { "?" });
    for (path, none) in [
        ("no_tagged", no_tagged.is_none()),
        ("no_box", no_box.is_none()),
        ("no_lent", no_lent.is_none()),
        ("no_truth", no_truth.is_none()),
        ("no_letter", no_letter.is_none()),
        ("no_nonzero", no_nonzero.is_none()),
        ("twice_none.Some.__0", twice_none == Some(None)),
        ("no_twice", no_twice.is_none()),
        ("no_pair", no_pair.is_none()),
        ("no_text", no_text.is_none()),
        ("no_order", no_order.is_none()),
    ] {
        leaf(&(path.to_string() + ".None"), if none { "{}" } else { "?" });
    }
}
