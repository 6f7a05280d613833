// patch: struct small
// padding: allowed
// writes: hits
// reads: table size
//
// And in C++.
class small {
public:
	void *table = nullptr;
	unsigned long size = 0;
	unsigned long hits = 0; // counted
};
small a_small;
