struct conf {
	int a;
	char b;
	void *c;
	void *d;
};

struct conf third_conf;
