/*
 * Places in the library where a test can stop a thread, so that a meeting of two threads is made and not
 * waited for. Internal. Nothing without -DFDTABLE_POINTS.
 */
#ifndef FDTABLE_POINTS_H
#define FDTABLE_POINTS_H

#include <stdatomic.h>

enum fdtable_point {
	POINT_NONE,
	POINT_GET_FOUND,     /* fget knows the file's address, and has no reference */
	POINT_INSTALL_FOUND, /* fd_install knows the slot, and has not stored */
	POINT_INSTALL_AGAIN, /* it has met a growth: it will try again, or take the lock */
	POINT_COPIED,        /* growth has filled the new array, and not published it */
	POINT_CHOSEN,        /* a number was seen free, and not claimed */
	POINT_FILLED,        /* a word of the bitmap is full, the second level does not say so */
	POINT_CLOSE_FOUND,   /* a close has seen a file, and not emptied the slot */
	POINT_EMPTIED,       /* it has, and the number is not free */
	POINT_REPLACED,      /* dup2 has filled a slot that was empty, the bitmap does not say so (segments) */
};

#ifdef FDTABLE_POINTS

/* What is called at each; NULL: nothing. */
extern void (*_Atomic fdtable_at_point)(enum fdtable_point point);

static inline void at_point(enum fdtable_point point)
{
	void (*function)(enum fdtable_point) =
		atomic_load_explicit(&fdtable_at_point, memory_order_relaxed);

	if (function)
		function(point);
}

#else

static inline void at_point(enum fdtable_point point)
{
	(void)point;
}

#endif

#endif
