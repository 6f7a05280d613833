/*
 * patch: struct server
 * cc: -DWITH_STATS
 * writes: requests
 * reads: config listener
 * refused: branch.h:17: 'requests' cannot be moved: it would have to go beside '*', out of '#ifdef WITH_STATS' of line 16; move it by hand
 *
 * The only member of a conditional cannot leave it.
 */
struct server {
	void *config;
	void *listener;
	/* of every
	 * worker */
	/* statistics */
#ifdef WITH_STATS
	unsigned long requests;
#endif
	char name[96];
	int cold;
	int colder;
};
struct server a_server;
