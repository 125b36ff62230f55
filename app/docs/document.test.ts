import { describe, expect, test } from "vitest";
import { readDocument, readErrors, readOperations } from "@/app/docs/document";
import { PROBLEMS } from "@/terms/problems";

const document = readDocument();
const operations = readOperations();

describe("the served document", () => {
  test("every operation is shown, with a unique anchor", () => {
    const served = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => /^(?:get|post|put|patch|delete)$/.test(key))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(served.sort());
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  test("a parameter that is sent by key is shown and tried with the key of its description", () => {
    const list = operations.find(({ id }) => id === "batches-list")!;
    const { name, description } = list.parameters.find(({ name }) => name.startsWith("metadata"))!;
    expect(name).toBe("metadata[campaign]");
    expect(description).toContain(`\`${name}=summer\``);
  });

  test("every status of every operation is shown, with an example wherever it has a body", () => {
    for (const { method, path, id, replies } of operations) {
      const served = Object.keys(document.paths[path]![method.toLowerCase()]!.responses!);
      expect(replies.map(({ status }) => status).sort(), id).toEqual(served.sort());
      for (const { status, body, codes } of replies) {
        if (status !== "304") expect(body?.samples[0] ?? codes[0], `${id} ${status}`).toBeTruthy();
      }
    }
  });
});

const errors = readErrors();

test("every code of the API is explained once, without the console's own", () => {
  const codes = errors.map(({ code }) => code as string);
  expect(codes.toSorted()).toEqual(
    Object.keys(PROBLEMS)
      .filter((code) => !["not_allowed", "query_timeout"].includes(code))
      .toSorted(),
  );
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
