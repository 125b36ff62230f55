import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { findPort, listen } from "./http-server";
import { StopList } from "./lifecycle";
import { claimDataDir, localSecrets } from "./prepare-database";

const folder = mkdtempSync(join(tmpdir(), "host-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("secrets are created once, readable only by the owner, and overridden by given ones", () => {
  const made = localSecrets(folder, {});
  expect(made.AUTH_SECRET).toHaveLength(43);
  expect(made.AUTH_SECRET).not.toBe(made.CRON_SECRET);
  expect(localSecrets(folder, {})).toEqual(made);
  expect(localSecrets(folder, { CRON_SECRET: "given" })).toEqual({ ...made, CRON_SECRET: "given" });
  if (process.platform !== "win32") expect(statSync(join(folder, "secrets.json")).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(join(folder, "secrets.json"), "utf8"))).toEqual(made);
});

test("an unreadable secrets file is not overwritten", () => {
  const broken = mkdtempSync(join(folder, "broken-"));
  writeFileSync(join(broken, "secrets.json"), "{");
  expect(() => localSecrets(broken, {})).toThrow(/Cannot read .*secrets\.json/);
  expect(readFileSync(join(broken, "secrets.json"), "utf8")).toBe("{");
});

test("DATA_DIR is its owner's only, for one process, and a second one reports where the first is running", async () => {
  const dataDir = join(folder, "data");
  const first = await claimDataDir(dataDir);
  if (process.platform === "linux") expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  await expect(claimDataDir(dataDir)).rejects.toThrow(
    /The service is already starting \(process \d+\) with DATA_DIR /,
  );
  first.address = "http://localhost:1";
  const link = join(folder, "link");
  symlinkSync(dataDir, link);
  await expect(claimDataDir(link)).rejects.toThrow("already running at http://localhost:1");
  await first.release();
  await (await claimDataDir(dataDir)).release();
});

test("the error for a port in use names the port", async () => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, "127.0.0.1", () => resolve((other.address() as { port: number }).port));
  });
  const message = `Port ${port} on 127.0.0.1 is already in use`;
  await expect(findPort({ host: "127.0.0.1", port })).rejects.toThrow(message);
  await expect(listen({ host: "127.0.0.1", port }, () => undefined)).rejects.toThrow(message);
  other.close();
});

test("closing waits for running requests, and cuts off those that take too long", async () => {
  const replies = new Map<string, ServerResponse>();
  const arrived = new EventEmitter();
  const server = await listen({ host: "127.0.0.1", port: 0 }, (_message, reply, path) => {
    replies.set(path, reply);
    if (replies.size === 2) arrived.emit("both");
  });
  const bothArrived = once(arrived, "both");
  const url = `http://127.0.0.1:${server.port}`;
  const quick = fetch(`${url}/quick`).then((reply) => reply.text());
  const slow = fetch(`${url}/slow`).catch(() => "cut off");
  await bothArrived;
  const closed = server.close(300);
  replies.get("/quick")!.end("done");
  await closed;
  expect(await quick).toBe("done");
  expect(await slow).toBe("cut off");
});

test("services stop once, in reverse order, even if one fails to stop", async () => {
  process.env.DATABASE_URL ??= "postgres://127.0.0.1:1/none";
  process.env.AUTH_SECRET ??= "auth-secret-of-this-run";
  process.env.CRON_SECRET ??= "cron-secret-of-this-run";
  process.env.LOG_LEVEL = "silent";
  const stopped: string[] = [];
  const stops = new StopList();
  stops.add("first", 1, async () => stopped.push("first"));
  stops.add("never", 0.05, () => new Promise(() => undefined));
  stops.add("broken", 1, async () => {
    stopped.push("broken");
    throw new Error("no");
  });
  stops.add("last", 1, async () => stopped.push("last"));
  await Promise.all([stops.stopAll(), stops.stopAll()]);
  expect(stopped).toEqual(["last", "broken", "first"]);
});
