/* test_inspect.c - what bytes are, told of whole and of damaged ones. */
#include "check.h"
#include "puffin_file.h"

/* Inspects bytes and expects each of the parts, which end with NULL, in the JSON. */
static void expect(const uint8_t *data, size_t size, const char *format, const char *const *parts) {
  dv_source_t *source = NULL;
  dv_bytes json = {NULL, 0};
  OK(dv_source_memory(data, size, &source));
  if (OK(dv_inspect(source, format, &json))) {
    CHECK(json.data[0] == '{' && json.data[json.size] == '\0' && strlen((char *)json.data) == json.size);
    for (; *parts != NULL; parts++) {
      if (!CHECK(strstr((char *)json.data, *parts) != NULL)) fprintf(stderr, "%s in %s\n", *parts, (char *)json.data);
    }
  }
  dv_bytes_free(&json);
  dv_source_free(source);
}

#define EXPECT(data, size, format, ...) expect((data), (size), (format), (const char *const[]){__VA_ARGS__, NULL})

static void test_puffin(void) {
  dv_bytes file = puffin_file();
  EXPECT(file.data, file.size, NULL, "\"format\":\"puffin\"", "\"guessed\":true", "\"fault\":null",
         "\"vector_count\":2", "\"referenced_data_file\":\"a\"", "\"cardinality\":2");
  EXPECT(file.data, file.size, "puffin", "\"guessed\":false");
  EXPECT(file.data, file.size - 1, "puffin", "\"status\":\"DV_CORRUPT\"");
  file.data[20] ^= 1; /* in the first vector */
  EXPECT(file.data, file.size, NULL, "\"status\":\"DV_CORRUPT\"", "\"vectors_faulty\":1", "\"cardinality\":1");
  dv_bytes_free(&file);
}

static void test_others(void) {
  dv_t *dv = NULL;
  dv_bytes bytes = {NULL, 0};
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t[]){4, 300}, 2));
  OK(dv_serialize(dv, &bytes));
  EXPECT(bytes.data, bytes.size, NULL, "\"format\":\"dv-blob\"", "\"fault\":null", "\"canonical\":true", "\"first\":4",
         "\"last\":300");
  bytes.data[bytes.size - 1] ^= 1;
  EXPECT(bytes.data, bytes.size, NULL, "\"format\":\"dv-blob\"", "\"DV_CORRUPT\"", "\"cardinality\":2");
  dv_bytes_free(&bytes);
  OK(dv_serialize_bitmap(dv, &bytes));
  EXPECT(bytes.data, bytes.size, NULL, "\"format\":\"roaring-64\"", "\"fault\":null");
  dv_bytes_free(&bytes);
  OK(mumbling_from_dv(dv, &bytes));
  EXPECT(bytes.data, bytes.size, "mumbling", "\"format\":\"mumbling\"", "\"fault\":null", "\"cardinality\":2");
  dv_bytes_free(&bytes);
  dv_free(dv);
  EXPECT((const uint8_t *)"nothing that we know", 20, NULL, "\"format\":\"unknown\"");
  EXPECT(NULL, 0, NULL, "\"format\":\"unknown\"", "\"size\":0");
}

static int64_t fail(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  (void)context, (void)offset, (void)buffer, (void)size;
  return -1;
}

static void test_refusals(void) {
  dv_source_t *source = NULL;
  dv_bytes json = {NULL, 0};
  OK(dv_source_callbacks(NULL, 100, fail, &source));
  CHECK_STATUS(DV_IO, dv_inspect(source, NULL, &json));
  CHECK_STATUS(DV_IO, dv_inspect(source, "unknown", &json));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_inspect(source, "Puffin", &json));
  CHECK_STATUS(DV_INVALID_ARGUMENT, dv_inspect(source, "", &json));
  CHECK(json.data == NULL);
  dv_source_free(source);
}

int main(void) {
  test_puffin();
  test_others();
  test_refusals();
  return finish("inspect");
}
