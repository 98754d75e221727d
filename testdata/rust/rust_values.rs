// Enums of all kinds, and what else Rust has and C has not. At the line `end` of main,
// cli/language_test.py expects these leaves.
//
// leaf: some.Some.__0 5
// leaf: none.None {}
// leaf: niche.None {}
// leaf: held.Some.__0 VALUE
// leaf: number.Number.value -3
// leaf: number.Number.width 2
// leaf: end.End {}
// leaf: good.Ok.__0 7
// leaf: bad.Err.__0 9
// leaf: mode 7
// leaf: pair.__0 1180591620717411303424
// leaf: pair.__1 120
// leaf: slice.length 2
// leaf: text.length 5
// leaf: array[1] 11
#![allow(dead_code)]
enum Token {
    Word(String),
    Number { value: i64, width: u8 },
    End,
}
#[derive(Clone, Copy)]
enum Mode {
    Plain = 3,
    Loud = 7,
}
fn look<T>(_: &T) {}
fn main() {
    let some: Option<u32> = Some(5);
    let none: Option<u32> = None;
    let niche: Option<&i32> = None;
    let five = 5;
    let held: Option<&i32> = Some(&five);
    let number = Token::Number { value: -3, width: 2 };
    let end = Token::End;
    let good: Result<i32, u8> = Ok(7);
    let bad: Result<i32, u8> = Err(9);
    let mode = Mode::Loud;
    let pair = (1u128 << 70, 'x');
    let array = [10, 11, 12];
    let slice = &array[1..];
    let text = "hello";
    look(&some); // end
    look(&(some, none, niche, held, good, bad, mode, pair, slice, text));
    look(&(number, end));
}
