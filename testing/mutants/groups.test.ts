import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { GROUPS } from "./groups.mjs";

test.each(Object.entries(GROUPS))("every file that group %s names is there", (_, group) => {
  const { mutate, statements = [], tests } = group;
  const files = [...mutate, ...statements, ...tests].flatMap(spellOut);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`: a pattern still matches when only one of its files is left. */
function spellOut(pattern: string): string[] {
  const braces = /\{([^}]*)\}/.exec(pattern);
  if (!braces) return [pattern];
  return braces[1]!.split(",").flatMap((word) => spellOut(pattern.replace(braces[0], word)));
}
