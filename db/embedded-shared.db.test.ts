import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { cleanEmbedded, embeddedApp, embeddedFolder, postmasterOf, query } from "@/testing/embedded-folder";
import { startEmbeddedPostgres } from "./embedded";
import { isPostgres } from "./embedded-process";

/** A container's view: process ids and shared memory of its own. Root on Linux may make one. */
const CONTAINER = ["unshare", "--pid", "--ipc", "--fork", "--kill-child", "--mount-proc"];
const canContain = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), "true"]).status === 0;

afterAll(cleanEmbedded);

describe("a server that was started for a moment", () => {
  test("stays for the service that adopted it meanwhile", async () => {
    const dataDir = await embeddedFolder();
    const command = await startEmbeddedPostgres({ dataDir });
    const service = await embeddedApp(dataDir);
    expect(service.adopted).toBe(true);
    const pid = postmasterOf(dataDir);
    await command.release(async () => true);
    expect(await query(service.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect(postmasterOf(dataDir)).toBe(pid);
  });

  test("stays while somebody is connected, and is stopped by the last one", async () => {
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

describe("a folder whose server another container keeps", () => {
  const refusal =
    /^Another container or machine \(.+\) runs Postgres on DATA_DIR .+; stop it there, or set DATABASE_URL\.$/;

  test.runIf(canContain)("is refused in one line, and that server is left alone", async () => {
    const dataDir = await embeddedFolder();
    const other = await embeddedApp(dataDir, CONTAINER);
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(refusal);
    expect(await query(other.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("is taken over when that one has been silent for 10 s", async () => {
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
