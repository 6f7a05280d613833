#include "read/dwarf/expression.h"

#include "read/bytes.h"
#include "read/dw.h"

struct entry_number expression_evaluate(const uint8_t *at, uint64_t length, bool swap)
{
	static const struct entry_number dynamic = {.state = ENTRY_DYNAMIC};
	enum { STACK_MAX = 8 };
	uint64_t stack[STACK_MAX] = {0}, value;
	int64_t number;
	unsigned top = 0; /* the base of the aggregate, at 0 */
	const uint8_t *end = at + length;
	while (at < end) {
		uint8_t op = *at++;
		size_t have = (size_t)(end - at);
		if (op == DW_OP_plus_uconst) {
			if (!bytes_uleb(&at, end, &value))
				return dynamic;
			stack[top] += value;
			continue;
		}
		if (op == DW_OP_plus || op == DW_OP_minus) {
			if (top == 0)
				return dynamic;
			top--;
			stack[top] += op == DW_OP_plus ? stack[top + 1] : 0 - stack[top + 1];
			continue;
		}
		if (op >= DW_OP_lit0 && op <= DW_OP_lit31) {
			value = (uint64_t)(op - DW_OP_lit0);
		} else if (op == DW_OP_constu) {
			if (!bytes_uleb(&at, end, &value))
				return dynamic;
		} else if (op == DW_OP_consts) {
			if (!bytes_sleb(&at, end, &number))
				return dynamic;
			value = (uint64_t)number;
		} else if (op >= DW_OP_const1u && op <= DW_OP_const8s) {
			size_t bytes = (size_t)1 << ((op - DW_OP_const1u) / 2);
			if (have < bytes)
				return dynamic;
			value = bytes_uint(at, bytes, swap);
			if ((op - DW_OP_const1u) % 2 && bytes < 8 && value >> (8 * bytes - 1))
				value |= UINT64_MAX << (8 * bytes);
			at += bytes;
		} else {
			return dynamic;
		}
		if (++top == STACK_MAX)
			return dynamic;
		stack[top] = value;
	}
	return (struct entry_number){stack[top], ENTRY_CONSTANT};
}
