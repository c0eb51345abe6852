/* test_inspect.c - dv_inspect: what it says of sound, damaged and unknown bytes, and the few ways in which it fails. */
#include "check.h"
#include "golden.h"
#include "puffin_file.h"

/* The object for bytes, to be freed with dv_bytes_free; format NULL: guessed. */
static dv_bytes inspect(const uint8_t *data, size_t size, const char *format) {
  dv_source_t *source = NULL;
  dv_bytes json = {NULL, 0};
  OK(dv_source_memory(data, size, &source));
  if (OK(dv_inspect(source, format, &json))) CHECK_INT(0, json.data[json.size]);
  dv_source_free(source);
  return json;
}

static bool has(const dv_bytes *json, const char *part) { return strstr((const char *)json->data, part) != NULL; }

static int count(const dv_bytes *json, const char *part) {
  int n = 0;
  for (const char *at = (const char *)json->data; (at = strstr(at, part)) != NULL; at++) n++;
  return n;
}

/* The example of the specification: the blob of no positions. */
static const uint8_t EMPTY[] = {0, 0, 0, 12, 0xD1, 0xD3, 0x39, 0x64, 0, 0, 0, 0, 0, 0, 0, 0, 0xBF, 0x18, 0x48, 0x0C};

static void test_whole_object(void) {
  static const char expected[] =
      "{\"format\":\"dv-blob\",\"guessed\":true,\"size\":20,\"version\":null,"
      "\"checks\":[\"length\",\"magic\",\"crc\",\"structure\",\"end\"],\"fault\":null,\"footer\":null,"
      "\"vectors\":[{\"index\":0,\"offset\":0,\"size\":20,\"size_in_bytes\":null,\"referenced_data_file\":null,"
      "\"declared_cardinality\":null,\"checks\":[\"length\",\"magic\",\"crc\",\"structure\",\"end\"],\"fault\":null,"
      "\"complete\":true,\"cardinality\":0,\"bounds\":null,\"bitmap_count\":0,\"empty_bitmaps\":0,\"bitmaps\":[],"
      "\"bitmaps_omitted\":0,\"containers\":{\"array\":{\"count\":0,\"bytes\":0},\"bitmap\":{\"count\":0,\"bytes\":0},"
      "\"run\":{\"count\":0,\"bytes\":0}},\"padding\":0,\"smallest\":true,\"canonical\":true,\"canonical_size\":20}],"
      "\"vector_count\":1,\"vectors_omitted\":0,\"vectors_faulty\":0,\"vectors_unexamined\":0,\"other_blobs\":[],"
      "\"other_blobs_omitted\":0,\"rest\":null}";
  dv_bytes json = inspect(EMPTY, sizeof EMPTY, NULL);
  CHECK_BYTES(expected, sizeof expected - 1, json.data, json.size);
  dv_bytes_free(&json);
}

static void test_damaged_puffin(void) {
  dv_bytes file = puffin_file();
  dv_bytes json = inspect(file.data, file.size, NULL);
  CHECK(has(&json, "{\"format\":\"puffin\",\"guessed\":true,") && count(&json, "\"fault\":null") == 3);
  CHECK(has(&json, "\"referenced_data_file\":\"a\",\"declared_cardinality\":2,"));
  CHECK(has(&json, "\"cardinality\":2,\"bounds\":{\"first\":1,\"last\":70000},"));
  CHECK(count(&json, "\"canonical\":true") == 2);
  dv_bytes_free(&json);

  file.data[4 + 20] ^= 0x80; /* in the first vector's bitmap */
  json = inspect(file.data, file.size, NULL);
  CHECK(count(&json, "\"fault\":null") == 1 &&
        has(&json, "\"vector_count\":2,\"vectors_omitted\":0,\"vectors_faulty\":1,"));
  CHECK(has(&json, "\"cardinality\":1,\"bounds\":{\"first\":5,\"last\":5},")); /* the other one, as before */
  char message[128];
  snprintf(
      message, sizeof message,
      "\"fault\":{\"status\":\"%s\",\"message\":\"blob 0 at offset 4 of the Puffin file: ", dv_status_name(DV_CORRUPT));
  CHECK_INT(2, count(&json, message)); /* of the file and of the vector */
  dv_bytes_free(&json);

  json = inspect(file.data, file.size - 1, "puffin");
  CHECK(has(&json, "\"vector_count\":0,") && has(&json, "\"checks\":[],\"fault\":{\"status\":\"DV_CORRUPT\""));
  dv_bytes_free(&json);
  dv_bytes_free(&file);
}

