#include "cli/report/html.h"

#include <stdarg.h>
#include <stdint.h>

#include "base/error.h"
#include "cli/report/xml.h"
#include "oracle/store/identity.h"

/* The files of cli/report/html, made part of the program by CMake. */
extern const char cli_html_style[], cli_html_script[];

/* --- text ------------------------------------------------------------------------------------- */

/* A number as fprintf() has it. */
static void put_number(FILE *out, char flag, char size, char letter, va_list *list)
{
	bool zero = flag == '0';
	if (letter == 'd') {
		long long number = size == 'l' ? va_arg(*list, long)
				   : size      ? (long long)va_arg(*list, size_t)
					       : va_arg(*list, int);
		fprintf(out, "%lld", number);
		return;
	}
	unsigned long long number = size == 'l' ? va_arg(*list, unsigned long)
				    : size      ? va_arg(*list, size_t)
						: va_arg(*list, unsigned);
	if (letter == 'u')
		fprintf(out, "%llu", number);
	else
		fprintf(out, zero ? "%02llx" : "%llx", number);
}

void cli_html(FILE *out, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	while (*format) {
		size_t plain = strcspn(format, "%");
		fwrite(format, 1, plain, out);
		format += plain;
		if (!*format)
			break;
		char flag = 0, size = 0;
		int precision = -1;
		for (format++; *format == '0' || *format == '2'; format++)
			flag = '0';
		if (*format == '.' && format[1] == '*') {
			precision = va_arg(list, int);
			format += 2;
		} else if (*format == '.') {
			precision = (int)strtol(format + 1, (char **)(uintptr_t)&format, 10);
		}
		if (*format == 'l' || *format == 'z')
			size = *format++;
		switch (*format++) {
		case 's': {
			const char *text = va_arg(list, const char *);
			XS_AUTO_FREE char *part = text && precision >= 0
							  ? xs_asprintf("%.*s", precision, text)
							  : NULL;
			cli_xml_text(out, part ? part : text);
			break;
		}
		case 'c':
			putc(va_arg(list, int), out);
			break;
		case 'f':
			fprintf(out, "%.*f", precision < 0 ? 6 : precision, va_arg(list, double));
			break;
		case '%':
			putc('%', out);
			break;
		default:
			put_number(out, flag, size, format[-1], &list);
			break;
		}
	}
	va_end(list);
}

void cli_html_lines(FILE *out, const char *text)
{
	cli_xml_lines(out, text);
}

/* --- the frame of a page ---------------------------------------------------------------------- */

/* `sha256-` and the hash in base 64, as a policy names it. */
static void put_hash(FILE *out, const char *text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	XS_AUTO_FREE char *hash = ora_hash_text(text);
	const char *hex = strchr(hash, ':') + 1;
	uint8_t bytes[33] = {0};
	for (size_t i = 0; i < 32; i++) {
		const char pair[] = {hex[2 * i], hex[2 * i + 1], 0};
		bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
	}
	fputs("'sha256-", out);
	for (size_t i = 0; i < 33; i += 3) {
		uint32_t bits =
			(uint32_t)bytes[i] << 16 | (uint32_t)bytes[i + 1] << 8 | bytes[i + 2];
		for (int k = 18; k >= (i == 30 ? 6 : 0); k -= 6)
			putc(letters[bits >> k & 63], out);
	}
	fputs("='", out);
}

void cli_html_begin(FILE *out, const char *title, const char *more)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "base-uri 'none'; form-action 'none'; style-src ",
		out);
	put_hash(out, cli_html_style);
	fputs("; script-src ", out);
	put_hash(out, cli_html_script);
	if (more) {
		putc(' ', out);
		put_hash(out, more);
	}
	fputs("\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"generator\" content=\"xstep " XSTEP_VERSION "\">\n",
		out);
	cli_html(out, "<title>%s</title>\n<style>", title);
	fputs(cli_html_style, out);
	fputs("</style>\n</head>\n<body>\n", out);
}

/* The JSON as it may stand in a page: `<` and its like are in strings only, and escaped there. */
static void put_data(FILE *out, const char *data)
{
	for (; *data; data++) {
		const unsigned char *at = (const unsigned char *)data;
		if (*data == '<' || *data == '>' || *data == '&') {
			fprintf(out, "\\u%04x", *at);
		} else if (at[0] == 0xe2 && at[1] == 0x80 && (at[2] == 0xa8 || at[2] == 0xa9)) {
			fprintf(out, "\\u20%02x", at[2] & 0x7f);
			data += 2;
		} else {
			putc(*data, out);
		}
	}
}

void cli_html_end(FILE *out, const char *data, const char *more)
{
	fputs("<script type=\"application/json\" id=\"data\">", out);
	put_data(out, data);
	fputs("</script>\n<script>", out);
	fputs(cli_html_script, out);
	fputs("</script>\n", out);
	if (more) {
		fputs("<script>", out);
		fputs(more, out);
		fputs("</script>\n", out);
	}
	fputs("</body>\n</html>\n", out);
}

void cli_html_copy(FILE *out, const char *id, const char *part, const char *label)
{
	cli_html(out,
		"<div class=\"copyable\"><p class=\"does\"><button class=\"copy\" "
		"data-copy=\"%s-%s\" "
		"hidden>%s</button></p>\n",
		part, id, label);
}
