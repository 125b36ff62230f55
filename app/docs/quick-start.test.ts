import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { afterAll, expect, test, vi } from "vitest";
import { type Language, programOf, quickStart } from "./quick-start";

const folder = mkdtempSync(join(tmpdir(), "quick-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Nothing answers there, which is another message. */
vi.stubEnv("PUBLIC_URL", "http://127.0.0.1:9");
const { steps } = quickStart();

const RUNS: [Language, name: string, words: string[]][] = [
  // As it is pasted into a terminal, whose shell a missing value does not end.
  ["curl", "run.sh", ["bash", "--norc", "-i"]],
  ["ts", "run.mjs", [process.execPath]],
  ["py", "run.py", ["python3"]],
];

test.each(RUNS)(
  "the whole program in %s begins with the exports, and stops if one is empty",
  (language, name, words) => {
    const program = programOf(steps, language);
    expect(program).toMatch(/^\(?\s*(?:\W+ )?export TOKEN=.*\n(?:\W+ )?export CONTRACT=/);
    const [command, ...options] = words as [string, ...string[]];
    if (spawnSync(command, ["--version"]).status !== 0) return console.warn(`${command} is not installed.`);
    const file = join(folder, name);
    const code = language === "ts" ? transformSync(program, { loader: "ts", format: "esm" }).code : program;
    for (const given of [{}, { TOKEN: "ptb_1" }, { TOKEN: "", CONTRACT: "0x1" }]) {
      const shell = Object.entries(given).reduce(
        (text, [key, value]) => text.replace(`export ${key}= `, `export ${key}=${value} `),
        code,
      );
      writeFileSync(file, shell);
      const env = { NODE_ENV: "test" as const, PATH: process.env.PATH ?? "", ...given };
      const { status, stdout, stderr } = spawnSync(command, [...options, file], {
        cwd: folder,
        env,
        encoding: "utf8",
      });
      expect({ status: status === 0, stdout }).toEqual({ status: false, stdout: "" });
      expect(stderr).toContain("Set TOKEN and CONTRACT first.");
      expect(stderr).not.toContain("curl:");
    }
  },
);
