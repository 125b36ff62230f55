import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
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

test("where locks are files, they are in the folder, so that only those who can write it can take one", async () => {
  vi.stubGlobal("process", Object.create(process, { platform: { value: "darwin" } }));
  const held = await acquireLock("data", folder, () => "");
  expect(readdirSync(folder)).toHaveLength(1);
  if ("release" in held) await held.release();
  expect(readdirSync(folder)).toEqual([]);
  const deep = path.join(folder, "x".repeat(100));
  mkdirSync(deep);
  await expect(acquireLock("data", deep, () => "")).rejects.toThrow("shorter");
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
