#include "profile/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "profile/struct.h"

/* Words that YAML 1.1 readers other than ours take for something else. */
static bool is_word_of_yaml(const char *text)
{
	static const char *const words[] = {
		"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasecmp(words[i], text) == 0)
			return true;
	return false;
}

static bool is_plain(const char *text)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char rest[] = "0123456789.";
	if (!*text || !strchr(letters, text[0]) || is_word_of_yaml(text))
		return false;
	for (const char *s = text; *s; s++)
		if (!strchr(letters, *s) && !strchr(rest, *s))
			return false;
	return true;
}

static void add_quoted(struct buf *out, const char *text)
{
	buf_putc(out, '"');
	for (const char *s = text; *s; s++) {
		if (*s == '"' || *s == '\\')
			buf_putc(out, '\\');
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			buf_printf(out, "\\x%02x", (unsigned)(unsigned char)*s);
		else
			buf_putc(out, *s);
	}
	buf_putc(out, '"');
}

void profile_write_key(struct buf *out, const char *text)
{
	if (is_plain(text))
		buf_puts(out, text);
	else
		add_quoted(out, text);
}

/* The shortest that is the same number when it is read again. */
static void add_number(struct buf *out, double number)
{
	char text[40] = "";
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	/* readers of YAML 1.1 take 1e-07 for text, and 1.0e-07 for a number */
	size_t mantissa = strcspn(text, "e");
	buf_add(out, text, mantissa);
	if (text[mantissa] && !strchr(text, '.'))
		buf_puts(out, ".0");
	buf_puts(out, text + mantissa);
}

/* Items of a flow mapping or list: ", " between them. */
struct flow {
	struct buf *out;
	bool any;
};

static void separate(struct flow *flow)
{
	buf_puts(flow->out, flow->any ? ", " : "");
	flow->any = true;
}

static void add_flow_key(struct flow *flow, const char *key)
{
	separate(flow);
	profile_write_key(flow->out, key);
	buf_puts(flow->out, ": ");
}

static void add_flow_uint(struct flow *flow, const char *key, uint64_t value)
{
	add_flow_key(flow, key);
	buf_printf(flow->out, "%" PRIu64, value);
}

static void add_flow_number(struct flow *flow, const char *key, double value)
{
	add_flow_key(flow, key);
	add_number(flow->out, value);
}

/* Where there is any. */
static void add_flow_text(struct flow *flow, const char *key, const char *text)
{
	if (!text)
		return;
	add_flow_key(flow, key);
	add_quoted(flow->out, text);
}

static void add_flow_path(struct flow *flow, const char *key, const char *path)
{
	if (!path)
		return;
	add_flow_key(flow, key);
	profile_write_key(flow->out, path);
}

static void add_list(struct buf *out, const char *const *names, size_t count)
{
	struct flow flow = {.out = out};
	buf_putc(out, '[');
	for (size_t i = 0; i < count; i++) {
		separate(&flow);
		profile_write_key(out, names[i]);
	}
	buf_putc(out, ']');
}

static void add_remarks(struct buf *out, const char *indent, const char *remarks)
{
	for (const char *at = remarks; at && *at;) {
		size_t length = strcspn(at, "\n");
		struct buf line;
		buf_init(&line);
		buf_add(&line, at, length);
		buf_printf(out, "%s# ", indent);
		buf_put_visible(out, line.data);
		buf_putc(out, '\n');
		buf_release(&line);
		at += length + (at[length] == '\n');
	}
}

/* ---- the document ---- */

static void add_role(struct buf *out, const struct profile_role *role)
{
	struct flow flow = {.out = out};
	buf_puts(out, "  ");
	profile_write_key(out, role->name);
	buf_puts(out, ": {");
	add_flow_uint(&flow, "threads", role->threads);
	if (role->rate != 1)
		add_flow_number(&flow, "rate", role->rate);
	if (role->interleave >= 0)
		add_flow_number(&flow, "interleave", role->interleave);
	add_flow_text(&flow, "why", role->why);
	buf_puts(out, "}\n");
}

static bool is_default_workload(const struct profile *profile)
{
	const struct profile_workload *workload = &profile->workloads[0];
	if (profile->workload_count != 1 || strcmp(workload->name, "all") != 0 ||
		workload->role_count != profile->role_count)
		return false;
	for (uint32_t i = 0; i < workload->role_count; i++)
		if (workload->roles[i] != i)
			return false;
	return true;
}

