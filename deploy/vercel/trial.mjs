// Builds this commit with Vercel's own CLI, without an account, and runs its functions on this machine behind
// a gateway with the build's routes. A function is frozen between requests and killed at its `maxDuration`.
//
//   DATABASE_URL=postgres://…/an-empty-database node deploy/vercel/trial.mjs
//
// KEEP=1 leaves it running afterwards, and BUILT=folder is a project that `vercel build` has built already.
// Needs git and npm, runs on Linux and macOS, and takes some minutes.
import { AsyncLocalStorage } from "node:async_hooks";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { finished, pipeline } from "node:stream/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The CLI pins a version of `sandbox` that not every mirror has. Nothing here uses it. */
const CLI = { dependencies: { vercel: "64.0.2" }, overrides: { sandbox: "4.5.0" } };
const PROJECT = { projectId: "prj_trial", orgId: "team_trial", settings: { framework: "nextjs" } };
const CRON_SECRET = "cron-secret-of-the-trial";
const CONTRACT = "0x00000000000000000000000000000000c0ffee00";
const SECONDS_MAX_DEFAULT = 60;
const SELF = fileURLToPath(import.meta.url);

/** In a process of its own: one function, as Vercel's runtime for Node calls it. */
async function serveFunction(folder, isWeb) {
  const contexts = new AsyncLocalStorage();
  globalThis[Symbol.for("@vercel/request-context")] = { get: () => contexts.getStore() };
  const handle = createRequire(path.join(folder, "-"))("./___next_launcher.cjs");
  const answer = async (request, response) => {
    if (!isWeb) return await handle(request, response);
    const { url, method, headers } = request;
    const reply = await handle(new Request(`http://${headers.host}${url}`, { method, headers }));
    response.writeHead(reply.status, [...reply.headers].flat());
    response.end(await reply.text());
  };
  const server = http.createServer((request, response) => {
    const kept = [];
    contexts.run({ waitUntil: (promise) => kept.push(promise) }, async () => {
      await answer(request, response);
      await finished(response).catch(() => undefined);
      await Promise.allSettled(kept);
      process.send("idle");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  process.send(server.address().port);
}

/** Starts an instance when there is none, freezes it while it has nothing to do, and kills a slow one. */
function instanceOf({ folder, isWeb, secondsMax, environment }) {
  let own = null;
  async function start() {
    const child = spawn(process.execPath, [SELF, "--function", folder, ...(isWeb ? ["--web"] : [])], {
      env: environment,
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    child.once("exit", () => {
      own = null;
    });
    const [port] = await once(child, "message");
    const instance = { child, port, busy: 0 };
    child.on("message", () => --instance.busy === 0 && child.kill("SIGSTOP"));
    return instance;
  }
  return {
    async call(options, body) {
      own ??= start();
      const instance = await own;
      if (instance.busy++ === 0) instance.child.kill("SIGCONT");
      const timer = setTimeout(() => instance.child.kill("SIGKILL"), secondsMax * 1000);
      try {
        const request = http.request({ host: "127.0.0.1", port: instance.port, agent: false, ...options });
        if (body) body.pipe(request);
        else request.end();
        const [reply] = await once(request, "response");
        reply.once("close", () => clearTimeout(timer));
        return reply;
      } catch (error) {
        clearTimeout(timer);
        throw error;
      }
    },
    stop: async () => (await own)?.child.kill("SIGKILL"),
  };
}

/** Copies only what the function's file map names: a file that the build forgot is missing here. */
function unpack(source, root, target) {
  const config = JSON.parse(fs.readFileSync(path.join(source, ".vc-config.json"), "utf8"));
  fs.cpSync(source, target, { recursive: true });
  for (const [to, from] of Object.entries(config.filePathMap)) {
    fs.mkdirSync(path.dirname(path.join(target, to)), { recursive: true });
    fs.cpSync(path.join(root, from), path.join(target, to), { verbatimSymlinks: true });
  }
  return config;
}

/** Routes by phase, as the Build Output API orders them; "" is the first. */
function phasesOf(routes) {
  const phases = { "": [] };
  let phase = "";
  for (const route of routes) {
    phase = route.handle ?? phase;
    phases[phase] ??= [];
    if (route.src) phases[phase].push({ ...route, pattern: new RegExp(route.src) });
  }
  return phases;
}

const filledIn = (text, { groups, ...numbered }) =>
  text.replace(/\$(\w+)/g, (_, name) => groups?.[name] ?? numbered[name] ?? "");

function isMet(headers, { type, key, value }) {
  if (type !== "header" || !(key in headers)) return false;
  return value === undefined || new RegExp(`^${value}$`).test(headers[key]);
}

function match(route, pathname, headers) {
  if (route.has?.some((each) => !isMet(headers, each))) return null;
  if (route.missing?.some((each) => isMet(headers, each))) return null;
  return route.pattern.exec(pathname);
}

/** @param output `.vercel/output` @param root the project that was built */
function startGateway({ output, root, folder, environment }) {
  const { routes, overrides } = JSON.parse(fs.readFileSync(path.join(output, "config.json"), "utf8"));
  const phases = phasesOf(routes);
  const instances = new Map();
  function functionAt(pathname) {
    const source = path.join(output, "functions", `${pathname === "/" ? "/index" : pathname}.func`);
    if (!fs.existsSync(source)) return null;
    const real = fs.realpathSync(source);
    if (!instances.has(real)) {
      const target = path.join(folder, `function-${instances.size}`);
      const { useWebApi: isWeb, maxDuration: secondsMax = SECONDS_MAX_DEFAULT } = unpack(real, root, target);
      instances.set(real, instanceOf({ folder: target, isWeb, secondsMax, environment }));
    }
    return instances.get(real);
  }
  function fileAt(pathname) {
    const named = Object.entries(overrides).find(([, each]) => `/${each.path}` === pathname)?.[0];
    const file = path.join(output, "static", named ?? pathname);
    return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null;
  }
  async function handle(request, response) {
    const url = new URL(request.url, "http://a");
    const query = url.searchParams;
    const headers = { ...request.headers, "x-forwarded-for": "127.0.0.1", "x-forwarded-proto": "http" };
    let at = url.pathname;
    const call = (instance, dest, given) => {
      const search = query.size > 0 ? `?${query}` : "";
      const options = { method: request.method, path: url.pathname + search };
      return instance.call({ ...options, headers: { ...given, "x-matched-path": dest } }, request);
    };
    async function serve() {
      const file = fileAt(at);
      if (file) {
        response.writeHead(200);
        await pipeline(fs.createReadStream(file), response);
        return true;
      }
      const instance = functionAt(at);
      if (!instance) return false;
      const reply = await call(instance, at, headers);
      const shown = Object.entries(reply.headers).filter(([name]) => name !== "transfer-encoding");
      response.writeHead(reply.statusCode, Object.fromEntries(shown));
      await pipeline(reply, response);
      return true;
    }
    /** Answers by itself, or changes the headers of the request and of its reply. */
    async function runProxy(pathname) {
      const given = { ...headers, "content-length": "0" };
      const reply = await functionAt(pathname).call({
        method: request.method,
        path: request.url,
        headers: given,
      });
      const changed = reply.headers["x-middleware-override-headers"]?.split(",") ?? [];
      for (const name of changed) headers[name] = reply.headers[`x-middleware-request-${name}`];
      const isNext = "x-middleware-next" in reply.headers;
      for (const [name, value] of Object.entries(reply.headers))
        if (!/^(?:x-middleware-|connection|content-length|date|transfer-enc|keep-alive)/.test(name))
          response.setHeader(name, value);
      if (isNext) reply.resume();
      else await pipeline(reply, response.writeHead(reply.statusCode));
      return isNext;
    }
    for (const route of phases[""]) {
      const found = match(route, at, headers);
      if (!found) continue;
      if (route.middlewarePath && !(await runProxy(route.middlewarePath))) return;
      for (const [name, value] of Object.entries(route.headers ?? {}))
        response.setHeader(name, filledIn(value, found));
      if (route.headers?.Location) return response.writeHead(route.status).end();
      if (route.dest) at = filledIn(route.dest, found);
    }
    if (await serve()) return;
    for (const route of [...phases.filesystem, ...phases.rewrite]) {
      const found = match(route, at, headers);
      if (!found || !route.dest) continue;
      const dest = new URL(filledIn(route.dest, found), "http://a");
      const before = at;
      at = decodeURIComponent(dest.pathname);
      for (const [name, value] of dest.searchParams) if (value) query.set(name, value);
      if (await serve()) return;
      if (!route.continue) at = before;
    }
    response.writeHead(404).end("404 of the gateway\n");
  }
  // The command line blocks this process for longer than a connection may be idle.
  const server = http.createServer({ keepAliveTimeout: 0 }, (request, response) => {
    handle(request, response).catch((error) => {
      console.error(`${request.method} ${request.url}: ${error.message}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(504).end();
    });
  });
  return { server, stop: () => Promise.all([...instances.values()].map((each) => each.stop())) };
}

function build(root, cli, run) {
  fs.mkdirSync(cli);
  fs.writeFileSync(path.join(cli, "package.json"), JSON.stringify({ private: true, ...CLI }));
  run(["git", "clone", "-q", path.join(SELF, "../../.."), root], cli, process.env);
  run(["npm", "install", "--no-audit", "--no-fund"], cli, process.env);
  fs.mkdirSync(path.join(root, ".vercel"));
  fs.writeFileSync(path.join(root, ".vercel/project.json"), JSON.stringify(PROJECT));
  run(
    [process.execPath, path.join(cli, "node_modules/vercel/dist/index.js"), "build", "--prod", "--yes"],
    root,
  );
}

async function main() {
  const given = process.env.DATABASE_URL;
  if (!given) throw new Error("Set DATABASE_URL to an empty database.");
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "vercel-trial-"));
  const root = process.env.BUILT ?? path.join(folder, "project");
  // Without a home there is no account, and with a link to a project no question.
  const { PATH } = process.env;
  const basic = { PATH, HOME: folder, VERCEL_TELEMETRY_DISABLED: "1", NEXT_TELEMETRY_DISABLED: "1" };
  const run = (words, cwd, environment = basic, stdio = "inherit") =>
    execFileSync(words[0], words.slice(1), { cwd, env: environment, stdio, encoding: "utf8" });
  if (!process.env.BUILT) build(root, path.join(folder, "cli"), run);
  const onDatabase = { ...basic, DATABASE_URL: given, NODE_ENV: "production" };
  const ops = (...words) => run([process.execPath, "dist/ops.mjs", ...words], root, onDatabase, "pipe");
  const environment = {
    ...onDatabase,
    VERCEL: "1",
    DATABASE_POOL_MAX: "3",
    AUTH_SECRET: "auth-secret-of-the-trial",
    CRON_SECRET,
    FINALIZER: "off",
    MINIMUM_FINALIZE_SECONDS: "0",
  };
  const gateway = startGateway({ output: path.join(root, ".vercel/output"), root, folder, environment });
  await once(gateway.server.listen(0, "127.0.0.1"), "listening");
  const base = `http://127.0.0.1:${gateway.server.address().port}`;
  try {
    const failures = await tryOut(base, ops);
    process.exitCode = failures === 0 ? 0 : 1;
    if (process.env.KEEP) {
      console.log(`Running at ${base}, CRON_SECRET=${CRON_SECRET}. Ctrl-C stops it.`);
      await once(process, "SIGINT");
    }
  } finally {
    await gateway.stop();
    gateway.server.close();
    gateway.server.closeAllConnections();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @returns how many answers were not as they should be */
async function tryOut(base, ops) {
  let failures = 0;
  const see = (what, found, expected) => {
    const isSame = JSON.stringify(found) === JSON.stringify(expected);
    if (!isSame) failures++;
    console.log(`${isSame ? "ok  " : "FAIL"} ${what}: ${JSON.stringify(found)}`);
  };
  const ask = async (where, options = {}) => {
    const reply = await fetch(base + where, { redirect: "manual", ...options });
    const text = await reply.text();
    return { status: reply.status, text, headers: reply.headers };
  };
  see("before the migration, /readyz", (await ask("/readyz")).status, 503);
  console.log(ops("migrate").trim());
  see("/readyz without a restart", (await ask("/readyz")).status, 200);
  ops("contract", "create", "--address", CONTRACT, "--label", "First");
  const token = JSON.parse(ops("--json", "token", "create", "--contract", CONTRACT, "--name", "trial")).token;
  const withToken = (method, body) => ({
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const batches = `/v1/contracts/${CONTRACT}/batches`;
  const transfers = [{ toAddress: "0x000000000000000000000000000000000000dead", points: "2.25" }];
  const batch = { pointType: "PHASE2_POINTS", secondsToFinalize: 0, transfers };
  see("submit", (await ask(`${batches}/q1`, withToken("PUT", batch))).status, 200);
  see("again", JSON.parse((await ask(`${batches}/q1`, withToken("PUT", batch))).text).replayed, true);
  see("an ID that ends in .rsc", (await ask(`${batches}/q1.rsc`, withToken("PUT", batch))).status, 400);
  const cron = (secret) => ask("/api/cron/finalize", { headers: { Authorization: `Bearer ${secret}` } });
  see("cron without the secret", (await cron("wrong")).status, 401);
  const { batchesFinalized, dueLeft, unfinished } = JSON.parse((await cron(CRON_SECRET)).text);
  see("cron", { batchesFinalized, dueLeft, unfinished }, { batchesFinalized: 1, dueLeft: 0, unfinished: [] });
  see("status", JSON.parse((await ask(`${batches}/q1`, withToken("GET"))).text).batch.status, "FINALIZED");
  const snapshots = `/v1/contracts/${CONTRACT}/snapshots`;
  await ask(snapshots, withToken("POST", { pointType: "PHASE2_POINTS" }));
  let snapshot = { status: "RUNNING" };
  for (let calls = 0; calls < 5 && snapshot.status === "RUNNING"; calls++) {
    await sleep(1000);
    await cron(CRON_SECRET);
    [snapshot] = JSON.parse((await ask(snapshots, withToken("GET"))).text).snapshots;
  }
  see("snapshot", [snapshot.status, snapshot.holders], ["TAKEN", 1]);
  const page = await ask("/sign-in");
  const nonce = /'nonce-([^']+)'/.exec(page.headers.get("content-security-policy") ?? "")?.[1];
  see(
    "sign-in, with the nonce of its policy",
    [page.status, page.text.includes(`nonce="${nonce}"`)],
    [200, true],
  );
  see("a guide", (await ask("/docs/api")).status, 200);
  return failures;
}

const [flag, folder, web] = process.argv.slice(2);
if (flag === "--function") await serveFunction(folder, web === "--web");
else await main();