static void test_golden(void) {
  static const struct {
    const char *file, *format, *part;
  } known[] = {
      {"iceberg/all_kinds_3c.dv", "dv-blob", "\"containers\":{\"array\":{\"count\":1,"},
      {"iceberg/pyroaring/pos5.roaring64", "roaring-64", "\"cookie\":12346,"},
      {"iceberg/keys_gap_3_7.puffin", "puffin", "\"bitmap_count\":8,\"empty_bitmaps\":6,"},
      {"iceberg/theta_zstd_between.puffin", "puffin", "\"compression_codec\":\"zstd\""},
      {"delta/kernel_single.bin", "delta-dv", "\"offset\":1,\"size\":42,\"size_in_bytes\":34,"},
      {"delta/spark_native.bin", "delta-dv", "\"fault\":{\"status\":\"DV_UNSUPPORTED\""},
      {"mumbling/gap_middle.bin", "mumbling", "\"empty\":{\"count\":99,\"bytes\":0}"},
      {"hostile/delta/crc_little_endian.bin", "delta-dv", "\"fault\":{\"status\":\"DV_CORRUPT\""},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    char path[512], head[64];
    dv_source_t *source = NULL;
    dv_bytes json = {NULL, 0}, named = {NULL, 0};
    golden_path(path, known[i].file);
    OK(dv_source_path(path, &source));
    OK(dv_inspect(source, NULL, &json));
    snprintf(head, sizeof head, "{\"format\":\"%s\",\"guessed\":true,", known[i].format);
    CHECK(strncmp(head, (char *)json.data, strlen(head)) == 0 && has(&json, known[i].part));
    OK(dv_inspect(source, known[i].format, &named));
    snprintf(head, sizeof head, "{\"format\":\"%s\",\"guessed\":false,", known[i].format);
    CHECK(strncmp(head, (char *)named.data, strlen(head)) == 0);
    CHECK(strcmp(strstr((char *)json.data, "\"size\""), strstr((char *)named.data, "\"size\"")) == 0);
    dv_bytes_free(&json);
    dv_bytes_free(&named);
    dv_source_free(source);
  }
}

static void test_unknown(void) {
  dv_bytes json = inspect(NULL, 0, NULL);
  CHECK(has(&json, "{\"format\":\"unknown\",\"guessed\":true,\"size\":0,") && has(&json, "\"DV_UNSUPPORTED\""));
  dv_bytes_free(&json);
  json = inspect((const uint8_t *)"PAR1....", 8, "unknown");
  CHECK(has(&json, "{\"format\":\"unknown\",") && has(&json, "a Parquet file"));
  dv_bytes_free(&json);
}

/* Each of the forms that a vector is written in is known again. */
static void test_what_we_write(void) {
  static const char part[] = "\"cardinality\":2,\"bounds\":{\"first\":4,\"last\":300},";
  dv_t *dv = NULL;
  dv_bytes bytes = {NULL, 0};
  OK(dv_new(&dv));
  OK(dv_set_many(dv, (int64_t[]){4, 300}, 2));
  OK(dv_serialize_bitmap(dv, &bytes));
  dv_bytes json = inspect(bytes.data, bytes.size, NULL);
  CHECK(has(&json, "\"format\":\"roaring-64\"") && has(&json, part) && has(&json, "\"canonical\":true"));
  dv_bytes_free(&json);
  dv_bytes_free(&bytes);
  OK(mumbling_from_dv(dv, &bytes));
  json = inspect(bytes.data, bytes.size, NULL);
  CHECK(has(&json, "\"format\":\"mumbling\"") && has(&json, part) && has(&json, "\"canonical\":true"));
  dv_bytes_free(&json);
  dv_bytes_free(&bytes);
  dv_free(dv);
}

static int64_t fail_later(void *context, int64_t offset, uint8_t *buffer, size_t size) {
  int *left = context;
  if ((*left)-- == 0) return -5;
  memset(buffer, 0, size);
  if (offset == 0) memcpy(buffer, "PFA1", 4);
  return (int64_t)size;
}

static void test_failures(void) {
  static const char *const others[] = {"", "Puffin", "puffin ", "parquet"};
  dv_source_t *source = NULL;
  dv_bytes json = {NULL, 0};
  OK(dv_source_memory(EMPTY, sizeof EMPTY, &source));
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    CHECK_STATUS(DV_INVALID_ARGUMENT, dv_inspect(source, others[i], &json));
    CHECK_ERROR("expected one of puffin, dv-blob, delta-dv, roaring-64, mumbling, unknown");
  }
  dv_source_free(source);
  for (int requests = 0; requests < 2; requests++) {
    int left = requests;
    OK(dv_source_callbacks(&left, 1 << 20, fail_later, &source));
    CHECK_STATUS(DV_IO, dv_inspect(source, NULL, &json));
    CHECK_ERROR("read callback");
    dv_source_free(source);
  }
  CHECK(json.data == NULL && json.size == 0);
}

int main(void) {
  test_whole_object();
  test_damaged_puffin();
  test_golden();
  test_what_we_write();
  test_unknown();
  test_failures();
  return finish("inspect");
}
