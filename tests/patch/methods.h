/*
 * patch: struct account
 * writes: hits
 * reads: table mode
 * language: C++
 * cc: -std=c++20 -w
 *
 * A header of C++ that nothing but the debug information shows to be one.
 */
struct account {
	account() : mode{1}, hits{2} {}
	account(int first) : mode(first) { if (mode) { hits = 3; } }
	account(const account &) = default;
	friend class auditor;
	friend bool operator<(const account &a, const account &b) { return a.mode < b.mode; }

	unsigned long hits = 0; // how often
	void *table{nullptr};
	int mode = (1, 2);
	auto first() -> int { return mode; }
	auto last() const & -> long { return cold[6]; }
	int *operator->() { return &mode; }
	bool operator==(const account &other) const { return mode == other.mode; }
	operator int() const { return 1; }
	int operator()(int x) { return x; };
	long cold[7] = {1, 2};
	template <class T> void visit(T with) { (void)with; }
	int count() const & { return 1; }
};
account an_account;
