import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { cleanEmbedded, embeddedApp, embeddedFolder, postmasterOf, query } from "@/testing/embedded-folder";
import { startEmbeddedPostgres } from "./embedded";
import { isPostgres } from "./embedded-process";

/** Simulates a container with its own pids and shared memory. Needs root on Linux. */
const CONTAINER = ["unshare", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"];
/** The same with a network of its own, so that no lock of the machine is shared. Tests cannot reach what listens there. */
const APART = [
  ...["unshare", "--net", ...CONTAINER.slice(1)],
  ...["sh", "-c", 'ip link set lo up && exec "$@"', "sh"],
];
const canRun = ([command = "", ...words]: string[]) => spawnSync(command, [...words, "true"]).status === 0;

afterAll(cleanEmbedded);

describe("a server started for one command", () => {
  test("stays up for a service that adopted it in the meantime", async () => {
    const dataDir = await embeddedFolder();
    const command = await startEmbeddedPostgres({ dataDir });
    const service = await embeddedApp(dataDir);
    expect(service.adopted).toBe(true);
    const pid = postmasterOf(dataDir);
    await command.release(async () => true);
    expect(await query(service.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(postmasterOf(dataDir)).toBe(pid);
  });

  test("stays up while a client is connected, and is stopped by the last one", async () => {
    const dataDir = await embeddedFolder();
    const first = await startEmbeddedPostgres({ dataDir });
    const second = await startEmbeddedPostgres({ dataDir });
    const sql = postgres(second.url, { max: 1 });
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const pid = postmasterOf(dataDir);
    await first.release(async () => false);
    expect(isPostgres(pid)).toBe(true);
    await sql.end();
    // Postgres ends a session some time after its client has left.
    while (isPostgres(row!.pid)) await sleep(20);
    await second.release(async () => false);
    while (isPostgres(pid)) await sleep(20);
  });
});

describe("a folder whose server runs in another container", () => {
  const ofAnother = JSON.stringify({ space: "another boot/pid:[1]", host: "other" });
  const guardOf = (dataDir: string) => path.join(dataDir, "postgres-kept-by");
  const refusal =
    /^Another container or machine \(.+\) is running Postgres on DATA_DIR .+\. Stop it there, or set DATABASE_URL\.$/;

  test.runIf(canRun(CONTAINER))("is refused in one line, and that server keeps running", async () => {
    const dataDir = await embeddedFolder();
    const other = await embeddedApp(dataDir, CONTAINER);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal);
    expect(await query(other.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test.runIf(canRun(APART)).each([
    ["new", () => undefined],
    [
      "silent",
      (dataDir: string) => {
        fs.writeFileSync(guardOf(dataDir), ofAnother);
        fs.utimesSync(guardOf(dataDir), new Date(0), new Date(0));
      },
    ],
  ])("of two containers that take a %s folder at the same time, one has it", async (_, prepare) => {
    const dataDir = await embeddedFolder();
    prepare(dataDir);
    const starts = await Promise.allSettled([embeddedApp(dataDir, APART), embeddedApp(dataDir, APART)]);
    expect(starts.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("is refused too when its clock is far behind", async () => {
    const dataDir = await embeddedFolder();
    fs.writeFileSync(guardOf(dataDir), ofAnother);
    let seconds = 0;
    const beat = () => fs.utimesSync(guardOf(dataDir), seconds, ++seconds);
    beat();
    const beats = setInterval(beat, 500);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal);
    clearInterval(beats);
    fs.rmSync(guardOf(dataDir));
  });

  test("stays claimed while a server runs, also when another process gives it free", async () => {
    const dataDir = await embeddedFolder();
    const server = await startEmbeddedPostgres({ dataDir });
    fs.rmSync(guardOf(dataDir));
    while (!fs.existsSync(guardOf(dataDir))) await sleep(50);
    await server.stop();
    expect(fs.existsSync(guardOf(dataDir))).toBe(false);
  });

  test("which took it over while this one was suspended keeps it, and our server is stopped", async () => {
    const dataDir = await embeddedFolder();
    const server = await startEmbeddedPostgres({ dataDir });
    const pid = postmasterOf(dataDir);
    fs.writeFileSync(guardOf(dataDir), ofAnother);
    while (isPostgres(pid)) await sleep(50);
    await server.stop();
    expect(fs.readFileSync(guardOf(dataDir), "utf8")).toBe(ofAnother);
    fs.rmSync(guardOf(dataDir));
  });

  test("is taken over after that server was silent for 10 s", async () => {
    const dataDir = await embeddedFolder();
    const guard = guardOf(dataDir);
    fs.writeFileSync(guard, ofAnother);
    const beats = setInterval(() => fs.utimesSync(guard, new Date(), new Date()), 500);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal);
    clearInterval(beats);
    const server = await startEmbeddedPostgres({ dataDir });
    expect(fs.readFileSync(guard, "utf8")).not.toContain("another boot");
    await server.stop();
    expect(fs.existsSync(guard)).toBe(false);
  });
});
