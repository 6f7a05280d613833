// What C++ adds: pointers to virtual tables, exceptions, guards of statics.
#include <atomic>
#include <memory>
#include <string>

struct base {
	virtual ~base();
	virtual int get() = 0;
	long count = 0;
};

struct derived : base {
	~derived() override;
	int get() override;
	std::atomic<int> number{1};
};

base::~base()
{
	count++;
}

derived::~derived()
{
	number = 0;
}

int derived::get()
{
	static const std::string name = std::to_string(count);
	if (name.empty())
		throw number.load();
	return number.fetch_add(1) + static_cast<int>(count);
}

int call(base *object)
{
	try {
		return object->get();
	} catch (int number) {
		return number;
	}
}

std::unique_ptr<base> make()
{
	return std::make_unique<derived>();
}
