// A profile with a key that there is not.
// run: struct inner
struct inner {
	int a;
};
struct inner an_inner;
