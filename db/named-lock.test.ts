import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { acquireLock, currentHolder, isLocked } from "./named-lock.mjs";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "ptb-lock-"));
});
afterEach(() => {
  vi.unstubAllGlobals();
  rmSync(folder, { recursive: true });
});

test.each(["darwin", "linux"])("on %s, one process has the lock, and others learn who", async (platform) => {
  vi.stubGlobal("process", Object.create(process, { platform: { value: platform } }));
  const held = await acquireLock("data", folder, () => "process 7");
  expect(await isLocked("data", folder)).toBe(true);
  expect(await currentHolder("data", folder)).toMatchObject({ holder: "process 7" });
  const other = await acquireLock("data", folder, () => "");
  expect(other).toMatchObject({ holder: "process 7" });
  if (!("release" in held && "gone" in other)) throw new Error("both have the lock");
  await held.release();
  await other.gone;
  expect(await isLocked("data", folder)).toBe(false);
});

test("the socket of a process that was killed is replaced", async () => {
  vi.stubGlobal("process", Object.create(process, { platform: { value: "darwin" } }));
  const file = path.join(folder, ".data.sock");
  spawnSync(process.execPath, [
    "-e",
    `require("node:net").createServer().listen(${JSON.stringify(file)}, () => process.kill(process.pid, "SIGKILL"))`,
  ]);
  expect(readdirSync(folder)).toEqual([".data.sock"]);
  const held = await acquireLock("data", folder, () => "");
  expect(held).toHaveProperty("release");
  if ("release" in held) await held.release();
});
