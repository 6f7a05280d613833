#include "profile.h"

const char *evidence_name(enum evidence evidence)
{
	static const char *const names[] = {
		[EVIDENCE_MEASURED] = "measured",
		[EVIDENCE_STATED] = "stated",
		[EVIDENCE_SHIPPED] = "shipped",
		[EVIDENCE_GROUP] = "group",
	};
	return names[evidence];
}

const char *access_kind_name(enum access_kind kind)
{
	static const char *const names[ACCESS_KIND_COUNT] = {
		[ACCESS_READ] = "read",
		[ACCESS_WRITE] = "write",
		[ACCESS_RMW] = "rmw",
		[ACCESS_UNKNOWN] = "access",
	};
	return names[kind];
}
