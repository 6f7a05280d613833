/*
 * patch: struct flow
 * writes: packets
 * reads: route device mtu
 *
 * Markers of cacheline groups, a macro that declares a group of members, another that pads.
 */
#define __cacheline_group_begin(name) unsigned char __cacheline_group_begin__##name[0]
#define __cacheline_group_end(name) unsigned char __cacheline_group_end__##name[0]
#define struct_group(name, ...) union { struct { __VA_ARGS__ }; struct { __VA_ARGS__ } name; }
#define PADDING(name) struct { char x[0]; } name __attribute__((aligned(64)));

struct flow {
	void			*route;
	/* bumped for each packet */
	unsigned long		packets;
	void			*device;
	unsigned int		mtu;
	struct_group(key,
		unsigned int	source;
		unsigned int	target;
	);
	unsigned long		cold[8];
	PADDING(_pad1_)
	__cacheline_group_begin(flow_stats);
	unsigned long		errors;
	unsigned long		drops;
	__cacheline_group_end(flow_stats);
};
struct flow a_flow;
