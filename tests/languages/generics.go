// What gccgo 12 does not have yet: types with parameters, and the atomic types of Go 1.19.
package main

import "sync/atomic"

type Pair[K comparable, V any] struct {
	ok  bool
	key K
	val V
}

type List[T any] struct {
	n    int8
	head *Cell[T]
}

type Cell[T any] struct {
	t    T
	next *Cell[T]
}

type Atomic struct {
	on    uint8
	n     atomic.Int64
	p     atomic.Pointer[Point]
	n32   atomic.Uint32
	state atomic.Bool
	u     uint8
}

//go:noinline
func first[K comparable, V any](p *Pair[K, V]) K { return p.key }

func init() {
	all["main.Pair[int8,string]"] = Pair[int8, string]{key: first(&Pair[int8, string]{})}
	all["main.Pair[string,main.Point]"] = Pair[string, Point]{key: first(&Pair[string, Point]{})}
	all["main.List[main.Point]"] = List[Point]{}
	all["main.Cell[main.Point]"] = Cell[Point]{}
	all["main.Atomic"] = Atomic{}
}
