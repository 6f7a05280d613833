/*
 * suggest/judge: which errors stay whatever is moved, and why nothing is suggested. Private to suggest.c and suggest/.
 *
 * lint + what was found -> [judge] -> suggest_result. Sentences only; nothing is searched but the places of one field.
 */
#ifndef SUGGEST_JUDGE_H
#define SUGGEST_JUDGE_H

#include "order.h"
#include "suggest.h"

struct judge {
	struct arena *arena;
	const struct suggest_input *input;
	const struct order *order;
	const struct order_search *search;
	const struct suggest_result *result; /* items, count and padded are looked at */
};

/*
 * [finding]: an error of LL001 or LL002 that nothing which the profile allows removes: neither a suggestion, nor its
 * written field in another place. NULL: there is none.
 */
const bool *judge_unavoidable(const struct judge *judge);

/* What is said of one of them, a sentence. */
const char *judge_lowered(const struct judge *judge, const struct finding *finding);

/* LL001 or LL002, at least a warning, not ignored: somebody wants to know what helps. */
bool judge_is_loud(const struct finding *finding);

/* Nothing need be searched: the reason, one sentence; else NULL. */
const char *judge_why_not(const struct judge *judge);

/* What judge_why_not() said leaves no order but today's, so that none is less; false: one may be, which is not known. */
bool judge_is_settled(const struct judge *judge);

/* What is said then of an error of LL001 or LL002, a sentence; NULL: nothing. */
const char *judge_settled(const struct judge *judge, const struct finding *finding);

/* Why there is no order of the kinds that were asked for, and what would help: one sentence. */
const char *judge_why_nothing(const struct judge *judge);

#endif