static void add_workloads(struct buf *out, const struct profile *profile)
{
	if (is_default_workload(profile))
		return;
	buf_puts(out, "workloads:\n");
	for (size_t i = 0; i < profile->workload_count; i++) {
		const struct profile_workload *workload = &profile->workloads[i];
		struct flow flow = {.out = out};
		buf_puts(out, "  ");
		profile_write_key(out, workload->name);
		buf_puts(out, ": [");
		for (size_t k = 0; k < workload->role_count; k++) {
			separate(&flow);
			profile_write_key(out, profile->roles[workload->roles[k]].name);
		}
		buf_puts(out, "]\n");
	}
}

/* That of all entries; stated where they differ, so that each says its own. */
static enum evidence evidence_of(const struct profile *profile)
{
	const struct profile_struct *first =
		profile->struct_count ? profile->structs : profile->vars;
	for (size_t i = 0; i < profile->struct_count; i++)
		if (profile->structs[i].evidence != first->evidence)
			return EVIDENCE_STATED;
	if (!first || (profile->vars && profile->vars->evidence != first->evidence))
		return EVIDENCE_STATED;
	return first->evidence;
}

static void add_document(struct buf *out, const struct profile *profile)
{
	enum evidence evidence = evidence_of(profile);
	add_remarks(out, "", profile->remarks);
	buf_puts(out, "version: 1\n");
	if (evidence != EVIDENCE_STATED)
		buf_printf(out, "evidence: %s\n", evidence_name(evidence));
	if (profile->line_bytes)
		buf_printf(out, "line_size: %" PRIu64 "\n", profile->line_bytes);
	if (profile->interleave != PROFILE_INTERLEAVE) {
		buf_puts(out, "interleave: ");
		add_number(out, profile->interleave);
		buf_putc(out, '\n');
	}
	if (profile->line_price != PROFILE_LINE_PRICE) {
		buf_puts(out, "line_price: ");
		add_number(out, profile->line_price);
		buf_putc(out, '\n');
	}
	buf_puts(out, "roles:\n");
	for (size_t i = 0; i < profile->role_count; i++)
		add_role(out, &profile->roles[i]);
	add_workloads(out, profile);
}

/* ---- an entry ---- */

static void add_placement(struct buf *out, const struct profile_struct *entry)
{
	struct flow flow = {.out = out};
	if (!entry->alignment_bytes && !entry->stride_bytes && !entry->container &&
		!entry->placement_why)
		return;
	buf_puts(out, "    placement: {");
	if (entry->alignment_bytes)
		add_flow_uint(&flow, "alignment", entry->alignment_bytes);
	if (entry->stride_bytes)
		add_flow_uint(&flow, "stride", entry->stride_bytes);
	add_flow_path(&flow, "container", entry->container);
	add_flow_text(&flow, "why", entry->placement_why);
	buf_puts(out, "}\n");
}

static void add_allocator(struct buf *out, const struct profile_struct *entry)
{
	static const char *const names[] = {
		[ALLOCATOR_KMALLOC] = "kmalloc",
		[ALLOCATOR_SLAB] = "slab",
		[ALLOCATOR_NONE] = "none",
	};
	struct flow flow = {.out = out};
	if (entry->allocator != ALLOCATOR_UNSTATED)
		buf_printf(out, "    allocator: %s\n", names[entry->allocator]);
	if (profile_has_default_classes(entry))
		return;
	buf_puts(out, "    slab_classes: [");
	for (size_t i = 0; i < entry->slab_class_count; i++) {
		separate(&flow);
		buf_printf(out, "%" PRIu64, entry->slab_classes[i]);
	}
	buf_puts(out, "]\n");
}

static void add_counts(struct flow *flow, const double counts[ACCESS_KIND_COUNT])
{
	for (size_t kind = 0; kind < ACCESS_KIND_COUNT; kind++)
		if (counts[kind] > 0)
			add_flow_number(
				flow, access_kind_name((enum access_kind)kind), counts[kind]);
}

static void add_role_access(
	struct flow *outer, const struct profile_access *access, const char *role)
{
	struct flow flow = {.out = outer->out};
	add_flow_key(outer, role);
	buf_putc(flow.out, '{');
	add_counts(&flow, access->counts);
	add_flow_path(&flow, "if", access->if_field);
	add_flow_path(&flow, "unless", access->unless_field);
	add_flow_text(&flow, "why", access->why);
	buf_putc(flow.out, '}');
}

