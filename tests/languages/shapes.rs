// Says where its own parts are: lines as tests/languages/generate.py describes them; V for a field of a variant.
#![allow(dead_code)]
use std::mem::{align_of, offset_of, size_of};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicU8};

pub mod deep {
    pub mod er {
        pub struct Inner {
            pub a: u8,
            pub b: u64,
        }
    }
}

pub struct Reordered {
    a: u8,
    b: u64,
    c: u16,
    d: u32,
}

#[repr(C)]
pub struct ReprC {
    a: u8,
    b: u64,
    c: u16,
}

#[repr(C, packed)]
pub struct Packed {
    a: u8,
    b: u32,
}

#[repr(align(64))]
pub struct Aligned {
    x: u32,
}

pub struct Tuple(u8, u32, u16);

pub struct Generic<T, const N: usize> {
    t: [T; N],
    n: u8,
}

pub struct Atomics {
    a: AtomicU8,
    b: AtomicU64,
    c: AtomicBool,
}

pub struct Holder {
    boxed: Option<Box<u64>>,
    plain: Option<i32>,
    nested: Option<Option<bool>>,
    text: String,
    slice: &'static [u8],
    inner: deep::er::Inner,
}

pub enum Data {
    Nothing,
    One(u32),
    Two { x: u64, y: u8 },
    Three(u8, Box<u32>),
}

pub enum Niche {
    Has(Box<u32>),
    Nope,
}

#[repr(u8)]
pub enum Tagged {
    A(u32),
    B { x: u8 },
    C,
}

macro_rules! shape {
    ($name:expr, $type:ty, $($field:tt : $kind:ty),*) => {
        println!("S {} {} {}", $name, size_of::<$type>(), align_of::<$type>());
        $(println!("M {} {} {}", stringify!($field), offset_of!($type, $field), size_of::<$kind>());)*
    };
}

fn variant<T, F>(path: &str, whole: &T, field: &F) {
    let offset = field as *const F as usize - whole as *const T as usize;
    println!("V {} {} {}", path, offset, size_of::<F>());
}

fn enumeration<T>(name: &str) {
    println!("S {} {} {}", name, size_of::<T>(), align_of::<T>());
}

fn main() {
    shape!("shapes::Reordered", Reordered, a: u8, b: u64, c: u16, d: u32);
    shape!("shapes::ReprC", ReprC, a: u8, b: u64, c: u16);
    shape!("shapes::Packed", Packed, a: u8, b: u32);
    shape!("shapes::Aligned", Aligned, x: u32);
    shape!("shapes::deep::er::Inner", deep::er::Inner, a: u8, b: u64);
    shape!("shapes::Generic<u16, 3>", Generic<u16, 3>, t: [u16; 3], n: u8);
    shape!("shapes::Generic<(u8, u64), 2>", Generic<(u8, u64), 2>, t: [(u8, u64); 2], n: u8);
    shape!("shapes::Atomics", Atomics, a: AtomicU8, b: AtomicU64, c: AtomicBool);
    shape!("shapes::Holder", Holder, boxed: Option<Box<u64>>, plain: Option<i32>, nested: Option<Option<bool>>,
           text: String, slice: &'static [u8], inner: deep::er::Inner);
    println!("S shapes::Tuple {} {}", size_of::<Tuple>(), align_of::<Tuple>());
    println!("M __0 {} 1\nM __1 {} 4\nM __2 {} 2", offset_of!(Tuple, 0), offset_of!(Tuple, 1), offset_of!(Tuple, 2));

    let all = [Data::Nothing, Data::One(1), Data::Two { x: 2, y: 3 }, Data::Three(4, Box::new(5))];
    enumeration::<Data>("shapes::Data");
    for one in &all {
        match one {
            Data::Nothing => (),
            Data::One(a) => variant("One.__0", one, a),
            Data::Two { x, y } => {
                variant("Two.x", one, x);
                variant("Two.y", one, y);
            }
            Data::Three(a, b) => {
                variant("Three.__0", one, a);
                variant("Three.__1", one, b);
            }
        }
    }
    enumeration::<Niche>("shapes::Niche");
    for one in &[Niche::Has(Box::new(1)), Niche::Nope] {
        if let Niche::Has(a) = one {
            variant("Has.__0", one, a);
        }
    }
    enumeration::<Tagged>("shapes::Tagged");
    for one in &[Tagged::A(1), Tagged::B { x: 2 }, Tagged::C] {
        match one {
            Tagged::A(a) => variant("A.__0", one, a),
            Tagged::B { x } => variant("B.x", one, x),
            Tagged::C => (),
        }
    }
    let some: Option<i32> = Some(3);
    enumeration::<Option<i32>>("core::option::Option<i32>");
    if let Some(a) = &some {
        variant("Some.__0", &some, a);
    }
    let used = (
        Reordered { a: 1, b: 2, c: 3, d: 4 }, ReprC { a: 1, b: 2, c: 3 }, Packed { a: 1, b: 2 }, Aligned { x: 1 }, Tuple(1, 2, 3),
        Generic::<u16, 3> { t: [1; 3], n: 1 }, Generic::<(u8, u64), 2> { t: [(1, 2); 2], n: 3 },
        Atomics { a: AtomicU8::new(1), b: AtomicU64::new(2), c: AtomicBool::new(true) },
        Holder { boxed: None, plain: None, nested: None, text: String::new(), slice: &[], inner: deep::er::Inner { a: 1, b: 2 } },
    );
    std::hint::black_box(&used);
}
