import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** `file` › title, up to the end of the cell or the next semicolon. */
const CITED = /`([^`]+\.ts)` › ([^|]+?)(?=;\s`| \||$)/gm;
const cited = [...readFileSync("docs/security.md", "utf8").matchAll(CITED)].map(([, file, title]) => [
  file!,
  title!.trim(),
]);

test("every row of the tables names a test", () => {
  const rows = readFileSync("docs/security.md", "utf8")
    .split("\n")
    .filter((line) => /^\| (?:API|V)\d/.test(line));
  expect(rows.length).toBeGreaterThan(25);
  for (const row of rows) expect(row).toMatch(/`[^`]+\.(?:test|spec)\.ts` › /);
});

test.each(cited)("%s has “%s”", (file, title) => {
  expect(existsSync(file), file).toBe(true);
  expect(readFileSync(file, "utf8")).toContain(title);
});
