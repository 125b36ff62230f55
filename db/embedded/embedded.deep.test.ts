import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  cleanEmbedded,
  embeddedApp,
  embeddedFolder,
  emptyFolder,
  postmasterOf,
  query,
} from "@/testing/embedded-folder";
import { stopProcess } from "@/testing/launch-app";
import { explainFailure } from "./errors";
import { isAlive } from "./processes";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./start-embedded";

const isRoot = process.getuid?.() === 0;

afterAll(cleanEmbedded);

test.each([
  [
    "EACCES: permission denied, open '/data/postgres/PG_VERSION'",
    "A file in DATA_DIR /data belongs to another user",
  ],
  [
    'could not open "/proc/self/cwd/base": Permission denied',
    "A file in DATA_DIR /data belongs to another user",
  ],
  ['could not open file "/dev/null": Permission denied', "This user may not use /dev/null ("],
  ["could not write to file: No space left on device", "The disk of DATA_DIR /data is full ("],
  ["ENOSPC: no space left on device, mkdir '/run/locks/x'", "The disk of /run/locks/x is full ("],
])("“%s” names what is wrong: %s", (reason, said) => {
  const explained = explainFailure(new Error(reason), { dataDir: "/data", log: "/data/log" });
  expect((explained as Error).message.startsWith(said), String(explained)).toBe(true);
});

describe("a running server", () => {
  let dataDir: string;
  let server: EmbeddedPostgres;
  beforeAll(async () => {
    dataDir = emptyFolder();
    server = await startEmbeddedPostgres({ dataDir });
    await query(server.url, "create table kept (n int)");
  });
  afterAll(() => server.stop());

  test("is Postgres 18 in UTF-8, durable, and only on 127.0.0.1", async () => {
    const names = ["fsync", "listen_addresses", "shared_buffers", "max_connections", "server_encoding"];
    const rows = await query(
      server.url,
      `select ${names.map((name) => `current_setting('${name}') as ${name}`)}, datlocale, version() from pg_database
       where datname = 'postgres'`,
    );
    expect(rows[0]).toMatchObject({
      fsync: "on",
      listen_addresses: "127.0.0.1",
      shared_buffers: "128MB",
      max_connections: "100",
      server_encoding: "UTF8",
      datlocale: "C.UTF-8",
      version: expect.stringContaining("PostgreSQL 18"),
    });
  });

  test("has a role for the service that owns its database, is no superuser, and cannot reach the machine's files or programs", async () => {
    const roles = await query(server.url, "select rolname from pg_roles where rolcanlogin and rolsuper");
    expect(roles).toEqual([{ rolname: "postgres" }]);
    for (const statement of [
      "copy kept from program 'echo 1'",
      "select pg_read_file('/etc/hostname')",
      "create role other superuser",
      "alter system set fsync = off",
    ])
      await expect(query(server.url, statement), statement).rejects.toMatchObject({ code: "42501" });
  });

  test("lets only that role sign in, keeps its port and data, and leaves nothing running when it stops", async () => {
    const { url } = server;
    for (const start of ["first", "second"]) {
      if (start === "second") {
        const pid = postmasterOf(dataDir);
        await server.stop();
        expect(isAlive(pid)).toBe(false);
        server = await startEmbeddedPostgres({ dataDir });
      }
      expect(server).toMatchObject({ url, adopted: false });
      const refused = { code: "28P01" };
      const superuser = Object.assign(new URL(url), { username: "postgres" });
      await expect(query(superuser.href, "select 1"), start).rejects.toMatchObject(refused);
      const wrong = Object.assign(new URL(url), { password: "guess" });
      await expect(query(wrong.href, "select 1"), start).rejects.toMatchObject(refused);
      expect(await query(url, "select current_user::text as role")).toEqual([{ role: "app" }]);
      expect(await query(url, "select * from kept")).toEqual([]);
    }
  });
});

test("a server that was killed is noticed, and revived or started on the same port with what was committed", async () => {
  const dataDir = await embeddedFolder();
  const server = await startEmbeddedPostgres({ dataDir });
  await query(server.url, "create table survived (n int)");
  expect(server.hasExited()).toBe(false);
  process.kill(postmasterOf(dataDir), "SIGKILL");
  await vi.waitFor(() => expect(server.hasExited()).toBe(true));
  // What a killed server leaves behind holds its port for a moment. Here, something does for longer.
  await vi.waitFor(async () => {
    const leftover = net.createServer().listen(Number(new URL(server.url).port), "127.0.0.1");
    await once(leftover, "listening");
    setTimeout(() => leftover.close(), 1000);
  });
  await server.revive();
  expect(server.hasExited()).toBe(false);
  expect(await query(server.url, "select count(*)::int from survived")).toEqual([{ count: 0 }]);
  await server.stop();
  await server.revive();
  expect(server.hasExited()).toBe(true);
  const killed = await startEmbeddedPostgres({ dataDir });
  await query(killed.url, "insert into survived values (7)");
  process.kill(postmasterOf(dataDir), "SIGKILL");
  const next = await startEmbeddedPostgres({ dataDir });
  expect(next).toMatchObject({ url: server.url, adopted: false });
  expect(await query(next.url, "select n from survived")).toEqual([{ n: 7 }]);
  await next.stop();
});

