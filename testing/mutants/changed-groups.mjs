import { spawnSync } from "node:child_process";
import { GROUPS } from "./groups.mjs";

/** Groups of which the code or a test changed since the branch left `origin/main`, or else in the last commit. */
export function changedGroups() {
  const since = [git("merge-base", "origin/main", "HEAD"), git("rev-parse", "HEAD~1")];
  const base = since.find((commit) => commit !== "" && commit !== git("rev-parse", "HEAD"));
  if (!base) return [];
  const changed = new Set(git("diff", "--name-only", base).split("\n"));
  return Object.entries(GROUPS)
    .filter(([, { mutate, tests }]) =>
      [...mutate, ...tests].flatMap(expand).some((file) => changed.has(file)),
    )
    .map(([group]) => group);
}

/** `a/{b,c}.ts` → `a/b.ts`, `a/c.ts`. */
function expand(pattern) {
  const [, before, names, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? [];
  return names ? names.split(",").flatMap((name) => expand(`${before}${name}${after}`)) : [pattern];
}

const git = (...words) => (spawnSync("git", words, { encoding: "utf8" }).stdout ?? "").trim();
