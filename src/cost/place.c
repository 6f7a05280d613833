#include "cost/pass.h"

/* The part of [from, from + bytes) that lies on the line at line_off. */
double cost_share_on(double from, double bytes, double line_off, double line_bytes)
{
	double first = cost_larger(from, line_off);
	double end = cost_smaller(from + bytes, line_off + line_bytes);
	return end > first ? (end - first) / bytes : 0;
}

uint64_t cost_part_bytes(const struct cost_field *field)
{
	return field->part_bytes ? field->part_bytes : field->element_bytes;
}

uint64_t cost_element_count(const struct cost_field *field)
{
	uint64_t part = cost_part_bytes(field);
	return field->size_bytes > part ? (field->size_bytes - part) / field->element_bytes + 1 : 1;
}

bool cost_has_elements(const struct cost_field *field)
{
	return field->place != COST_BYTES && field->element_bytes;
}

/* Of all elements, on average. */
static double spread_share(
	const struct cost_field *field, double from, double line_off, double line_bytes)
{
	uint64_t apart = field->element_bytes, part = cost_part_bytes(field),
		 count = cost_element_count(field);
	if (part == apart)
		return cost_share_on(from, (double)count * apart, line_off, line_bytes);
	double first =
		(line_off - from - part) / apart; /* before the first that can reach the line */
	double share = 0;
	for (uint64_t i = first > 0 ? (uint64_t)first : 0;
		i < count && from + (double)i * apart < line_off + line_bytes; i++)
		share += cost_share_on(from + (double)i * apart, part, line_off, line_bytes);
	return share / count;
}

double cost_from(const struct pass *pass, uint32_t index, int64_t start)
{
	const struct cost_field *field = &pass->model->fields[index];
	double lines_off = (double)pass->alone_lines[index] * pass->model->line_bytes;
	if (field->alone)
		return lines_off + (field->group ? (double)field->off_bytes : 0);
	return start + (double)field->off_bytes;
}

double cost_place_share(const struct pass *pass, uint32_t index, double from, size_t line)
{
	const struct cost_field *field = &pass->model->fields[index];
	double line_bytes = pass->model->line_bytes, line_off = line * line_bytes;
	if (!cost_has_elements(field))
		return cost_share_on(from, field->size_bytes, line_off, line_bytes);
	return field->place == COST_SPREAD ? spread_share(field, from, line_off, line_bytes) : 0;
}

/* Adds a field to the line at hand, if it is there; of a COST_THREAD field it may be, with some element. */
void cost_place_add(struct pass *pass, uint32_t index, const struct spot *spot)
{
	const struct cost_field *field = &pass->model->fields[index];
	double line_bytes = pass->model->line_bytes, line_off = spot->line * line_bytes;
	double from = cost_from(pass, index, spot->start);
	if (from >= line_off + line_bytes || from + (double)field->size_bytes <= line_off)
		return;
	struct place *place = &pass->places[pass->place_count++];
	*place = (struct place){.field = index, .from = from};
	place->share = cost_place_share(pass, index, from, spot->line);
	pass->shares[index] = place->share;
}

void cost_places_clear(struct pass *pass)
{
	for (size_t i = 0; i < pass->place_count; i++)
		pass->shares[pass->places[i].field] = 0;
	pass->place_count = 0;
}
