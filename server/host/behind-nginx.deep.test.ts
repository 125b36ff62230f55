import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "@/db/embedded";
import { type BuiltApp, newContractToken, startBuiltApp, stopProcess } from "@/testing/launch-app";

const NAME = "points.example.com";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const BATCH = `/v1/contracts/${CONTRACT}/batches/b`;
const JSON_TYPE = { "Content-Type": "application/json" };
const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

// `npm test` installs nginx where it can.
describe.skipIf(!hasNginx)("behind nginx with deploy/nginx.conf", () => {
  let app: BuiltApp;
  /** With the service as one upstream, and as another a port where nothing listens. */
  let nginx: Nginx;
  /** Nothing listens at its upstream. */
  let dead: Nginx;
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
    const gone = `127.0.0.1:${await freePort()}`;
    nginx = await startNginx([gone, new URL(app.url).host]);
    dead = await startNginx([gone]);
  });
  afterAll(async () => {
    await nginx?.stop();
    await dead?.stop();
    await app?.stop();
  });

  test("rate limits use the address that nginx saw, not the one the caller claims", async () => {
    const body = JSON.stringify({ contractAddress: CONTRACT, operatorAddress: CONTRACT });
    const statuses: (number | undefined)[] = [];
    for (const claimed of ["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
      const headers = { ...JSON_TYPE, "X-Forwarded-For": claimed };
      statuses.push((await ask(nginx, "POST", "/v1/dapp-auth/challenge", headers, body)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("a body that is too large, and an unreadable path, are problems in the service's format", async () => {
    const headers = { ...JSON_TYPE, Authorization: `Bearer ${token}` };
    const refusals = [
      // By the service, then by nginx itself.
      [await ask(nginx, "PUT", BATCH, headers, "x".repeat(1_500_000)), 413, "body_too_large"],
      [await ask(nginx, "PUT", BATCH, headers, "x".repeat(3_000_000)), 413, "body_too_large"],
      [await ask(nginx, "GET", "/v1/contracts/%zz/batches"), 400, "validation_failed"],
    ] as const;
    for (const [reply, status, code] of refusals)
      expectProblem(reply, { success: false, type: `/docs/errors#${code}`, status, code });
  });

  test("callers get the service's own 503 problem with Retry-After when no instance is up", async () => {
    for (const method of ["GET", "PUT", "DELETE"]) {
      const reply = await ask(dead, method, BATCH);
      expect(reply.headers["retry-after"]).toBe("1");
      const title = "Service unavailable";
      expectProblem(reply, { type: "/docs/errors#unavailable", title, status: 503, code: "unavailable" });
    }
  });

  test("https sets secure cookies, http redirects to https, and a caller's forwarded host changes no link", async () => {
    const csrf = await ask(nginx, "GET", "/api/auth/csrf");
    expect(csrf.headers["set-cookie"]?.join()).toContain("__Host-next-auth.csrf-token=");
    const plain = await fetch(`http://127.0.0.1:${nginx.redirectPort}/docs?x=1`, { redirect: "manual" });
    expect(plain.headers.get("location")).toMatch(/^https:\/\/[^/]+\/docs\?x=1$/);
    const forged = { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" };
    const { status, text } = await ask(nginx, "GET", "/api/auth/providers", forged);
    expect([status, text]).toEqual([200, expect.not.stringContaining("evil.example")]);
  });
});

type Reply = { status: number | undefined; headers: IncomingHttpHeaders; text: string };

function ask({ port }: Nginx, method: string, target: string, headers = {}, body = ""): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: "127.0.0.1",
        port,
        path: target,
        method,
        headers: { Host: NAME, "Content-Length": Buffer.byteLength(body), ...headers },
        servername: NAME,
        rejectUnauthorized: false,
      },
      async (reply) => {
        let text = "";
        for await (const chunk of reply) text += chunk;
        resolve({ status: reply.statusCode, headers: reply.headers, text });
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

function expectProblem({ status, headers, text }: Reply, expected: Record<string, unknown>): void {
  expect([status, headers["content-type"]]).toEqual([expected.status, "application/problem+json"]);
  const problem = JSON.parse(text) as { requestId: string };
  expect(problem).toMatchObject(expected);
  expect(headers["x-request-id"]).toBe(problem.requestId);
}

const START_MS_MAX = 10_000;

interface Nginx {
  /** Of what the shipped file serves on 443. */
  port: number;
  /** Of what it serves on 80, which redirects to 443. */
  redirectPort: number;
  stop(): Promise<void>;
}

/**
 * Debian's nginx with the shipped `deploy/nginx.conf`; only ports, certificate and addresses differ.
 * @param upstreams `host:port` of each instance
 */
async function startNginx(upstreams: readonly string[]): Promise<Nginx> {
  const folder = mkdtempSync(path.join(tmpdir(), "nginx-"));
  // Its workers run as another user, and store large bodies here.
  chmodSync(folder, 0o755);
  const [port, redirectPort] = [await freePort(), await freePort()];
  const file = path.join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (kind) => `${kind}_temp_path ${folder}/${kind};`,
  );
  const servers = shippedServers(folder, upstreams, port, redirectPort);
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
  try {
    await vi.waitFor(async () => expect(await isOpen(port)).toBe(true), { timeout: START_MS_MAX });
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, redirectPort, stop };
}

function shippedServers(folder: string, upstreams: readonly string[], port: number, redirectPort: number) {
  const [key, certificate] = [path.join(folder, "key.pem"), path.join(folder, "certificate.pem")];
  const words = `req -x509 -newkey rsa:2048 -nodes -subj /CN=${NAME} -days 1 -keyout ${key} -out ${certificate}`;
  execFileSync("openssl", words.split(" "), { stdio: "ignore" });
  return readFileSync("deploy/nginx.conf", "utf8")
    .replaceAll(/listen \[::\].*\n/g, "")
    .replace("listen 80", `listen 127.0.0.1:${redirectPort}`)
    .replace(/^( *server )127\.0\.0\.1:3000( .*)$/m, (_, before: string, after: string) =>
      upstreams.map((each) => before + each + after).join("\n"),
    )
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
