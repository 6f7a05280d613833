#include <assert.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "lint/rules.h"

const struct lint_rule_info lint_rules[] = {
	{"LL001", "false-sharing", SEVERITY_ERROR,
		"a written field shares a line with fields that other threads, or the same "
		"operation, read"},
	{"LL002", "write-sharing", SEVERITY_ERROR,
		"fields written by different roles that no common lock orders share a line"},
	{"LL003", "straddle", SEVERITY_WARNING,
		"a packed or under-aligned scalar, or fields to be kept together, lie across two "
		"lines"},
	{"LL004", "scattered-hot", SEVERITY_INFO,
		"the fields that one role touches per operation take more lines than they need"},
	{"LL005", "array-stride", SEVERITY_ERROR,
		"array elements lie across lines, or share one that other threads write"},
	{"LL006", "hole", SEVERITY_INFO, "holes and padding cost a line or an allocation"},
	{"LL007", "loose-placement", SEVERITY_WARNING,
		"where objects may start does not guarantee the separation that the layout relies "
		"on"},
	{"LL008", "allocation", SEVERITY_INFO, "the size just misses a smaller allocation"},
	{"LL009", "broken-expectation", SEVERITY_ERROR, "an 'expect' of the profile does not hold"},
	{"LL010", "stale-profile", SEVERITY_ERROR,
		"the profile names a struct or field that the binary does not have"},
	{"LL011", "definitions-differ", SEVERITY_INFO,
		"one name has several layouts in one binary"},
	{"LL012", "adjacent-line", SEVERITY_INFO,
		"LL001 or LL002 across the two lines of a pair that is fetched together"},
	{"LL013", "neighbouring-variables", SEVERITY_ERROR,
		"a variable that some threads write shares a line with variables that others use"},
};
const size_t lint_rule_count = sizeof(lint_rules) / sizeof(lint_rules[0]);

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {"error", "warning", "info", "never"};
	return names[severity];
}

const struct lint_rule_info *lint_rule_find(const char *id_or_name)
{
	for (size_t i = 0; i < lint_rule_count; i++)
		if (strcasecmp(lint_rules[i].id, id_or_name) == 0 ||
			strcasecmp(lint_rules[i].name, id_or_name) == 0)
			return &lint_rules[i];
	return NULL;
}

/* ---- findings ---- */

static uint64_t fnv1a(uint64_t hash, const char *string)
{
	do {
		hash = (hash ^ (unsigned char)*string) * 0x100000001b3;
	} while (*string++); /* with its end, so that "ab", "c" and "a", "bc" differ */
	return hash;
}

/* Nobody can fix a distribution's kernel, and a marker of a group is no measurement. */
static enum severity cap(
	enum severity severity, const struct lint_rule_info *rule, enum evidence evidence)
{
	enum severity most = rule->at_most;
	if (evidence == EVIDENCE_SHIPPED && most < SEVERITY_WARNING)
		most = SEVERITY_WARNING;
	if (evidence == EVIDENCE_GROUP && most < SEVERITY_INFO)
		most = SEVERITY_INFO;
	return severity > most ? severity : most;
}

struct finding *lint_add(
	struct lint *lint, const char *rule_id, enum severity severity, const char *subject)
{
	const struct lint_rule_info *rule = lint_rule_find(rule_id);
	assert(rule && severity != SEVERITY_NONE);
	enum evidence evidence = lint->profile ? lint->map->evidence : EVIDENCE_STATED;
	lint->findings = arena_grow(lint->arena, lint->findings, &lint->finding_capacity,
		lint->finding_count + 1, sizeof(*lint->findings));
	struct finding *finding = &lint->findings[lint->finding_count++];
	uint64_t hash = fnv1a(0xcbf29ce484222325, rule->id);
	hash = fnv1a(hash,
		lint->input->qualified_name ? lint->input->qualified_name : lint->layout->name);
	hash = fnv1a(hash, subject);
	*finding = (struct finding){
		.rule = rule,
		.severity = cap(severity, rule, evidence),
		.evidence = evidence,
		.placements_hold = 1,
		.placements = 1,
		.fingerprint = arena_printf(lint->arena, "%016" PRIx64, hash),
	};
	return finding;
}

void lint_set_fields(
	struct lint *lint, struct finding *finding, const char *const *fields, size_t count)
{
	assert(count && "a finding names a field");
	finding->fields = arena_copy(lint->arena, fields, count, sizeof(*fields));
	finding->field_count = count;
}

const char *lint_any_field(const struct lint *lint)
{
	for (size_t i = 0; i < lint->layout->member_count; i++)
		if (*lint->layout->members[i].path)
			return lint->layout->members[i].path;
	return lint->layout->name;
}

bool lint_is_about_sharing(const struct finding *finding)
{
	return strcmp(finding->rule->id, "LL001") == 0 || strcmp(finding->rule->id, "LL002") == 0 ||
	       strcmp(finding->rule->id, "LL013") == 0;
}
