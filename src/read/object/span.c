#include "read/object.h"

const struct object *object_at(const struct object *object, uint64_t off)
{
	size_t low = 0, high = object->companion_count;
	while (low < high) { /* the last one that does not start behind it */
		size_t middle = low + (high - low) / 2;
		if (object->companions[middle]->start <= off)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? object->companions[low - 1] : object;
}

uint64_t object_limit(const struct object *object)
{
	const struct object *last = object_at(object, UINT64_MAX);
	return last->start + object_span(last);
}

const struct object_contribution *object_contribution(const struct object *object, uint64_t own_off)
{
	size_t low = 0, high = object->contribution_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (object->contributions[middle].info_off <= own_off)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &object->contributions[low - 1] : NULL;
}

const struct object_skeleton *object_skeleton(const struct object *object, uint64_t dwo_id)
{
	size_t low = 0, high = object->skeleton_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (object->skeletons[middle].dwo_id < dwo_id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < object->skeleton_count && object->skeletons[low].dwo_id == dwo_id
		       ? &object->skeletons[low]
		       : NULL;
}
