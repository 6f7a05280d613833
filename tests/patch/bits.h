/*
 * patch: struct port
 * writes: is_up
 * reads: base limit handler
 *
 * The run of bit-fields moves as one, unnamed ones included.
 */
typedef unsigned int u32;
struct port {
	u32		is_up : 1;	/* written by the poller */
	u32		: 3;
	u32		speed : 4,	/* in steps */
			: 0;
	u32		duplex : 1;
	u32		ident;
	void		*base;
	void		*limit;
	void		(*handler)(struct port *port, u32 event);
	char		cold[80];
	long		tail[];
};
struct port *a_port;
