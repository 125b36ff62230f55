import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BreakPoint, FaultProxy } from "./fault-proxy";
import { appPort, stopProcess } from "./launch-app";
import { listenLocally, stopServer } from "./local-servers";

const NGINX = ["/usr/sbin/nginx", "nginx"].find((program) => spawnSync(program, ["-v"]).status === 0);

/**
 * The sample, on this port without TLS, with two machines that are both behind the fault proxy. None is skipped
 * for a second after a fault, so that tests need not wait.
 */
function configure(folder: string, port: number, upstream: string): string {
  const [sample = ""] = readFileSync("deploy/nginx.conf", "utf8").split(/^server \{\n {4}listen 80;/m);
  const machine = /^ *server 127\.0\.0\.1:3000.*$/m
    .exec(sample)![0]
    .replace("127.0.0.1:3000", upstream)
    .replace("max_fails=1", "max_fails=0");
  const site = sample
    .replace(/^ *server 127\.0\.0\.1:3000.*$/m, `${machine}\n${machine}`)
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    .replace(/^ *(?:listen \[::\]|ssl_certificate).*\n/gm, "")
    .replace("proxy_read_timeout 75s", "proxy_read_timeout 1s");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; worker_processes 1; events {}
    http { access_log off; ${temporary.join(" ")} ${site} }`;
}

describe.skipIf(NGINX === undefined)("deploy/nginx.conf", () => {
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  const received: string[] = [];
  const service = createServer((request, reply) => {
    request.resume().on("end", () => {
      received.push(`${request.method} ${request.headers["x-request-id"]}`);
      reply.writeHead(200, { "Content-Type": "application/json" }).end('{"success":true}');
    });
  });
  let proxy: FaultProxy;
  let nginx: ReturnType<typeof spawn>;
  let url: string;

  beforeAll(async () => {
    proxy = await FaultProxy.start(`http://127.0.0.1:${await listenLocally(service)}`);
    const port = await appPort();
    url = `http://127.0.0.1:${port}/v1`;
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "nginx.conf"),
      configure(folder, port, new URL(proxy.through("http://a")).host),
    );
    nginx = spawn(NGINX!, ["-p", folder, "-c", join(folder, "nginx.conf")], { stdio: "inherit" });
    while ((await send("GET", "probe").catch(() => null))?.status !== 200) {
      if (nginx.exitCode !== null) throw new Error("nginx did not start");
      await sleep(20);
    }
  });
  afterAll(async () => {
    await stopProcess(nginx, "SIGTERM");
    await proxy.stop();
    await stopServer(service);
    rmSync(folder, { recursive: true, force: true });
  });

  let sent = 0;
  async function send(method: string, id: string, headers: Record<string, string> = {}) {
    const body = method === "GET" ? null : "{}";
    const reply = await fetch(url, { method, headers: { "X-Request-Id": id, ...headers }, body });
    const said = await reply.text();
    const code = /"code":"(\w+)"/.exec(said)?.[1];
    return { status: reply.status, code, retryAfter: reply.headers.get("retry-after") };
  }

  const POINTS: [string, Omit<BreakPoint, "texts">][] = [
    ["cut before the service got it", { passes: "request", how: "cut" }],
    ["held before the service got it", { passes: "request", how: "hold" }],
    ["cut before the first byte of the reply", { passes: () => 0, how: "cut" }],
    ["cut in the headers of the reply", { passes: () => 20, how: "cut" }],
    ["held before the first byte of the reply", { passes: () => 0, how: "hold" }],
  ];

  const UNKNOWN = { status: 504, code: "outcome_unknown", retryAfter: null };
  const SERVED = { status: 200, code: undefined, retryAfter: null };

  test.each(POINTS)(
    "a POST that was passed on is never sent again, nor is its caller to retry: %s",
    async (_, point) => {
      const id = `post-${sent++}`;
      const broken = proxy.breakAt({ ...point, texts: [id] });
      expect(await send("POST", id)).toEqual(UNKNOWN);
      await broken;
      expect(received.filter((each) => each === `POST ${id}`)).toHaveLength(
        point.passes === "request" ? 0 : 1,
      );
    },
  );

  test.each(POINTS)("a PUT is sent to the other machine: %s", async (_, point) => {
    const id = `put-${sent++}`;
    const broken = proxy.breakAt({ ...point, texts: [id] });
    expect(await send("PUT", id)).toEqual(SERVED);
    await broken;
  });

  test("a POST with a key that was passed on may be repeated", async () => {
    const id = `keyed-${sent++}`;
    const broken = proxy.breakAt({ passes: () => 0, how: "cut", texts: [id] });
    const got = await send("POST", id, { "Idempotency-Key": "a" });
    expect(got).toEqual({ status: 503, code: "unavailable", retryAfter: "1" });
    await broken;
  });

  test.each(["GET", "PUT", "POST"])("a %s that no machine got may be repeated", async (method) => {
    await proxy.set("refuse");
    const got = await send(method, `away-${sent++}`).finally(() => proxy.set("ok"));
    expect(got).toEqual({ status: 503, code: "unavailable", retryAfter: "1" });
  });

  test("what the service itself says passes unchanged, also 504", async () => {
    const answer = createServer((_, reply) => void reply.writeHead(504).end('{"code":"outcome_unknown"}'));
    proxy.leadTo(`http://127.0.0.1:${await listenLocally(answer)}`);
    await proxy.set("reset");
    await proxy.set("ok");
    const got = await send("POST", `said-${sent++}`).finally(() => stopServer(answer));
    expect(got).toEqual(UNKNOWN);
  });
});
