import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { serverUser } from "@/db/embedded-user";
import { freePort } from "./built-app";

const START_MS_MAX = 10_000;

/** Starts a PgBouncer in transaction mode before a Postgres on 127.0.0.1; gives the same url through it. */
export async function startPgBouncer(serverUrl: string): Promise<{ url: string; stop(): void }> {
  const target = new URL(serverUrl);
  const through = new URL(serverUrl);
  through.port = String(await freePort());
  const dir = mkdtempSync(path.join(tmpdir(), "ptb-pooler-"));
  // It refuses to run as root, and whom it runs as must read its files.
  chmodSync(dir, 0o755);
  writeFileSync(path.join(dir, "users.txt"), `"${target.username}" "${target.password}"\n`);
  writeFileSync(
    path.join(dir, "pgbouncer.ini"),
    [
      "[databases]",
      `* = host=127.0.0.1 port=${target.port}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${through.port}`,
      "unix_socket_dir =",
      "auth_type = plain",
      `auth_file = ${path.join(dir, "users.txt")}`,
      "pool_mode = transaction",
      "max_client_conn = 1000",
      "default_pool_size = 20",
      "server_idle_timeout = 5",
    ].join("\n"),
  );
  const child = spawn("pgbouncer", ["-q", path.join(dir, "pgbouncer.ini")], {
    ...serverUser(dir),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const stop = () => {
    child.kill("SIGKILL");
    rmSync(dir, { recursive: true, force: true });
  };
  for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(100)) {
    const sql = postgres(through.href, {
      max: 1,
      prepare: false,
      connect_timeout: 2,
      onnotice: () => undefined,
    });
    const isUp = await sql`select 1`.then(
      () => true,
      () => false,
    );
    await sql.end({ timeout: 1 });
    if (isUp) return { url: through.href, stop };
  }
  stop();
  throw new Error(`PgBouncer did not start: ${said}`);
}
