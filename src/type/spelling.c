#include "type.h"

#include <string.h>

#include "type/alike.h"

void type_spell_alike(const char *name, struct buf *out)
{
	alike_put(name, out);
}

bool type_is_respelt(const char *left, const char *right)
{
	return strchr(left, '<') && strchr(right, '<') && type_compare_names(left, right) == 0;
}
