import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { freePort } from "@/db/embedded-cluster";
import { serverUser } from "@/db/embedded-programs";

const START_MS_MAX = 10_000;

/** Starts PgBouncer with the shipped `deploy/pgbouncer.ini`, except ports and paths. @returns the same URL through it */
export async function startPgBouncer(serverUrl: string): Promise<{ url: string; stop(): void }> {
  const target = new URL(serverUrl);
  const through = new URL(serverUrl);
  through.port = String(await freePort());
  const dir = mkdtempSync(path.join(tmpdir(), "ptb-pooler-"));
  // It refuses to run as root, and its user must be able to read its files.
  chmodSync(dir, 0o755);
  writeFileSync(path.join(dir, "users.txt"), `"${target.username}" "${target.password}"\n`);
  const shipped = readFileSync("deploy/pgbouncer.ini", "utf8")
    .replace("port=5432", `port=${target.port}`)
    .replace("listen_port = 6432", `listen_port = ${through.port}`)
    .replace("/etc/pgbouncer/userlist.txt", path.join(dir, "users.txt"));
  writeFileSync(
    path.join(dir, "pgbouncer.ini"),
    `${shipped}\nunix_socket_dir =\n; Databases are dropped after each test.\nserver_idle_timeout = 5\n`,
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
