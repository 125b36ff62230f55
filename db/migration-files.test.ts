import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";

const FOLDER = path.join(process.cwd(), "db", "migrations");
const files = readdirSync(FOLDER).filter((name) => name.endsWith(".sql"));

/** Statements that make an index, without comments. */
function indexStatements(file: string): string[] {
  const text = readFileSync(path.join(FOLDER, file), "utf8").replace(/--.*$/gm, "");
  return text.match(/\bcreate\s+(?:unique\s+)?index\b[^;]*/gi) ?? [];
}

test("the migrations make indexes", () => {
  expect(files.flatMap(indexStatements).length).toBeGreaterThan(20);
});

describe.each(files)("%s", (file) => {
  test("takes an index that was built by hand before it, and makes each under a name", () => {
    for (const statement of indexStatements(file))
      expect(statement).toMatch(/^create\s+(?:unique\s+)?index\s+if\s+not\s+exists\s+"?\w+"?\s+on\b/i);
  });
});
