/*
 * What the examples of the manual and of README.md run on: a small stand-in for a kernel (it defines struct task_struct)
 * with the structs that they name.
 */
#include "../../layouts/files_struct.c"
#include "../../layouts/file.c"

struct mm_struct {
	struct {
		atomic_t mm_count;
		void *pgd;
		atomic_t membarrier_state;
	};
};

struct task_struct {
	struct files_struct *files;
	struct mm_struct *mm;
	int on_cpu;
};

struct page {
	unsigned long flags;
	void *mapping;
	atomic_t _mapcount, _refcount;
};

struct task_struct a_task;
struct mm_struct a_mm;
struct page a_page;
unsigned long volatile jiffies = 1; /* linelint(1) and linelint-profile(5) name it */

int main(void)
{
	return 0;
}
