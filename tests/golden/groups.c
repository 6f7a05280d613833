// The kernel's cache line groups: members of no size that say what is read and what is written together.
// members: struct sock_like: __cacheline_group_begin__sock_like_read_rx a b __cacheline_group_end__sock_like_read_rx __cacheline_group_begin__sock_like_write_rx c d __cacheline_group_end__sock_like_write_rx e
#include <stddef.h>

#define GROUP_BEGIN(name) unsigned char __cacheline_group_begin__##name[0]
#define GROUP_END(name) unsigned char __cacheline_group_end__##name[0]

struct sock_like {
	GROUP_BEGIN(sock_like_read_rx);
	int a;
	void *b;
	GROUP_END(sock_like_read_rx);
	GROUP_BEGIN(sock_like_write_rx);
	int c;
	long d;
	GROUP_END(sock_like_write_rx);
	long e;
};
_Static_assert(offsetof(struct sock_like, __cacheline_group_begin__sock_like_write_rx) == 2 * sizeof(void *),
	"where c starts");

struct sock_like a_sock;
