// Every construct of C++ that has a place in memory, without any header, so that it compiles for every target.
#ifdef SECOND
#define HAVE(name, ...) __VA_ARGS__ second_##name;

#define function second_function
#define function_references second_references
#else
#define HAVE(name, ...) __VA_ARGS__ have_##name;
#endif
typedef decltype(sizeof(0)) size;

namespace plain {
struct empty {};
struct other_empty {};
struct pod { int a; char b; };
struct has_constructor { has_constructor() : a(), b() {} int a; char b; };
class private_parts { int a; char b; public: short c; protected: long d; };
struct statics { static int shared; static constexpr int constant = 3; char a; int b; };
struct references { char a; int &b; char c; int &&d; const pod &e; char f; };
struct members { char a; int pod::*b; char c; void (pod::*d)(); char e; int (pod::*f)(int) const; char g; decltype(nullptr) h; };
enum class scoped : unsigned char { one, two };
enum class wide : unsigned long long { one = 1ull << 40 };
enum unscoped : short { first };
struct enums { char a; scoped b; wide c; char d; unscoped e; bool f; };
struct bits { unsigned a : 3; scoped b : 5; bool c : 1; wide d : 50; int : 0; char e : 7; unsigned short f : 9; long long g : 33; };
struct unnamed { int a; union { int b; char c; struct { short d; char e; }; }; struct { long f; char g : 3; } h; };
struct alignas(64) aligned { int a; char b; alignas(16) short c; };
struct holds { char a; aligned b; char c; };
union variant { int a; char b[9]; pod c; variant() : a() {} };
struct arrays { pod a[2][3]; char b[5]; void (*c[2])(int); pod *d; };
template <size N> struct sized { char a[N]; int b; };
struct characters { char16_t a; char b; char32_t c; wchar_t d; signed char e; };
}
HAVE(empty, plain::empty) HAVE(other_empty, plain::other_empty) HAVE(pod, plain::pod) HAVE(constructor, plain::has_constructor)
HAVE(private, plain::private_parts) HAVE(statics, plain::statics) HAVE(members, plain::members) HAVE(enums, plain::enums)
HAVE(bits, plain::bits) HAVE(unnamed, plain::unnamed) HAVE(aligned, plain::aligned) HAVE(holds, plain::holds)
HAVE(variant, plain::variant) HAVE(arrays, plain::arrays) HAVE(sized, plain::sized<3>) HAVE(sized_9, plain::sized<9>)
HAVE(characters, plain::characters)
char function_references(plain::references &r) { return r.a; }

namespace bases {
using namespace plain;
struct from_pod : pod { char c; };
struct reuses_tail : has_constructor { char c; short d; };
struct from_private : private_parts { char e; };
struct two : has_constructor, from_pod { char c; };
struct empty_base : empty { char a; };
struct two_empty : empty, other_empty { int a; };
struct empty_twice : empty { empty first; char a; };
struct chain : empty_base, other_empty { short b; };
struct bits_tail { bits_tail() : a(), b() {} int a; unsigned b : 3; };
struct behind_bits : bits_tail { unsigned c : 4; char d; };
struct has_virtual { virtual void f() {} char a; };
struct second_virtual { virtual void g() {} int a; };
struct derived_virtual : has_virtual { int b; void f() override {} };
struct both_virtual : has_virtual, second_virtual { char b; virtual void h() {} };
struct virtual_behind : pod { virtual void f() {} char c; };
struct root { int r; char s; };
struct left : virtual root { int l; };
struct right : virtual root { char m; };
struct diamond : left, right { short d; };
struct deeper : diamond { virtual void f() {} char e; };
struct virtual_empty : virtual empty { char a; };
struct abstract { virtual void f() = 0; virtual ~abstract() {} char a; };
struct concrete : abstract { void f() override {} int b; };
struct final_one final : concrete { char c; };
struct private_base : private pod { char c; };
struct protected_base : protected has_constructor { char c; };
struct aligned_base : aligned { char d; };
struct deep : from_pod { struct inner : reuses_tail { char e; } in; inner *next; };
template <class T> struct crtp { T *self() { return static_cast<T *>(this); } int count; };
struct uses_crtp : crtp<uses_crtp> { char a; };
}
HAVE(from_pod, bases::from_pod) HAVE(reuses_tail, bases::reuses_tail) HAVE(from_private, bases::from_private) HAVE(two, bases::two)
HAVE(empty_base, bases::empty_base) HAVE(two_empty, bases::two_empty) HAVE(empty_twice, bases::empty_twice)
HAVE(chain, bases::chain) HAVE(behind_bits, bases::behind_bits) HAVE(has_virtual, bases::has_virtual)
HAVE(derived_virtual, bases::derived_virtual) HAVE(both_virtual, bases::both_virtual) HAVE(virtual_behind, bases::virtual_behind)
HAVE(diamond, bases::diamond) HAVE(deeper, bases::deeper) HAVE(virtual_empty, bases::virtual_empty) HAVE(final, bases::final_one)
HAVE(private_base, bases::private_base) HAVE(protected_base, bases::protected_base) HAVE(aligned_base, bases::aligned_base)
HAVE(deep, bases::deep) HAVE(crtp, bases::uses_crtp)

