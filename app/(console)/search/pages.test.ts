import { expect, test } from "vitest";
import { isNamed, PAGES } from "./commands";

const found = (text: string) =>
  PAGES.filter(({ name, aliases }) => isNamed(text, name, aliases)).map(({ path }) => path);

test.each([
  ["overdue", "/batches?status=OVERDUE"],
  ["late", "/batches?status=OVERDUE"],
  ["unusual", "/batches?review=unusual"],
  ["on hold", "/batches?status=HELD&sort=DUE"],
  ["audit", "/access/audit"],
  ["tokens", "/contracts"],
  ["webhooks", "/contracts"],
  ["statements", "/contracts"],
  ["team", "/access"],
  ["staff", "/access"],
  ["people", "/access"],
  ["sessions", "/profile"],
  ["profile", "/profile"],
  ["alerts", "/inbox"],
  ["inbox", "/inbox"],
  ["jobs", "/batches/jobs"],
  ["bulk", "/batches/jobs"],
  ["docs", "/docs"],
  ["API reference", "/docs"],
])("the search finds %j", (text, path) => {
  expect(found(text)).toContain(path);
});

test("every word of the text counts, in any letter case and order", () => {
  expect(found("HOLD on")).toEqual(["/batches?status=HELD&sort=DUE"]);
  expect(found("audit nonsense")).toEqual([]);
});

test("each page is listed once", () => {
  const paths = PAGES.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
});
