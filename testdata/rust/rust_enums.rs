// Enums: like C's, with data, with one variant, within one another, with chosen tags, with tags in another's niche.
//
// rustc -g -C opt-level=0 rust_enums.rs
//
// At the line `end` every leaf of main's is what the program prints (cli/rust_test.py).
#![allow(dead_code)]
mod leaf;
use leaf::{leaf, look, opaque};

#[derive(Clone, Copy)]
enum Plain {
    Zero,
    One,
    Ten = 10,
}
#[derive(Clone, Copy)]
enum Signed {
    Below = -5,
    Above = 5,
}
#[repr(u64)]
#[derive(Clone, Copy)]
enum Wide {
    Small = 1,
    Large = 0xffff_ffff_ffff_fff0,
}
#[derive(Clone, Copy)]
enum Lone {
    Only,
}
#[derive(Clone, Copy)]
enum Single {
    Both(u8, i64),
}
enum Shape {
    Point,
    Circle(f64),
    Box { width: u32, height: u32 },
    Named(&'static str),
    Plain(Plain),
}
#[repr(u8)]
enum Small {
    A(u8),
    B { x: i16 },
    C,
}
#[repr(C)]
enum Old {
    First(u8),
    Second(f32),
}
#[repr(i16)]
enum Negative {
    Minus(u16),
    Plus(u16),
}
enum Outer {
    Inner(Inner),
    Other(u8),
    Last,
}
enum Inner {
    Yes(bool),
    No,
}
enum Tree {
    Leaf(i32),
    Node(std::boxed::Box<Tree>, std::boxed::Box<Tree>),
}
// Nobody can have one.
#[derive(Clone, Copy)]
enum Void {}
enum Half<T> {
    Left(T),
    Right(T, T),
}

fn main() {
    let zero = opaque(Plain::Zero);
    let ten = opaque(Plain::Ten);
    let below = opaque(Signed::Below);
    let large = opaque(Wide::Large);
    let lone = opaque(Lone::Only);
    let single = Single::Both(opaque(7), opaque(-7));
    let point = Shape::Point;
    let circle = Shape::Circle(opaque(1.5));
    let boxed = Shape::Box { width: opaque(3), height: opaque(4) };
    let named = Shape::Named("round");
    let plain = Shape::Plain(opaque(Plain::One));
    let small = [Small::A(opaque(1)), Small::B { x: opaque(-2) }, Small::C];
    let first = Old::First(opaque(9));
    let second = Old::Second(opaque(0.5));
    let minus = Negative::Minus(opaque(65535));
    let plus = Negative::Plus(opaque(1));
    let nested = (Outer::Inner(Inner::Yes(opaque(true))), Outer::Inner(Inner::No), Outer::Other(opaque(6)), Outer::Last);
    let tree = Tree::Node(std::boxed::Box::new(Tree::Leaf(opaque(1))), std::boxed::Box::new(Tree::Leaf(opaque(2))));
    let never: Result<u16, Void> = Ok(opaque(5));
    let left: Half<u8> = Half::Left(opaque(1));
    let right: Half<i64> = Half::Right(opaque(-1), opaque(-2));
    look(&(&zero, &ten, &below, &large, &lone, &single, &point, &circle, &boxed, &named, &plain, &small));
    look(&(&first, &second, &minus, &plus, &nested, &tree, &never, &left, &right));
    look(&tree); // end
    look(&(&zero, &ten, &below, &large, &lone, &single, &point, &circle, &boxed, &named, &plain, &small));
    look(&(&first, &second, &minus, &plus, &nested, &tree, &never, &left, &right));
    if cfg!(quiet) {
        return;
    }

    leaf("zero", zero as u8);
    leaf("ten", ten as u8);
    leaf("below", below as i8);
    leaf("large", large as u64);
    // An enum of one variant without data has no leaves, as `()` has none.
    let Single::Both(one, two) = single;
    leaf("single.Both.__0", one);
    leaf("single.Both.__1", two);
    leaf("point.Point", "{}");
    if let Shape::Circle(radius) = circle {
        leaf("circle.Circle.__0", radius);
    }
    if let Shape::Box { width, height } = boxed {
        leaf("boxed.Box.width", width);
        leaf("boxed.Box.height", height);
    }
    if let Shape::Named(text) = named {
        leaf("named.Named.__0.data_ptr", text.as_ptr());
        leaf("named.Named.__0.length", text.len());
    }
    if let Shape::Plain(plain) = plain {
        leaf("plain.Plain.__0", plain as u8);
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
    if let Old::First(byte) = first {
        leaf("first.First.__0", byte);
    }
    if let Old::Second(float) = second {
        leaf("second.Second.__0", float);
    }
    if let Negative::Minus(number) = minus {
        leaf("minus.Minus.__0", number);
    }
    if let Negative::Plus(number) = plus {
        leaf("plus.Plus.__0", number);
    }
    if let Outer::Inner(Inner::Yes(yes)) = nested.0 {
        leaf("nested.__0.Inner.__0.Yes.__0", yes);
    }
    if let Outer::Inner(Inner::No) = nested.1 {
        leaf("nested.__1.Inner.__0.No", "{}");
    }
    if let Outer::Other(byte) = nested.2 {
        leaf("nested.__2.Other.__0", byte);
    }
    if let Outer::Last = nested.3 {
        leaf("nested.__3.Last", "{}");
    }
    if let Tree::Node(a, b) = &tree {
        leaf("tree.Node.__0", &**a as *const Tree);
        leaf("tree.Node.__1", &**b as *const Tree);
    }
    // Of `never` the DWARF has two variants and no discriminant: xstep cannot know which, and says so.
    if let Half::Left(byte) = left {
        leaf("left.Left.__0", byte);
    }
    if let Half::Right(a, b) = right {
        leaf("right.Right.__0", a);
        leaf("right.Right.__1", b);
    }
}
