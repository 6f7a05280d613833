// A virtual base lies where the complete object has it: in the picture it has no place.
// run: --expand struct derived
struct base {
	long value;
};

struct derived : virtual base {
	char tag;
	int number;
};

derived a_derived;
