import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const CONFIGURATIONS = ["vitest.config.ts", "docs/internals.md", "docs/architecture.md", "CONTRIBUTING.md"];
const FILES = ["app", "server", "terms", "db", "testing", "client/src", "e2e"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name.replaceAll("\\", "/")}`,
    ),
  )
  .filter((file) => !file.includes("/node_modules/"))
  .concat(readdirSync("."));

/** `a/{b,c}.ts` as `a/b.ts` and `a/c.ts`. */
function withoutBraces(pattern: string): string[] {
  const [braces, names] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (!braces) return [pattern];
  return names!.split(",").flatMap((name) => withoutBraces(pattern.replace(braces, name)));
}

const matches = (pattern: string) => {
  const text = pattern.replaceAll(/[.+()[\]]/g, "\\$&").replaceAll("**/", "(?:.*/)?");
  const expression = new RegExp(`^${text.replaceAll(/(?<!\.)\*/g, "[^/]*")}$`);
  return FILES.some((file) => expression.test(file));
};

test.each(CONFIGURATIONS)(
  "every file that %s names exists, so that a renamed test still runs and a reader finds it",
  (configuration) => {
    const text = readFileSync(configuration, "utf8");
    const paths = [...text.matchAll(/["`]((?:app|server|terms|db|testing|client|e2e)\/[^"`\s]+?)\/?["`]/g)];
    // Named without its folder, next to a path that has it.
    const bare = [...text.matchAll(/`([\w.-]+\.(?:mjs|tsx?))`/g)];
    expect(paths.length + bare.length).toBeGreaterThan(0);
    const missing = [
      ...paths.flatMap(([, pattern]) => withoutBraces(pattern!)).filter((name) => !matches(name)),
      ...bare.map(([, name]) => name!).filter((name) => !matches(`**/${name}`)),
    ];
    expect(missing).toEqual([]);
  },
);

test("the README shows the command that starts it and the one that tests it, and CI runs the latter", () => {
  const readme = readFileSync("README.md", "utf8");
  const commands = [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines!.trim());
  expect(commands).toEqual(["npm install && npm start", "npm install && npm test"]);
  expect(readFileSync(".ci/run", "utf8").split("\n").at(-2)).toBe(`${commands[1]} && npm run test:deep`);
});

test("the README has no hole where a paragraph was", () => {
  expect(readFileSync("README.md", "utf8")).not.toMatch(/\n\n\n/);
});
