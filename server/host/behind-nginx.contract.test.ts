import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { request } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BuiltApp, freePort, startBuiltApp } from "../testing/built-app";

const NAME = "points.example.com";
const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const START_MS_MAX = 10_000;
const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

interface Reply {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  text: string;
}

// `npm test` installs nginx where it can.
describe.skipIf(!hasNginx)("behind nginx as deploy/nginx.conf sets it up", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "behind-nginx-"));
  let app: BuiltApp;
  let nginx: ChildProcess;
  let tlsPort: number;
  let plainPort: number;

  beforeAll(async () => {
    app = await startBuiltApp({
      environment: {
        PUBLIC_URL: `https://${NAME}`,
        TRUSTED_PROXY_HOPS: "1",
        SIGN_IN_RATE_LIMIT_PER_MINUTE: "2",
        WEB_CONCURRENCY: "2",
      },
    });
    // Its workers run as another user, and keep large bodies here.
    chmodSync(folder, 0o755);
    [tlsPort, plainPort] = [await freePort(), await freePort()];
    const key = path.join(folder, "key.pem");
    const certificate = path.join(folder, "certificate.pem");
    execFileSync("openssl", [
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", `/CN=${NAME}`, "-days", "1"],
      ...["-keyout", key, "-out", certificate],
    ]);
    const servers = readFileSync("deploy/nginx.conf", "utf8")
      .replaceAll(/listen \[::\].*\n/g, "")
      .replace("listen 443", `listen 127.0.0.1:${tlsPort}`)
      .replace("listen 80", `listen 127.0.0.1:${plainPort}`)
      .replace("127.0.0.1:3000", new URL(app.url).host)
      .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
      .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `${kind}_temp_path ${folder}/${kind};`,
    );
    const file = path.join(folder, "nginx.conf");
    writeFileSync(
      file,
      `pid ${folder}/pid; error_log stderr; daemon off; events {}\nhttp { access_log off; ${temporary.join(" ")}\n${servers}\n}`,
    );
    execFileSync("nginx", ["-t", "-q", "-c", file], { stdio: "inherit" });
    nginx = spawn("nginx", ["-c", file], { stdio: ["ignore", "ignore", "inherit"] });
    for (const endsAt = performance.now() + START_MS_MAX; performance.now() < endsAt; await sleep(50)) {
      if ((await ask("GET", "/livez").catch(() => null))?.status === 200) return;
    }
    throw new Error("nginx did not answer");
  });
  afterAll(async () => {
    nginx?.kill("SIGTERM");
    await app?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function ask(method: string, target: string, headers = {}, body = ""): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const call = request(
        {
          host: "127.0.0.1",
          port: tlsPort,
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

  test("callers are told apart by the address that nginx saw, whatever they say of themselves", async () => {
    const challenge = JSON.stringify({ contractAddress: CONTRACT, operatorAddress: CONTRACT });
    const statuses: (number | undefined)[] = [];
    for (const claimed of ["198.51.100.1", "198.51.100.2", "198.51.100.3"]) {
      const headers = { ...json, "X-Forwarded-For": claimed };
      statuses.push((await ask("POST", "/v1/dapp-auth/challenge", headers, challenge)).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("a body too large is refused by the service, in its own words", async () => {
    await app.ops(["contract", "create", "--address", CONTRACT, "--label", "One"]);
    const made = await app.ops(["token", "create", "--contract", CONTRACT, "--name", "t", "--json"]);
    const headers = { ...json, Authorization: `Bearer ${(JSON.parse(made) as { token: string }).token}` };
    const reply = await ask("PUT", `/v1/contracts/${CONTRACT}/batches/b`, headers, "x".repeat(1_500_000));
    expect([reply.status, reply.headers["content-type"]]).toEqual([413, "application/problem+json"]);
  });

  test("pages come with the cookies of https, and http leads there", async () => {
    const csrf = await ask("GET", "/api/auth/csrf");
    expect(csrf.headers["set-cookie"]?.join()).toContain("__Host-next-auth.csrf-token=");
    const reply = await new Promise<IncomingHttpHeaders>((resolve, reject) => {
      const options = { host: "127.0.0.1", port: plainPort, path: "/docs?x=1", headers: { Host: NAME } };
      plainRequest(options, (answer) => resolve(answer.resume().headers))
        .on("error", reject)
        .end();
    });
    expect(reply.location).toBe(`https://${NAME}/docs?x=1`);
  });
});
