// A name that is not there: the nearest are offered.
// run: struct innner
struct inner {
	int a;
};
struct winner {
	int b;
};
struct inner an_inner;
struct winner a_winner;
