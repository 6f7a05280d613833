// What the C++ library has: containers, smart pointers, atomics, and what they are made of.
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <forward_list>
#include <fstream>
#include <functional>
#include <future>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <random>
#include <regex>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

struct value { char a; int b : 5; std::string name; };
std::vector<value> values;
std::vector<bool> flags;
std::map<int, std::string> map;
std::multimap<std::string, value> multimap;
std::unordered_map<std::string, std::vector<int>> table;
std::unordered_set<long> numbers;
std::set<short> set;
std::deque<value> deque;
std::list<char> list;
std::forward_list<long> forward;
std::array<value, 3> array;
std::tuple<int, char, long, std::unique_ptr<value>> tuple;
std::pair<char, std::string> pair;
std::optional<value> optional;
std::variant<int, std::string, char> variant;
std::function<int(int)> callback = [](int n) { return n; };
std::shared_ptr<value> shared = std::make_shared<value>();
std::weak_ptr<value> weak;
std::atomic<int> atomic_int;
std::atomic<value *> atomic_pointer;
std::atomic<char> atomic_char;
std::atomic_flag flag;
std::mutex mutex;
std::recursive_mutex recursive;
std::shared_mutex shared_mutex;
std::condition_variable condition;
std::once_flag once;
std::bitset<100> bits;
std::priority_queue<int> queue;
std::mt19937 engine;
std::stringstream stream;
std::ifstream file;
std::regex regex;
std::chrono::system_clock::time_point point;

int use(int n)
{
	values.push_back({});
	map[n] = "text";
	multimap.emplace("text", value{});
	table["text"].push_back(n);
	numbers.insert(n);
	set.insert(1);
	deque.push_back({});
	list.push_back(1);
	forward.push_front(2);
	queue.push(n);
	std::async(std::launch::async, [n] { return n; }).get();
	return callback(n);
}