static void add_index(struct flow *flow, const struct profile_field *field)
{
	if (!field->index_stated)
		return;
	add_flow_key(flow, "index");
	if (field->index == PROFILE_INDEX_ELEMENT)
		buf_printf(flow->out, "%" PRIu64, field->element);
	else
		buf_puts(flow->out, field->index == PROFILE_INDEX_THREAD ? "thread" : "spread");
}

static void add_field(
	struct buf *out, const struct profile *profile, const struct profile_field *field)
{
	struct flow flow = {.out = out};
	buf_puts(out, "      ");
	profile_write_key(out, field->path);
	buf_puts(out, ": {");
	for (size_t i = 0; i < field->access_count; i++) {
		const struct profile_access *access = &field->accesses[i];
		if (access->role == PROFILE_ALL_ROLES)
			add_counts(&flow, access->counts);
		else
			add_role_access(&flow, access, profile->roles[access->role].name);
	}
	if (field->optional) {
		add_flow_key(&flow, "optional");
		buf_puts(out, "true");
	}
	add_flow_path(&flow, "if", field->if_field);
	add_flow_path(&flow, "unless", field->unless_field);
	if (field->bytes)
		add_flow_uint(&flow, "bytes", field->bytes);
	add_index(&flow, field);
	add_flow_text(&flow, "why", field->why);
	buf_puts(out, "}\n");
}

static void add_fields(struct buf *out, const struct profile_struct *entry)
{
	buf_puts(out, entry->field_count ? "    fields:\n" : "    fields: {}\n");
	for (size_t i = 0; i < entry->field_count; i++)
		add_field(out, entry->document, &entry->fields[i]);
}

static void add_threads(struct buf *out, const struct profile_struct *entry)
{
	struct flow flow = {.out = out};
	if (!entry->thread_count)
		return;
	buf_puts(out, "    threads: {");
	for (size_t i = 0; i < entry->thread_count; i++)
		add_flow_uint(&flow, entry->document->roles[entry->threads[i].role].name,
			entry->threads[i].threads);
	buf_puts(out, "}\n");
}

static void add_sequences(struct buf *out, const struct profile_struct *entry)
{
	if (!entry->sequence_count)
		return;
	buf_puts(out, "    sequence:\n");
	for (size_t i = 0; i < entry->sequence_count; i++) {
		const struct profile_sequence *sequence = &entry->sequences[i];
		buf_puts(out, "      ");
		profile_write_key(out, entry->document->roles[sequence->role].name);
		buf_puts(out, ": ");
		add_list(out, sequence->fields, sequence->field_count);
		buf_putc(out, '\n');
	}
}

static void add_locks(struct buf *out, const struct profile_struct *entry)
{
	if (!entry->lock_count)
		return;
	buf_puts(out, "    locks:\n");
	for (size_t i = 0; i < entry->lock_count; i++) {
		const struct profile_lock *lock = &entry->locks[i];
		struct flow flow = {.out = out};
		buf_puts(out, "      ");
		profile_write_key(out, lock->path);
		buf_puts(out, ": {");
		if (lock->protect_count) {
			add_flow_key(&flow, "protects");
			add_list(out, lock->protects, lock->protect_count);
		}
		if (lock->contended > 0)
			add_flow_number(&flow, "contended", lock->contended);
		add_flow_text(&flow, "why", lock->why);
		buf_puts(out, "}\n");
	}
}

static void add_shared(struct buf *out, const struct profile_struct *entry)
{
	if (!entry->shared.count)
		return;
	buf_puts(out, "    shared: ");
	add_list(out, entry->shared.names, entry->shared.count);
	buf_putc(out, '\n');
}

/* ---- what is demanded of it ---- */

static void add_flow_names(struct flow *flow, const char *key, const struct profile_names *names)
{
	if (!names->count)
		return;
	add_flow_key(flow, key);
	add_list(flow->out, names->names, names->count);
}

