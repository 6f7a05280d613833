// Types whose places the compiler chose, and a program that says them: reflect reads what the compiler wrote down for the
// running program, which is not the debug information.
package main

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

type Point struct {
	X, Y int32
}

type Base struct {
	ID   uint64
	Flag bool
}

// Embeds by value and by pointer; a field of its own hides one of the embedded.
type Derived struct {
	Base
	*Point
	Flag uint8
	Tail int16
	error
}

type Kinds struct {
	b    bool
	i8   int8
	u16  uint16
	f32  float32
	c64  complex64
	on   bool
	c128 complex128
	s    string
	sl   []int32
	sl2  [][]string
	m    map[string]int
	ch   chan Point
	in   <-chan bool
	any  interface{}
	err  fmt.Stringer
	fn   func(int) string
	arr  [3]uint16
	arr2 [2][5]Point
	none [0]uint64
	p    unsafe.Pointer
	up   uintptr
	r    rune
	by   byte
}

type Node struct {
	value byte
	next  *Node
	kids  []Node
	by    map[int8]*Node
	call  func(*Node) *Node
}

// A field of no size at the end gets bytes, so that its address stays inside.
type ZeroEnd struct {
	a uint32
	z struct{}
}

type ZeroStart struct {
	z struct{}
	e [0]uint64
	a uint16
}

type Nested struct {
	a     uint8
	inner struct {
		b uint64
		c uint8
	}
	list []struct{ d, e uint16 }
	skip [3]byte
	last uint8
}

type Locks struct {
	on   uint8
	v    atomic.Value
	mu   sync.Mutex
	once sync.Once
	rw   sync.RWMutex
	wait sync.WaitGroup
	end  uint8
}

type (
	Counter  uint16
	Name     string
	Stack    []Counter
	Callback func(*Named)
	Named    struct {
		c  Counter
		n  Name
		st Stack
		k  Callback
	}
	Padded struct {
		hits  uint64
		apart [56]byte
		miss  uint64
	}
)

var all = map[string]interface{}{
	"main.Point": Point{}, "main.Base": Base{}, "main.Derived": Derived{}, "main.Kinds": Kinds{}, "main.Node": Node{},
	"main.ZeroEnd": ZeroEnd{}, "main.ZeroStart": ZeroStart{}, "main.Nested": Nested{}, "main.Locks": Locks{},
	"main.Named": Named{}, "main.Padded": Padded{}, "sync.Mutex": sync.Mutex{}, "reflect.StructField": reflect.StructField{},
}

// The letters and numbers are languages.py's.
func tell(name string, t reflect.Type) {
	fmt.Println("S", name, t.Size(), t.Align())
	for i := 0; i < t.NumField(); i++ {
		f := t.Field(i)
		fmt.Println("M", f.Name, f.Offset, f.Type.Size())
	}
}

// gccgo describes what a function takes.
//
//go:noinline
func use(kinds *Kinds, node *Node, derived *Derived, locks *Locks, named *Named, nested *Nested, padded *Padded,
	start *ZeroStart, end *ZeroEnd) int {
	return len(kinds.sl) + len(node.kids) + int(derived.Tail) + int(locks.end) + int(named.c) + int(nested.last) +
		int(padded.miss) + int(start.a) + int(end.a)
}

func main() {
	if use(&Kinds{}, &Node{}, &Derived{}, &Locks{}, &Named{}, &Nested{}, &Padded{}, &ZeroStart{}, &ZeroEnd{}) != 0 {
		panic("use")
	}
	for name, value := range all {
		tell(name, reflect.TypeOf(value))
	}
}