test("after a kill -9 of the app, the next start adopts its server and stops it", async () => {
  const dataDir = await embeddedFolder();
  const app = await embeddedApp(dataDir);
  await stopProcess(app.child, "SIGKILL");
  const pid = postmasterOf(dataDir);
  const server = await startEmbeddedPostgres({ dataDir });
  expect(server).toMatchObject({ url: app.url, adopted: true });
  await server.stop();
  expect(isAlive(pid)).toBe(false);
});

test("after a kill -9 a pid file with the pid of another process is ignored, also of the Postgres of another folder, which is never stopped", async () => {
  const dataDir = await embeddedFolder();
  const otherDir = await embeddedFolder();
  const other = await startEmbeddedPostgres({ dataDir: otherDir });
  const owner = isRoot ? { uid: fs.statSync(path.join(dataDir, "postgres")).uid } : {};
  const program = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], owner);
  for (const pid of [program.pid, postmasterOf(otherDir)]) {
    const file = path.join(dataDir, "postgres", "postmaster.pid");
    fs.writeFileSync(file, `${pid}\n${dataDir}/postgres\n1\n1\n\n127.0.0.1\n 1 1\nready\n`);
    const server = await startEmbeddedPostgres({ dataDir });
    expect(server.adopted).toBe(false);
    await server.stop();
  }
  expect(program.exitCode).toBeNull();
  program.kill("SIGKILL");
  expect(await query(other.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await other.stop();
});

test.runIf(isRoot)("as root, it can use a folder that the server's user cannot enter", async () => {
  const closed = emptyFolder();
  fs.chmodSync(closed, 0o700);
  const dataDir = path.join(closed, "data");
  const server = await startEmbeddedPostgres({ dataDir, asSuperuser: true });
  expect(fs.statSync(dataDir).mode & 0o077).toBe(0);
  await query(server.url, "create table kept (n int); insert into kept values (7); checkpoint");
  process.kill(postmasterOf(dataDir), "SIGKILL");
  const next = await startEmbeddedPostgres({ dataDir, asSuperuser: true });
  expect(await query(next.url, "select n from kept")).toEqual([{ n: 7 }]);
  await next.stop();
  expect(fs.existsSync(path.join(dataDir, "postgres", "PG_VERSION"))).toBe(true);
  expect(fs.statSync(path.join(dataDir, "postgres")).uid).not.toBe(0);
});

test.each([
  [
    "a lost password",
    "Restore it from a backup",
    (dir: string) => fs.rmSync(path.join(dir, "postgres-password")),
  ],
  [
    "a folder of another Postgres version",
    "another Postgres version",
    (dir: string) => fs.writeFileSync(path.join(dir, "postgres", "PG_VERSION"), "12\n"),
  ],
  [
    "a folder with other contents",
    "set DATA_DIR",
    (dir: string) => fs.rmSync(path.join(dir, "postgres", "PG_VERSION")),
  ],
])("a failed start says in one line what to do for %s, and leaves nothing running", async (_, way, spoil) => {
  const dataDir = await embeddedFolder();
  spoil(dataDir);
  const error: unknown = await startEmbeddedPostgres({ dataDir }).catch((error: unknown) => error);
  expect(error).toMatchObject({ name: "EmbeddedPostgresError", message: expect.stringContaining(way) });
  expect(String(error)).not.toContain("\n");
  expect(fs.existsSync(path.join(dataDir, "postgres", "postmaster.pid"))).toBe(false);
});

test("of three processes that start at the same time on a new folder, one creates the server and the others adopt it", async () => {
  const dataDir = emptyFolder();
  const apps = await Promise.all([embeddedApp(dataDir), embeddedApp(dataDir), embeddedApp(dataDir)]);
  expect(apps.map((app) => app.adopted).sort()).toEqual([false, true, true]);
  expect(new Set(apps.map((app) => app.url)).size).toBe(1);
});

test("a server started for one command stays up while a client is connected, and is stopped by the last one", async () => {
  const dataDir = await embeddedFolder();
  const first = await startEmbeddedPostgres({ dataDir });
  const second = await startEmbeddedPostgres({ dataDir });
  const sql = postgres(second.url, { max: 1 });
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = postmasterOf(dataDir);
  await first.release(async () => false);
  expect(isAlive(pid)).toBe(true);
  await sql.end();
  // Postgres ends a session some time after its client has left.
  while (isAlive(row!.pid)) await sleep(20);
  await second.release(async () => false);
  while (isAlive(pid)) await sleep(20);
});
