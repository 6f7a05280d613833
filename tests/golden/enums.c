// Enumerations: plain, negative, packed, wide, unnamed.
// members: struct enums: plain negative tiny wide unnamed pointer many
#include <stddef.h>

enum plain { A, B };
enum negative { C = -1, D };
enum __attribute__((packed)) tiny { E, F };
enum wide { G = 1LL << 40 };

struct enums {
	enum plain plain;
	enum negative negative;
	enum tiny tiny;
	enum wide wide;
	enum { H, I } unnamed;
	const enum plain *pointer;
	enum tiny many[3];
};
_Static_assert(sizeof(enum tiny) == 1 && sizeof(enum wide) == 8, "as small or large as their values");

struct enums some_enums;
