#include "base/buf.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

void buf_init(struct buf *buf)
{
	buf->data = (char *)(uintptr_t) ""; /* never written: there is no capacity */
	buf->length = 0;
	buf->capacity = 0;
}

void buf_release(struct buf *buf)
{
	if (buf->capacity)
		mem_free(buf->data);
	buf_init(buf);
}

void buf_clear(struct buf *buf)
{
	buf->length = 0;
	if (buf->capacity)
		buf->data[0] = '\0';
}

static void reserve(struct buf *buf, size_t extra)
{
	char *owned = buf->capacity ? buf->data : NULL;
	buf->data = mem_grow(owned, &buf->capacity, buf->length + extra + 1, 1);
}

void buf_add(struct buf *buf, const void *bytes, size_t length)
{
	if (!length)
		return;
	reserve(buf, length);
	memcpy(buf->data + buf->length, bytes, length);
	buf->length += length;
	buf->data[buf->length] = '\0';
}

void buf_puts(struct buf *buf, const char *string)
{
	buf_add(buf, string, strlen(string));
}

void buf_putc(struct buf *buf, char byte)
{
	buf_add(buf, &byte, 1);
}

void buf_pad(struct buf *buf, char byte, size_t count)
{
	if (!count)
		return;
	reserve(buf, count);
	memset(buf->data + buf->length, byte, count);
	buf->length += count;
	buf->data[buf->length] = '\0';
}

void buf_vprintf(struct buf *buf, const char *format, va_list args)
{
	enum { LIKELY_BYTES = 80 }; /* that much fits at the first attempt */
	va_list again;
	va_copy(again, args);
	reserve(buf, LIKELY_BYTES);
	int length = vsnprintf(buf->data + buf->length, LIKELY_BYTES + 1, format, args);
	assert(length >= 0 && "a printf format of our own cannot fail");
	if (length > LIKELY_BYTES) {
		reserve(buf, (size_t)length);
		vsnprintf(buf->data + buf->length, (size_t)length + 1, format, again);
	}
	buf->length += (size_t)length;
	va_end(again);
}

void buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	buf_vprintf(buf, format, args);
	va_end(args);
}

/* Length in bytes of the well-formed UTF-8 sequence at `s`, 0 when it is none. RFC 3629. */
static size_t utf8_length(const unsigned char *s)
{
	size_t extra;
	uint32_t code;
	if (s[0] < 0x80)
		return 1;
	if (s[0] >= 0xc2 && s[0] <= 0xdf) {
		extra = 1;
		code = s[0] & 0x1f;
	} else if ((s[0] & 0xf0) == 0xe0) {
		extra = 2;
		code = s[0] & 0x0f;
	} else if (s[0] >= 0xf0 && s[0] <= 0xf4) {
		extra = 3;
		code = s[0] & 0x07;
	} else {
		return 0;
	}
	for (size_t i = 1; i <= extra; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if ((extra == 2 && code < 0x800) || (extra == 3 && (code < 0x10000 || code > 0x10ffff)))
		return 0;
	if (code >= 0xd800 && code <= 0xdfff)
		return 0;
	if (code >= 0x80 && code < 0xa0) /* C1 controls steer terminals too */
		return 0;
	return extra + 1;
}

/* Bytes of the character at `s` that may be shown; 0: none. */
static size_t visible_length(const unsigned char *s)
{
	return *s < 0x20 || *s == 0x7f ? 0 : utf8_length(s);
}

bool buf_is_visible(const char *string)
{
	const unsigned char *s = (const unsigned char *)string;
	for (size_t length; *s; s += length) {
		length = visible_length(s);
		if (!length)
			return false;
	}
	return true;
}

void buf_put_visible(struct buf *buf, const char *string)
{
	const unsigned char *s = (const unsigned char *)string;
	while (*s) {
		size_t length = visible_length(s);
		if (!length) {
			buf_printf(buf, "\\x%02x", *s);
			s++;
		} else {
			buf_add(buf, s, length);
			s += length;
		}
	}
}

void buf_put_word(struct buf *buf, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "_-+=./,:@%^";
	if (*word && !word[strspn(word, plain)]) {
		buf_puts(buf, word);
		return;
	}
	buf_putc(buf, '"');
	for (; *word; word++) {
		if (strchr("\"$`\\", *word))
			buf_putc(buf, '\\');
		buf_putc(buf, *word);
	}
	buf_putc(buf, '"');
}
