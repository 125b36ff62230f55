import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@/db/free-port";
import { stopProcess } from "../launch-app";

const START_MS_MAX = 10_000;

export interface Nginx {
  /** The URL of what the shipped file serves on 443. */
  port: number;
  /** The URL of what it serves on 80, which redirects to 443. */
  redirectPort: number;
  stop(): Promise<void>;
}

interface Options {
  /** `host:port` of each instance. */
  upstreams: readonly string[];
  /** The certificate's name; without it there is no TLS. */
  tlsName?: string;
  /** A free one when absent. */
  port?: number;
}

/** Debian's nginx with the shipped `deploy/nginx.conf`; only ports, certificate and addresses differ. */
export async function startNginx(options: Options): Promise<Nginx> {
  const folder = mkdtempSync(path.join(tmpdir(), "nginx-"));
  // Its workers run as another user, and store large bodies here.
  chmodSync(folder, 0o755);
  const port = options.port ?? (await freePort());
  const redirectPort = await freePort();
  const file = path.join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const servers = shippedServers(folder, options, port, redirectPort);
  writeFileSync(
    file,
    `pid ${folder}/pid; error_log stderr crit; daemon off; events {}\nhttp { access_log off; ${temporary.join(" ")}\n${servers}\n}`,
  );
  execFileSync("nginx", ["-t", "-q", "-c", file], { stdio: "inherit" });
  const nginx = spawn("nginx", ["-c", file], { stdio: ["ignore", "ignore", "inherit"] });
  const stop = async () => {
    await stopProcess(nginx, "SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  };
  for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(20))
    if (await isOpen(port)) return { port, redirectPort, stop };
  await stop();
  throw new Error("nginx did not open its port");
}

function shippedServers(folder: string, options: Options, port: number, redirectPort: number): string {
  const upstream = /^( *server )127\.0\.0\.1:3000( .*)$/m;
  const text = readFileSync("deploy/nginx.conf", "utf8")
    .replaceAll(/listen \[::\].*\n/g, "")
    .replace("listen 80", `listen 127.0.0.1:${redirectPort}`)
    .replace(upstream, (_, before: string, after: string) =>
      options.upstreams.map((each) => before + each + after).join("\n"),
    );
  if (!options.tlsName) {
    return text
      .replace("listen 443 ssl http2", `listen 127.0.0.1:${port}`)
      .replaceAll(/ssl_certificate.*\n/g, "");
  }
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${options.tlsName}`, "-days", "1"],
      ...["-keyout", key, "-out", certificate],
    ],
    { stdio: "ignore" },
  );
  return text
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`);
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false)).once("connect", () => socket.destroy());
  });
}
