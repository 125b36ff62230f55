import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "@/db/embedded-cluster";
import { startBuiltApp } from "@/testing/built-app";
import { type BuiltApp, newContractToken, stopProcess } from "@/testing/launch-app";

const NAME = "points.example.com";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

interface Reply {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

// `npm test` installs nginx where it can.
describe.skipIf(!hasNginx)("behind nginx with deploy/nginx.conf", () => {
  let app: BuiltApp;
  let nginx: Nginx;
  let token: string;

  beforeAll(async () => {
    app = await startBuiltApp({
      environment: {
        PUBLIC_URL: `https://${NAME}`,
        TRUSTED_PROXY_HOPS: "1",
        SIGN_IN_RATE_LIMIT_PER_MINUTE: "2",
        WEB_CONCURRENCY: "2",
      },
    });
    token = await newContractToken(app, CONTRACT);
    nginx = await startNginx({ upstreams: [new URL(app.url).host], tlsName: NAME });
  });
  afterAll(async () => {
    await nginx?.stop();
    await app?.stop();
  });

  function ask(method: string, target: string, headers = {}, body = ""): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: "127.0.0.1",
          port: nginx.port,
          path: target,
          method,
          headers: { Host: NAME, "Content-Length": Buffer.byteLength(body), ...headers },
          servername: NAME,
          rejectUnauthorized: false,
        },
        (reply) => {
          let text = "";
          reply.on("data", (chunk) => {
            text += chunk;
          });
          reply.on("end", () => resolve({ status: reply.statusCode, headers: reply.headers, text }));
        },
      );
      call.on("error", reject);
      call.end(body);
    });
  }

  const json = { "Content-Type": "application/json" };

  test("rate limits use the address that nginx saw, not the one the caller claims", async () => {
    const challenge = JSON.stringify({ contractAddress: CONTRACT, operatorAddress: CONTRACT });
    const statuses: (number | undefined)[] = [];
    for (const claimed of ["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
      const headers = { ...json, "X-Forwarded-For": claimed };
      statuses.push((await ask("POST", "/v1/dapp-auth/challenge", headers, challenge)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("the service itself refuses a body that is too large", async () => {
    const headers = { ...json, Authorization: `Bearer ${token}` };
    const reply = await ask("PUT", `/v1/contracts/${CONTRACT}/batches/b`, headers, "x".repeat(1_500_000));
    expect([reply.status, reply.headers["content-type"]]).toEqual([413, "application/problem+json"]);
  });

  test("https sets secure cookies, and http redirects to https", async () => {
    const csrf = await ask("GET", "/api/auth/csrf");
    expect(csrf.headers["set-cookie"]?.join()).toContain("__Host-next-auth.csrf-token=");
    const reply = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port: nginx.redirectPort,
        path: "/docs?x=1",
        headers: { Host: NAME },
      };
      plainRequest(options, (answer) => resolve(answer.resume().headers))
        .on("error", reject)
        .end();
    });
    expect(reply.location).toBe(`https://${NAME}/docs?x=1`);
  });
});

/** One upstream with a port where nothing listens, and one with the service. */
describe.skipIf(!hasNginx)("where nginx itself answers", () => {
  let app: BuiltApp;
  let half: Nginx;
  let dead: Nginx;
  beforeAll(async () => {
    app = await startBuiltApp({ environment: { TRUSTED_PROXY_HOPS: "1" } });
    const gone = `127.0.0.1:${await freePort()}`;
    half = await startNginx({ upstreams: [gone, new URL(app.url).host] });
    dead = await startNginx({ upstreams: [gone] });
  });
  afterAll(async () => {
    await half?.stop();
    await dead?.stop();
    await app?.stop();
  });

  const problemOf = async ({ port }: Nginx, path: string, init: RequestInit = {}) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, init);
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    const problem = (await reply.json()) as { requestId: string };
    expect(reply.headers.get("x-request-id")).toBe(problem.requestId);
    return { ...problem, retryAfter: reply.headers.get("retry-after") };
  };
  const batch = `/v1/contracts/${CONTRACT}/batches/b`;

  test("callers get the service's own 503 problem with Retry-After when no instance is up", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const problem = await problemOf(dead, batch, { method });
      expect(problem).toMatchObject({
        success: false,
        type: "/docs/errors#unavailable",
        title: "Service unavailable",
        status: 503,
        code: "unavailable",
        retryAfter: "1",
      });
    }
  });

  test("a far too large body or an unreadable path is a problem in the service's format too", async () => {
    const body = "x".repeat(3_000_000);
    expect(await problemOf(half, batch, { method: "PUT", body })).toMatchObject({
      success: false,
      type: "/docs/errors#body_too_large",
      title: "Request body too large",
      status: 413,
      code: "body_too_large",
    });
    expect(await problemOf(half, "/v1/contracts/%zz/batches")).toMatchObject({
      success: false,
      type: "/docs/errors#validation_failed",
      title: "Invalid request",
      status: 400,
      code: "validation_failed",
    });
  });

  test("forwarded host headers from a caller do not change any link", async () => {
    const reply = await fetch(`http://127.0.0.1:${half.port}/api/auth/providers`, {
      headers: {
        "X-Forwarded-Host": "evil.example",
        "X-Forwarded-Port": "1",
        Forwarded: "host=evil.example",
      },
    });
    expect([reply.status, await reply.text()]).toEqual([200, expect.not.stringContaining("evil.example")]);
  });
});

const START_MS_MAX = 10_000;

interface Nginx {
  /** The URL of what the shipped file serves on 443. */
  port: number;
  /** The URL of what it serves on 80, which redirects to 443. */
  redirectPort: number;
  stop(): Promise<void>;
}

interface NginxOptions {
  /** `host:port` of each instance. */
  upstreams: readonly string[];
  /** The certificate's name; without it there is no TLS. */
  tlsName?: string;
}

/** Debian's nginx with the shipped `deploy/nginx.conf`; only ports, certificate and addresses differ. */
async function startNginx(options: NginxOptions): Promise<Nginx> {
  const folder = mkdtempSync(path.join(tmpdir(), "nginx-"));
  // Its workers run as another user, and store large bodies here.
  chmodSync(folder, 0o755);
  const port = await freePort();
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

function shippedServers(folder: string, options: NginxOptions, port: number, redirectPort: number): string {
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
