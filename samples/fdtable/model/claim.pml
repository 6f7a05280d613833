/*
 * Numbers and slots that never move (number_atomic.c, slot_segment.c): a number is had by who fills its empty slot,
 * the bitmap says where to look. Two threads that open and close, one that does dup2 to a number whoever has it, one
 * that closes it by name; every order of their steps. The memory is sequentially consistent.
 *
 * Mutants: -DNO_SWAP (a slot is filled blindly), -DNO_LOOK_AGAIN (dup2 marks its number, and does not look whether it
 * was closed), -DCLOSE_WITHOUT_SWAP.
 */
#define NUMBERS 2
#define FILES   4
#define EMPTY   0

bool mark[NUMBERS]; /* bits_of(): open */
byte slot[NUMBERS];  /* a file, from 1 on */
byte had[FILES + 1]; /* by how many slots */

inline put(fd, file)
{
	slot[fd] = file;
	had[file]++
}

/* The file that was there is the caller's to drop. */
inline take(fd, file)
{
	assert(had[file] == 1);
	had[file]--
}

/* fd_close: a swap of the slot, then the bit. */
inline close(fd)
{
#ifdef CLOSE_WITHOUT_SWAP
	old = slot[fd];
	if
	:: old != EMPTY ->
		atomic { slot[fd] = EMPTY; take(fd, old) }
		mark[fd] = false
	:: else
	fi
#else
	atomic {
		old = slot[fd];
		if
		:: old != EMPTY -> slot[fd] = EMPTY; take(fd, old)
		:: else
		fi
	}
	if
	:: old != EMPTY -> mark[fd] = false
	:: else
	fi
#endif
}

proctype Open(byte file)
{
	byte fd, old, seen;

	do
	:: fd == NUMBERS -> break /* EMFILE */
	:: fd < NUMBERS && mark[fd] -> fd++
	:: fd < NUMBERS && !mark[fd] ->
		atomic { seen = mark[fd]; mark[fd] = true }
		if
		:: seen /* another was quicker: the word again */
		:: else ->
			atomic {
				old = slot[fd];
				if
#ifdef NO_SWAP
				:: true ->
#else
				:: old == EMPTY ->
#endif
					put(fd, file); old = EMPTY
				:: else
				fi
			}
			if
			:: old == EMPTY -> break
			:: else -> fd++ /* the bit stays: who closes the number clears it */
			fi
		fi
	od;
	if
	:: fd < NUMBERS -> close(fd)
	:: else
	fi
}

proctype Dup2(byte fd; byte file)
{
	byte old;
	bool seen;

	atomic {
		old = slot[fd];
		if
		:: old != EMPTY -> take(fd, old)
		:: else
		fi;
		put(fd, file)
	}
	if
	:: old == EMPTY ->
		atomic { seen = mark[fd]; mark[fd] = true }
#ifndef NO_LOOK_AGAIN
		if
		:: !seen && slot[fd] == EMPTY -> mark[fd] = false
		:: else
		fi
#endif
	:: else
	fi
}

proctype Close(byte fd)
{
	byte old;

	close(fd)
}

init {
	byte fd, file, found;

	atomic {
		run Open(1);
		run Open(2);
		run Dup2(0, 3);
		run Dup2(0, 4);
		run Close(0)
	}
	_nr_pr == 1;
	/* No number is lost: an empty slot has a clear bit, or nobody would find it again. */
	do
	:: fd < NUMBERS -> assert(slot[fd] != EMPTY || !mark[fd]); fd++
	:: else -> break
	od;
	/* No file is lost: it was dropped, or is in a slot, once. */
	file = 1;
	do
	:: file <= FILES ->
		found = 0;
		fd = 0;
		do
		:: fd < NUMBERS && slot[fd] == file -> found++; fd++
		:: fd < NUMBERS && slot[fd] != file -> fd++
		:: else -> break
		od;
		assert(found == had[file]);
		file++
	:: else -> break
	od
}
