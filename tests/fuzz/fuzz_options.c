/* options: the words of a command line, each ended by a NUL or a newline; NAMEs among them as patterns. */
#include <string.h>

#include "base/arena.h"
#include "cmd/cmd.h"
#include "cmd/opt.h"
#include "read/index.h"
#include "target.h"

enum { WORDS_MAX = 256 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena arena;
	struct opt opt = {0};
	char *argv[WORDS_MAX + 2] = {(char[]){"linelint"}};
	int argc = 1;
	arena_init(&arena);
	char *text = arena_strndup(&arena, (const char *)data, size), *end = text + size;
	for (char *word = text, *at = text; argc <= WORDS_MAX && at <= end; at++)
		if (at == end ? word < end : *at == '\n' || !*at) {
			size_t length = (size_t)(at - word);
			argv[argc++] = arena_strndup(&arena, word, length);
			word = at + 1;
		}
	if (!refused(opt_parse(&arena, argc, argv, &opt)) && !opt.help && !opt.version) {
		HOLDS(opt.cmd && opt.renderer);
		HOLDS(!opt.cmd->needs_binary == !opt.binary);
		HOLDS(opt.arg_count < (size_t)argc &&
			opt.profile_count + opt.also_count < (size_t)argc);
		HOLDS((opt.line_bytes & (opt.line_bytes - 1)) == 0);
	}
	for (size_t i = 0; i < opt.arg_count; i++) { /* NAMEs */
		index_is_glob(opt.args[i]);
		index_name_matches(opt.args[i], NULL, "s");
		index_name_matches(opt.args[i], "ns::Outer<int, 3>", "inner[]");
	}
	arena_release(&arena);
	return 0;
}
