/*
 * The second level of a bitmap (bits.c): a word is marked full by who took its last bit, unless one was given back
 * meanwhile. Two claims and two gives back; every order of their steps.
 *
 * Mutants: -DNO_VERSION (the mark does not mind what happened since), -DMARK_FIRST (a give back lowers the mark before
 * it clears the bit).
 */
#define BITS 2

bool taken[BITS];
bool marked;
byte version;

#define is_full (taken[0] && taken[1])

proctype Claim(byte which)
{
	byte seen;
	bool was;

	seen = version;
	atomic { was = taken[which]; taken[which] = true; was = was || !is_full }
	if
	:: was
	:: else ->
		do
		:: atomic {
#ifdef NO_VERSION
			true ->
#else
			seen == version ->
#endif
			marked = true
			}
			break
		:: seen != version ->
			seen = version;
			if
			:: !is_full -> break
			:: else
			fi
		od
	fi
}

proctype Give(byte which)
{
#ifdef MARK_FIRST
	atomic { marked = false; version++ }
	taken[which] = false
#else
	taken[which] = false;
	atomic { marked = false; version++ }
#endif
}

init {
	atomic {
		taken[0] = true;
		run Claim(1);
		run Give(0);
		run Claim(1);
		run Give(1)
	}
	_nr_pr == 1;
	/* A free bit is found: its word is not marked full. */
	assert(is_full || !marked)
}
