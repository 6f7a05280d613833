/* What an allocation's size has named is tracked as well: one object, whose accesses count once. */
#include <stdlib.h>

#include <linelint-record.h>

struct table {
	long mask, hits;
	long more[7];
};

struct table *table, *other;

int main(void)
{
	table = calloc(1, sizeof(*table));
	LINELINT_TRACK(table);
	LINELINT_OP();
	table->mask = 7;
	table->hits++;
	other = calloc(1, sizeof(*other)); /* of which nothing more is said */
	table->hits++;
	other->mask = 1;
	return 0;
}
