#include <string.h>

#include "access.h"

struct needs {
	struct arena *arena;
	const char **names;
	size_t capacity, count;
};

static void add_need(struct needs *needs, const char *reference)
{
	const char *dot = reference ? strchr(reference, '.') : NULL;
	if (!dot)
		return;
	size_t length = (size_t)(dot - reference);
	for (size_t i = 0; i < needs->count && i < needs->capacity; i++)
		if (strncmp(needs->names[i], reference, length) == 0 && !needs->names[i][length])
			return;
	if (needs->count < needs->capacity)
		needs->names[needs->count] = arena_strndup(needs->arena, reference, length);
	needs->count++;
}

size_t access_needs(struct arena *arena, const struct profile_struct *profile, const char **names,
	size_t capacity)
{
	struct needs needs = {.arena = arena, .names = names, .capacity = capacity};
	add_need(&needs, profile->container);
	for (size_t i = 0; i < profile->field_count; i++) {
		const struct profile_field *field = &profile->fields[i];
		add_need(&needs, field->if_field);
		add_need(&needs, field->unless_field);
		for (size_t k = 0; k < field->access_count; k++) {
			add_need(&needs, field->accesses[k].if_field);
			add_need(&needs, field->accesses[k].unless_field);
		}
	}
	return needs.count;
}
