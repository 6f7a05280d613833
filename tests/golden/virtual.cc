// A virtual base lies where the complete object has it; its debug information says only how the program finds it.
// run: --expand struct derived both
struct base {
	long value;
};

struct derived : virtual base {
	char tag;
	int number;
};

struct other : virtual base {
	short more;
};

struct both : derived, other { // one base, and what derived and other are without it
	char last;
};

derived a_derived;
both a_both;
