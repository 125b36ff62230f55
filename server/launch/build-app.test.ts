import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";

test.skipIf(process.platform !== "linux")(
  "a program that bundled its code runs on without the bundler's process",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bundled-"));
    writeFileSync(join(folder, "entry.ts"), "export const answer: number = 42;");
    const script = `
      import { bundle } from ${JSON.stringify(pathToFileURL(resolve("server/launch/build-app.mjs")))};
      await bundle("entry.ts", "dist/entry.mjs");
      console.log("bundled");
      setInterval(() => {}, 1000);`;
    const program = spawn(process.execPath, ["--input-type=module", "--eval", script], { cwd: folder });
    onTestFinished(() => {
      program.kill();
      rmSync(folder, { recursive: true });
    });
    await new Promise((bundled) => program.stdout.once("data", bundled));
    expect(readFileSync(join(folder, "dist/entry.mjs"), "utf8")).toContain("answer = 42");
    const children = () => readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, "utf8");
    await vi.waitFor(() => expect(children()).toBe(""), 5000);
  },
);
