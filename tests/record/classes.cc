// Virtual tables, templates, new and delete, objects of the standard library.
#include <linelint-record.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

struct base {
	virtual ~base() = default;
	virtual long get() const = 0;
	long count = 0;
};

struct derived : base {
	long get() const override
	{
		return count;
	}
	std::atomic<long> number{0};
};

template <typename T> struct box {
	T value{};
	void track()
	{
		LINELINT_TRACK(this);
	}
	~box()
	{
		LINELINT_UNTRACK(this);
	}
};

__attribute__((noinline)) static long call(const base *object)
{
	return object->get();
}

int main()
{
	alignas(derived) static char place[sizeof(derived)];
	LINELINT_TRACK(reinterpret_cast<derived *>(place));
	auto *object = new (place) derived; // vptr twice: of base, of derived
	LINELINT_ROLE("caller");
	std::vector<std::thread> threads;
	for (int i = 0; i < 3; i++)
		threads.emplace_back([object] {
			LINELINT_ROLE("caller");
			LINELINT_OP();
			long seen = call(object);
			object->number.fetch_add(seen + 1);
		});
	for (auto &thread : threads)
		thread.join();
	LINELINT_UNTRACK(object);
	auto numbers = std::make_unique<box<volatile int>>();
	auto letters = std::make_unique<box<volatile char>>();
	numbers->track();
	letters->track();
	numbers->value = 1;
	letters->value = 'a';
	return object->number == 3 ? 0 : 1;
}
