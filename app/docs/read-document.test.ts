import { expect, test } from "vitest";
import { readErrors } from "@/app/docs/read-document";
import { FIELD_CODES, PROBLEMS } from "@/server/kernel/values/problems";

const errors = readErrors();

test("every code of the API is explained once, without the console's own", () => {
  const codes = errors.map(({ code }) => code as string);
  expect(codes.toSorted()).toEqual(
    Object.keys(PROBLEMS)
      .filter((code) => !["not_allowed", "query_timeout"].includes(code))
      .toSorted(),
  );
});

test("every anchor of the page is unique", () => {
  const anchors = [...errors.map(({ code }) => code as string), ...Object.keys(FIELD_CODES)];
  expect(new Set(anchors).size).toBe(anchors.length);
});

test("every example is a complete problem that links to its own explanation", () => {
  for (const { code, status, title, example } of errors) {
    expect(JSON.parse(example), code).toMatchObject({
      success: false,
      type: `/docs/errors#${code}`,
      title,
      status,
      code,
      detail: expect.any(String),
      requestId: expect.any(String),
    });
  }
});
