/*
 * inspection.c - what is wrong with a vector that a reader has refused.
 *
 * usage: inspection
 */
#include <dv.h>
#include <stdio.h>
#include <stdlib.h>

#define TRY(call) \
  if ((call) != DV_OK) fail(#call)

static void fail(const char *call) {
  fprintf(stderr, "%s: %s\n", call, dv_last_error());
  exit(1);
}

/* [inspect] */
/* Prints what the bytes are and how they are built, as one JSON object. */
static void inspect(const dv_source_t *source) {
  dv_bytes json = {NULL, 0};
  TRY(dv_inspect(source, NULL, &json)); /* NULL: the format is guessed */
  printf("%s\n", (const char *)json.data);
  dv_bytes_free(&json);
}
/* [inspect] */

int main(void) {
  /* The blob of position 1, whose last byte but one was damaged: EE BD 85 F4 is the right CRC. */
  static const uint8_t blob[] = {
      0x00, 0x00, 0x00, 0x22, 0xD1, 0xD3, 0x39, 0x64, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x3A, 0x30, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0x00, 0x01, 0x00, 0xEE, 0xBD, 0x00, 0xF4,
  };
  dv_source_t *source = NULL;
  TRY(dv_source_memory(blob, sizeof blob, &source)); /* or dv_source_path */
  inspect(source);
  dv_source_free(source);
  return dv_live_handles() == 0 ? 0 : 1;
}
