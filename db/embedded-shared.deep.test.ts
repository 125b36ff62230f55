import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { cleanEmbedded, embeddedApp, embeddedFolder, postmasterOf, query } from "@/testing/embedded-folder";
import { startEmbeddedPostgres } from "./embedded";
import { isPostgres } from "./embedded-process";

/** Simulates a container with its own pids and shared memory. Needs root on Linux. */
const CONTAINER = ["unshare", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"];
const canContain = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), "true"]).status === 0;

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
    await sql`select 1`;
    const pid = postmasterOf(dataDir);
    await first.release(async () => false);
    expect(isPostgres(pid)).toBe(true);
    await sql.end();
    await second.release(async () => false);
    expect(isPostgres(pid)).toBe(false);
  });
});

describe("a folder whose server runs in another container", () => {
  const refusal =
    /^Another container or machine \(.+\) is running Postgres on DATA_DIR .+\. Stop it there, or set DATABASE_URL\.$/;

  test.runIf(canContain)("is refused in one line, and that server keeps running", async () => {
    const dataDir = await embeddedFolder();
    const other = await embeddedApp(dataDir, CONTAINER);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal);
    expect(await query(other.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("is taken over after that server was silent for 10 s", async () => {
    const dataDir = await embeddedFolder();
    const guard = path.join(dataDir, "postgres-kept-by");
    fs.writeFileSync(guard, JSON.stringify({ space: "another boot/pid:[1]", host: "other" }));
    const beats = setInterval(() => fs.utimesSync(guard, new Date(), new Date()), 500);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal);
    clearInterval(beats);
    const server = await startEmbeddedPostgres({ dataDir });
    expect(fs.readFileSync(guard, "utf8")).not.toContain("another boot");
    await server.stop();
    expect(fs.existsSync(guard)).toBe(false);
  });
});
