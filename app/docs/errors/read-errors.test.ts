import { expect, test } from "vitest";
import { FIELD_CODES, PROBLEMS } from "@/server/problems";
import { readDocument } from "../document/read-document";
import { readErrors } from "./read-errors";

const errors = readErrors(readDocument());

test("every code that a caller can meet is explained once, and the console's own is left out", () => {
  const codes = errors.map(({ code }) => code as string);
  expect(codes.toSorted()).toEqual(
    Object.keys(PROBLEMS)
      .filter((code) => code !== "not_allowed")
      .toSorted(),
  );
});

test("every anchor of the page is of one code alone", () => {
  const anchors = [...errors.map(({ code }) => code as string), ...Object.keys(FIELD_CODES)];
  expect(new Set(anchors).size).toBe(anchors.length);
});

test("every example is a whole problem that leads to its own explanation", () => {
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
