#include "base/error.h"

#include <stdarg.h>

#include "base/buf.h"
#include "base/mem.h"

/* A struct error that owns the visible form of `text`. */
static struct error *from_text(const char *text)
{
	struct error *error = mem_new(1, sizeof(*error));
	struct buf visible;
	buf_init(&visible);
	buf_put_visible(&visible, text);
	buf_putc(&visible, '\0'); /* forces an allocation of its own, even for "" */
	error->message = visible.data;
	return error;
}

struct error *error_new(const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	struct error *error = from_text(text.data);
	buf_release(&text);
	return error;
}

struct error *error_wrap(struct error *error, const char *format, ...)
{
	struct buf text;
	va_list args;
	buf_init(&text);
	va_start(args, format);
	buf_vprintf(&text, format, args);
	va_end(args);
	buf_puts(&text, ": ");
	buf_puts(&text, error->message);
	struct error *wrapped = from_text(text.data);
	buf_release(&text);
	error_free(error);
	return wrapped;
}

void error_free(struct error *error)
{
	if (!error)
		return;
	mem_free(error->message);
	mem_free(error);
}
