import { gzipSync } from "node:zlib";
import { type BadInputWorld, type BadRow, batchBody, refused } from "./bad-request";

const MEBIBYTE = 1_048_576;

const MEDIA_TYPES = [
  "",
  "text/plain",
  "text/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "application/json5",
  "application/problem+json",
  "application/vnd.api+json",
  "application/jsonx",
  "application/octet-stream",
  "json",
  "*/*",
  "application/json; charset=latin1",
  "application/json; charset=utf-16",
  "application/json, text/plain",
  "application/json; charset=iso-8859-1",
];
const ENCODINGS = ["gzip", "br", "deflate", "zstd", "gzip, identity", "GZIP", "x-gzip"];

/** Bodies that are too large, have the wrong media type, or are not allowed. */
export function badBodies(world: BadInputWorld): BadRow[] {
  const unsupported = (name: string, row: Omit<BadRow, "name">) =>
    refused(415, "unsupported_media_type", name, row);
  const tooLarge = (name: string, row: Omit<BadRow, "name">) => refused(413, "body_too_large", name, row);
  const large = Buffer.alloc(MEBIBYTE + 1, " ");
  large.write(batchBody());
  const path = `/v1/contracts/${world.contract}/batches/pending`;
  const encoded = (encoding: string, bytes: number): Omit<BadRow, "name"> => ({
    body: gzipSync(Buffer.alloc(bytes, batchBody())),
    headers: [["Content-Encoding", encoding]],
  });
  return [
    ...MEDIA_TYPES.map((type) =>
      unsupported(`Content-Type "${type}"`, { body: batchBody(), headers: [["Content-Type", type]] }),
    ),
    ...ENCODINGS.map((encoding) =>
      unsupported(`Content-Encoding ${encoding}`, encoded(encoding, batchBody().length)),
    ),
    unsupported("a gzip bomb", encoded("gzip", 50_000_000)),
    unsupported("a POST without body and media type", { method: "POST" }),
    tooLarge("1 MiB and one byte", { body: large }),
    tooLarge("1 MiB and one byte, in chunks without a length", {
      body: [large.subarray(0, MEBIBYTE), large.subarray(MEBIBYTE)],
    }),
    tooLarge("1 MiB and one byte, as PUT", { method: "PUT", path, body: large }),
    { name: "a body too large for a GET", method: "GET", path, body: large },
    { name: "a GET with fields in its body", method: "GET", path, body: '{"a":1}' },
    { name: "a DELETE with fields in its body", method: "DELETE", path, body: '{"reason":"x"}' },
    { name: "a DELETE with a list as body", method: "DELETE", path, body: "[]" },
    { name: "a DELETE with a broken body", method: "DELETE", path, body: "{" },
    { name: "a list with text as body", method: "GET", body: "text" },
  ];
}
