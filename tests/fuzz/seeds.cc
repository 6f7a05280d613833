/* Seeds of the fuzzers: what C++ has beyond C. */
namespace ns
{
struct base {
	virtual ~base();
	int a;
	unsigned b : 3, c : 9;
};
struct left : virtual base {
	char l;
};
struct right : virtual base {
	char r;
};
template <typename T, int N> struct Outer {
	T items[N];
	struct inner {
		T *next;
		T Outer::*member;
	} in;
	static int count;
};
class both : public left, private right
{
	[[no_unique_address]] struct empty {
	} e;
	Outer<short, 3> o;
	enum class kind : unsigned char { A, B } k;
	int (*f)(const both &, ...);
	int (both::*g)(int) const;
	double matrix[2][3];
};
} // namespace ns

namespace
{
struct hidden {
	alignas(32) long x;
} h;
} // namespace

ns::both *both_used;
long use()
{
	struct local {
		int q;
	} l = {1};
	ns::both *b = both_used;
	ns::Outer<short, 3>::inner *in = 0;
	return l.q + h.x + (b != 0) + (in != 0);
}