static void add_constraints(struct buf *out, const struct profile_constraints *constraints)
{
	struct flow flow = {.out = out}, groups = {.out = out};
	size_t before = out->length;
	buf_puts(out, "    constraints: {");
	add_flow_names(&flow, "first", &constraints->first);
	add_flow_names(&flow, "last", &constraints->last);
	add_flow_names(&flow, "pin", &constraints->pin);
	if (constraints->pin_all)
		add_flow_path(&flow, "pin", "all");
	if (constraints->keep_together_count) {
		add_flow_key(&flow, "keep_together");
		buf_putc(out, '[');
		for (size_t i = 0; i < constraints->keep_together_count; i++) {
			separate(&groups);
			add_list(out, constraints->keep_together[i].names,
				constraints->keep_together[i].count);
		}
		buf_putc(out, ']');
	}
	if (constraints->max_size_bytes)
		add_flow_uint(&flow, "max_size", constraints->max_size_bytes);
	if (constraints->padding_allowed)
		add_flow_path(&flow, "padding", "allowed");
	add_flow_text(&flow, "why", constraints->why);
	buf_puts(out, "}\n");
	if (!flow.any) {
		out->length = before;
		out->data[before] = '\0';
	}
}

static void add_expect(struct buf *out, const struct profile_expect *expect)
{
	static const char *const keys[] = {
		[EXPECT_SAME_LINE] = "same_line",
		[EXPECT_APART] = "apart",
		[EXPECT_LINE] = "line",
		[EXPECT_MAX_SIZE] = "max_size",
		[EXPECT_MAX_LINES] = "max_lines",
	};
	struct flow flow = {.out = out};
	buf_puts(out, "      - {");
	add_flow_key(&flow, keys[expect->kind]);
	if (expect->kind == EXPECT_LINE) {
		buf_putc(out, '{');
		profile_write_key(out, expect->fields[0]);
		buf_printf(out, ": %" PRIu64 "}", expect->value);
	} else if (expect->field_count) {
		add_list(out, expect->fields, expect->field_count);
	} else {
		buf_printf(out, "%" PRIu64, expect->value);
	}
	add_flow_text(&flow, "why", expect->why);
	buf_puts(out, "}\n");
}

static void add_demands(struct buf *out, const struct profile_struct *entry)
{
	add_constraints(out, &entry->constraints);
	if (entry->expect_count)
		buf_puts(out, "    expect:\n");
	for (size_t i = 0; i < entry->expect_count; i++)
		add_expect(out, &entry->expects[i]);
	if (entry->ignore_count)
		buf_puts(out, "    ignore:\n");
	for (size_t i = 0; i < entry->ignore_count; i++) {
		const struct profile_ignore *ignore = &entry->ignores[i];
		struct flow flow = {.out = out};
		buf_puts(out, "      - {");
		add_flow_path(&flow, "rule", ignore->rule);
		if (ignore->field_count) {
			add_flow_key(&flow, "fields");
			add_list(out, ignore->fields, ignore->field_count);
		}
		add_flow_text(&flow, "reason", ignore->reason);
		buf_puts(out, "}\n");
	}
}

static void add_entry(struct buf *out, const struct profile_struct *entry, enum evidence evidence)
{
	add_remarks(out, "    ", entry->remarks);
	if (entry->source) {
		buf_puts(out, "    source: ");
		add_quoted(out, entry->source);
		buf_putc(out, '\n');
	}
	if (entry->evidence != evidence)
		buf_printf(out, "    evidence: %s\n", evidence_name(entry->evidence));
	if (entry->instance != INSTANCE_SHARED)
		buf_printf(out, "    instance: %s\n",
			entry->instance == INSTANCE_ARRAY ? "array" : "per-thread");
	add_placement(out, entry);
	add_allocator(out, entry);
	add_threads(out, entry);
	add_fields(out, entry);
	add_sequences(out, entry);
	add_locks(out, entry);
	add_shared(out, entry);
	add_demands(out, entry);
}

void profile_write(const struct profile *profile, struct buf *out)
{
	enum evidence evidence = evidence_of(profile);
	add_document(out, profile);
	if (profile->struct_count)
		buf_puts(out, "structs:\n");
	for (size_t i = 0; i < profile->struct_count; i++) {
		buf_puts(out, "  ");
		profile_write_key(out, profile->structs[i].name);
		buf_puts(out, ":\n");
		add_entry(out, &profile->structs[i], evidence);
	}
	if (profile->vars) {
		buf_puts(out, "vars:\n");
		add_entry(out, profile->vars, evidence);
	}
}
