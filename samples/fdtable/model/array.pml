/*
 * Install, growth and close with slots in an array that growth replaces (slot_array.c, expand.c).
 * -DPOLICY=LOCK, SEQCOUNT or RESIZE. Two installs, two growths, a close and a lookup; every order of their
 * steps, each step being one access to what threads share. The memory is sequentially consistent.
 *
 * Mutants: -DNO_LOCK (LOCK); -DNO_RETRY, -DNO_MARKS, -DHOLE_OF_2015 (SEQCOUNT); -DNO_FLAG, -DNO_WAIT (RESIZE);
 * -DNO_GRACE (all: an old array is freed at once).
 */
#define LOCK     1
#define SEQCOUNT 2
#define RESIZE   3

#define NONE     0
#define MOVED    9
#ifndef GROWTHS
#define GROWTHS  1
#endif
#define ARRAYS   (GROWTHS + 1)
#define NUMBERS  2
#define READERS  3 /* installers 0 and 1, lookup 2 */

#define at(array, fd) slot[(array) * NUMBERS + (fd)]
#define FILE(fd)      ((fd) + 1)

byte slot[ARRAYS * NUMBERS];
byte current;       /* files->fdt */
bool gone[ARRAYS];  /* freed */
bool lock;          /* file_lock */
byte sequence;      /* odd: being copied */
bool resizing;
byte section[READERS]; /* odd: in a read section */
bool closed;        /* number 0, by a close that has returned */

inline spin_lock()
{
	atomic { !lock -> lock = true }
}

inline spin_unlock()
{
	lock = false
}

/* Waits for all sections that had begun. */
inline wait_for_readers()
{
	atomic {
		before[0] = section[0]; before[1] = section[1]; before[2] = section[2];
		i = 0
	}
	do
	:: i < READERS ->
		(before[i] % 2 == 0 || section[i] != before[i]);
		i++
	:: else -> break
	od
}

inline install_locked()
{
#ifndef NO_LOCK
	spin_lock();
#endif
	array = current;
	assert(!gone[array]);
	at(array, me) = FILE(me);
#ifndef NO_LOCK
	spin_unlock()
#endif
}

proctype Install(byte me)
{
	byte array, found, version;

#if POLICY == LOCK
	install_locked();
#elif POLICY == SEQCOUNT
	section[me]++;
	do
	:: true ->
		version = sequence;
		if
		:: version % 2 == 1 -> (sequence != version) /* sched_yield, and again */
		:: else ->
			array = current;
			assert(!gone[array]);
#ifdef HOLE_OF_2015
			at(array, me) = FILE(me);
			if
			:: sequence == version -> break
			:: else
			fi
#else
			atomic {
				found = at(array, me);
				if
				:: found == NONE -> at(array, me) = FILE(me)
				:: else
				fi
			}
			assert(found == NONE || found == MOVED);
			if
			:: found == NONE -> break
			:: else
#ifdef NO_RETRY
				-> break
#endif
			fi
#endif
		fi
	od;
	section[me]++;
#else
	section[me]++;
	if
#ifndef NO_FLAG
	:: resizing ->
		section[me]++;
		install_locked()
#endif
	:: else ->
		array = current;
		assert(!gone[array]);
		at(array, me) = FILE(me);
		section[me]++
	fi;
#endif
	skip
}

/* urcu_bp_call_rcu */
proctype Free(byte array)
{
	byte before[READERS], i;

#ifndef NO_GRACE
	wait_for_readers();
#endif
	gone[array] = true
}

proctype Grow()
{
	byte old, fd, growth, i, file, before[READERS];

	do
	:: growth < GROWTHS ->
#if POLICY == RESIZE
		resizing = true;
#ifndef NO_WAIT
		wait_for_readers();
#endif
#endif
		spin_lock();
		old = current;
#if POLICY == SEQCOUNT
		sequence++;
#endif
		fd = 0;
		do
		:: fd < NUMBERS ->
#if POLICY == SEQCOUNT && !defined(NO_MARKS) && !defined(HOLE_OF_2015)
			file = at(old, fd);
			if
			:: file == NONE ->
				atomic {
					file = at(old, fd);
					if
					:: file == NONE -> at(old, fd) = MOVED
					:: else
					fi
				}
			:: else
			fi;
#else
			file = at(old, fd);
#endif
			at(old + 1, fd) = file;
			fd++
		:: else -> break
		od;
		current = old + 1;
#if POLICY == SEQCOUNT
		sequence++;
#endif
		spin_unlock();
#if POLICY == RESIZE
		resizing = false;
#endif
		run Free(old);
		growth++
	:: else -> break
	od;
	skip
}

/* Number 0, if it is open by then. */
proctype Close()
{
	byte array;

	spin_lock();
	array = current;
	assert(!gone[array]);
	if
	:: at(array, 0) == FILE(0) ->
		at(array, 0) = NONE;
		spin_unlock();
		closed = true
	:: else -> spin_unlock()
	fi;
	skip
}

/* fget without its count (get.pml): a look, and a second look from the top. */
proctype Look()
{
	byte array, file;
	bool was_closed;

	was_closed = closed;
	section[2]++;
	array = current;
	assert(!gone[array]);
	file = at(array, 0);
	assert(file == NONE || file == MOVED || file == FILE(0));
	if
	:: file == FILE(0) ->
		array = current;
		assert(!gone[array]);
		if
		:: at(array, 0) == file -> assert(!was_closed)
		:: else
		fi
	:: else
	fi;
	section[2]++;
	skip
}

init {
	atomic {
		run Install(0);
		run Install(1);
		run Grow();
		run Close();
		run Look()
	}
	_nr_pr == 1;
	/* Nothing is lost, and nothing is back. */
	assert(at(current, 1) == FILE(1));
	assert(at(current, 0) == (closed -> NONE : FILE(0)))
}
