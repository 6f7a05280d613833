/*
 * Lookup, close and the end of a file (fget.c, file.c). Two lookups and two closes of number 0, an open that makes
 * freed memory a file again at number 0 or 1; every order of their steps. -DREUSABLE: the memory is free at once
 * (op->reusable); otherwise after a grace period. The memory is sequentially consistent.
 *
 * Mutants: -DNO_SECOND_LOOK (REUSABLE), -DNO_ZERO_CHECK, -DNO_GRACE (not REUSABLE).
 */
#define CELLS   2 /* memory of files */
#define NOTHING 9
#define READERS 2

byte slot[2] = NOTHING;
byte count[CELLS], at[CELLS]; /* f_count; the number that the file was opened for */
bool released[CELLS], available[CELLS];
byte section[READERS];

inline put(cell)
{
	atomic { assert(count[cell] > 0); count[cell]--; last = count[cell] == 0 }
	if
	:: last ->
		assert(!released[cell]);
		released[cell] = true;
#ifdef REUSABLE
		available[cell] = true
#else
		run Free(cell)
#endif
	:: else
	fi
}

/* After a grace period. */
proctype Free(byte cell)
{
	byte before[READERS], i;

#ifndef NO_GRACE
	atomic { before[0] = section[0]; before[1] = section[1] }
	do
	:: i < READERS ->
		(before[i] % 2 == 0 || section[i] != before[i]);
		i++
	:: else -> break
	od;
#endif
	available[cell] = true
}

proctype Get(byte me)
{
	byte cell, seen;
	bool last;

	section[me]++;
	do
	:: true ->
		cell = slot[0];
		if
		:: cell == NOTHING -> break
		:: else
		fi;
#ifndef REUSABLE
		/* Peek: memory that is looked at is no other file's. */
		assert(!available[cell]);
#endif
		seen = count[cell];
		do
#ifdef NO_ZERO_CHECK
		:: atomic { seen == count[cell] -> count[cell]++ } seen = 1; break
#else
		:: seen == 0 -> break
		:: atomic { seen != 0 && seen == count[cell] -> count[cell]++ } break
#endif
		:: seen != count[cell] -> seen = count[cell]
		od;
		if
		:: seen == 0
		:: else ->
#ifndef NO_SECOND_LOOK
			if
			:: slot[0] == cell -> break
			:: else -> put(cell)
			fi
#else
			break
#endif
		fi
	od;
	section[me]++;
	if
	:: cell != NOTHING ->
		/* What was found is alive, and number 0's. */
		assert(!released[cell] && !available[cell]);
		assert(at[cell] == 0);
		put(cell)
	:: else
	fi
}

proctype Close()
{
	byte cell;
	bool last;

	atomic { cell = slot[0]; slot[0] = NOTHING }
	if
	:: cell != NOTHING -> put(cell)
	:: else
	fi
}

/* Opens a file in what is available, at a number that is free. */
proctype Open()
{
	byte cell, fd;

	atomic {
		if
		:: available[0] -> cell = 0
		:: available[1] -> cell = 1
		fi;
		available[cell] = false
	}
	if
	:: slot[0] == NOTHING -> fd = 0
	:: true -> fd = 1
	fi;
	released[cell] = false;
	at[cell] = fd;
	count[cell] = 1;
	slot[fd] = cell
}

init {
	atomic {
		slot[0] = 0;
		count[0] = 1;
		released[1] = true;
		run Get(0);
		run Get(1);
		run Close();
		run Close();
		run Open()
	}
}
