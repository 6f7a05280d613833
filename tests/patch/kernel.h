/*
 * patch: struct session
 * writes: refs
 * reads: mode ops mapping owner flags
 *
 * Kernel style: comments above and to the right, conditionals, a bitmap, an unnamed union, attributes behind the brace.
 */
#ifndef SESSION_H
#define SESSION_H

#define DECLARE_BITMAP(name, bits) unsigned long name[((bits) + 63) / 64]
#define __rcu
#define __layout_note
#define ____cacheline_aligned_in_smp __attribute__((__aligned__(64)))

typedef struct {
	long counter;
} atomic_long_t;
struct session_ops;

/**
 * struct session - one client's state
 * @refs: how many hold it
 * @mode: what it may do
 */
struct session {
	atomic_long_t			refs;		/* taken by every request */
	unsigned int			lock;
	unsigned int			mode;
	const struct session_ops	*ops;

	/* where its pages are;
	 * never NULL */
	void __rcu			*mapping;
	void				*owner;		// set once
	unsigned int			flags;
#define SESSION_NEW	0x1	/* not greeted yet */
#define SESSION_DEAD	0x2
	unsigned int			state;
#ifdef CONFIG_SESSION_AUDIT
	void				*audit;
#endif
	/* --- cacheline 1 boundary (64 bytes) --- */
	union {
		/* while it is queued */
		struct {
			void		*next;
			void		*prev;
		};
		/* when it is gone */
		long			freed_at;
	};
	DECLARE_BITMAP(features, 128);
	long				started;
	long				spare[4];
} __layout_note
  __attribute__((aligned(8)));

extern struct session *a_session;
struct session *a_session;
#endif
