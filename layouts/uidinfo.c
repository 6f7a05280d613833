/*
 * Case 5: what a user's processes use together, FreeBSD 7-CURRENT (August 2007).
 *
 * Every change of a socket buffer, by any process of the user, changes ui_sbsize. BEFORE takes a mutex from
 * a shared pool around it, found through ui_mtxp: two atomics on the pool's line, a read of ui_mtxp, a read
 * and a write of ui_sbsize. AFTER is one atomic on ui_sbsize, which becomes a long because not every
 * machine has atomics of 64 bits; the pointer goes, and with it 8 bytes.
 */
#define BEFORE 0
#define AFTER 1
#ifndef VARIANT
#define VARIANT BEFORE
#endif

#include "case.h"

typedef long long rlim_t;
typedef unsigned int uid_t;
typedef unsigned int u_int;

struct mtx;

struct uidinfo {
	struct {
		struct uidinfo *le_next;
		struct uidinfo **le_prev;
	} ui_hash;
#if VARIANT == BEFORE
	rlim_t ui_sbsize;
#else
	long ui_sbsize;
#endif
	long ui_proccnt;
	uid_t ui_uid;
	u_int ui_ref;
#if VARIANT == BEFORE
	struct mtx *ui_mtxp;
#endif
};

struct uidinfo a_user;

#if VARIANT == BEFORE
IS(sizeof(struct uidinfo), BY_BITS(32, 48));
#else
IS(sizeof(struct uidinfo), BY_BITS(24, 40));
#endif
IS(offsetof(struct uidinfo, ui_sbsize), 2 * sizeof(void *));
