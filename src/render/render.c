#include "render/render.h"

#include <string.h>

const struct renderer *const renderers[] = {
	&render_text, &render_json, &render_commit, &render_asserts};
const size_t renderer_count = sizeof(renderers) / sizeof(renderers[0]);

const struct renderer *render_find(const char *name)
{
	for (size_t i = 0; i < renderer_count; i++)
		if (strcmp(renderers[i]->name, name) == 0)
			return renderers[i];
	return NULL;
}