namespace overlap {
struct empty {};
struct other {};
struct tail { tail() : a(), b() {} int a; char b; };
struct one { [[no_unique_address]] empty a; int b; };
struct two { [[no_unique_address]] empty a; [[no_unique_address]] other b; char c; };
struct same { [[no_unique_address]] empty a; [[no_unique_address]] empty b; char c; };
struct reuses { [[no_unique_address]] tail a; char b; short c; };
template <class T, class A> struct holder { T *a; [[no_unique_address]] A b; int c; };
}
HAVE(one, overlap::one) HAVE(overlap_two, overlap::two) HAVE(same, overlap::same) HAVE(reuses, overlap::reuses)
HAVE(holder, overlap::holder<int, overlap::empty>) HAVE(holder_2, overlap::holder<char, overlap::tail>)

namespace templates {
template <class T> struct box { T a; char b; struct inner { T a; short b; } in; };
template <class T, int N> struct array { T a[N]; char b; };
template <class T> struct array<T *, 1> { long special; };
template <class... T> struct pack;
template <> struct pack<> { char end; };
template <class H, class... T> struct pack<H, T...> : pack<T...> { H head; };
template <bool B> struct flag { char a; int b : 3; };
template <auto V> struct value { decltype(V) a; char b; };
template <template <class> class T> struct of_template { T<char> a; int b; };
enum color { red, green };
template <color C> struct colored { short a; char b; };
template <class T> union either { T a; char b[3]; };
}
HAVE(box_int, templates::box<int>) HAVE(box_box, templates::box<templates::box<char>>) HAVE(array, templates::array<short, 5>)
HAVE(special, templates::array<int *, 1>) HAVE(pack, templates::pack<char, long, short>) HAVE(flag, templates::flag<true>)
HAVE(flag_false, templates::flag<false>) HAVE(value, templates::value<7>) HAVE(of_template, templates::of_template<templates::box>)
HAVE(colored, templates::colored<templates::green>) HAVE(either, templates::either<double>)

namespace {
struct hidden { char a; long b; int c : 5; };
namespace within { struct deep_hidden : hidden { char d; }; }
}
HAVE(hidden, static hidden)
HAVE(deep_hidden, static within::deep_hidden)
namespace outer { inline namespace v1 { struct versioned { char a; int b; }; } namespace alpha { struct same { int a; }; }
namespace beta { struct same { long a; char b; }; } }
HAVE(versioned, outer::versioned) HAVE(alpha, outer::alpha::same) HAVE(beta, outer::beta::same)

class nested {
	struct hidden_inside { char a; double b; };
	hidden_inside part;
public:
	class level { public: struct lower { short a; int b; } l; char c; };
	level lev;
	struct { char a; union { int b; char c; }; } unnamed;
	friend int function(int);
};
HAVE(nested, nested)
typedef struct { int a; char b; } typedef_struct;
using alias_struct = struct { char a; long b; };
HAVE(typedef_struct, typedef_struct)
HAVE(alias_struct, alias_struct)

struct list { list *next; list **prev; };
struct tree { tree *left, *right; struct key { int a; char b; } k; list l; };
HAVE(tree, tree)

int function(int n)
{
	struct local { char a; int b; int sum() { struct within { short a; long b; } w = {1, 2}; return w.a + w.b + a; } } l = {1, n};
	class other { public: long c; char d; } o = {n, 1};
	auto closure = [l, &o, n](int k) { return l.a + o.c + k + n; };
	auto empty = [](int k) { return k; };
	return closure(l.sum()) + empty(o.d);
}

#ifdef SECOND
struct same_name { long a; char b; };
#else
struct same_name { char a; int b[3]; };
#endif
HAVE(same_name, same_name)
HAVE(many_bits, struct many_bits { many_bits() : a(), b(), c(), d(), e() {} char a : 3; char b : 8; short c : 12; long long d : 40; int e : 31; })
