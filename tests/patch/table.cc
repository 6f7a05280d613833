// patch: struct net::Table
// writes: hits
// reads: rows size limit
//
// A class with methods, sections, initializers and templates.
#include <cstdint>
#include <utility>
#include <vector>

namespace net {

class Table {
public:
	using Row = std::pair<int, long>;
	enum class Kind { Small, Large };

	Table() : rows_count(0) { rows_count = size; }
	virtual ~Table() {}
	uint64_t seen() const { return hits; }
	static int instances;

	// how often it was asked
	uint64_t hits = 0;
	std::vector<Row> rows;	// by key
	uint64_t size{0};
	Kind kind = Kind::Small;
	uint64_t limit = 100;
	void (*on_miss)(int key) = nullptr;
	char label[48] = {};
	uint64_t last_key = 0;

private:
	uint64_t rows_count;
};

int Table::instances;
} // namespace net

net::Table the_table;
