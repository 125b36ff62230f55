import { createServer, request } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { bodyTooLarge } from "@/server/kernel/problem-reply";
import { Deadline } from "@/server/rest/deadline";
import type { RestReply, RestRequest } from "@/server/rest/messages";
import { listenLocally, stopServer } from "@/testing/local-servers";
import { type HttpServer, listen } from "./http-server";
import { answerDocs, type NextApp } from "./next-app";
import { sendReply, toRestRequest, writeProblem } from "./replies";

const UNREAD_BYTES_MAX = 1000;
let server: HttpServer | undefined;

afterEach(async () => {
  await server?.close(0);
  server = undefined;
});

async function serve(handle: (request: RestRequest) => Promise<RestReply>): Promise<number> {
  server = await listen({ host: "127.0.0.1", port: 0 }, (message, reply, path) => {
    void handle(toRestRequest(message, reply, path)).then((answer) =>
      sendReply(message, reply, answer, UNREAD_BYTES_MAX),
    );
  });
  return server.port;
}

/** Sends raw bytes and returns everything received until the server closed the connection. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
  });
}

async function textOf(body: RestRequest["body"]): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const replyOf = (text: string | null, length: number, status = 200): RestReply => ({
  status,
  headers: new Map([["Content-Length", String(length)]]),
  body: text,
});
const json = (value: unknown) => {
  const text = JSON.stringify(value);
  return replyOf(text, text.length);
};

test("passes path, query and repeated headers on unchanged", async () => {
  const port = await serve(async ({ url, method, headers, body }) =>
    json({ url, method, authorization: headers.get("authorization"), absent: headers.get("x-a"), body }),
  );
  const head = "Host: h\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\nConnection: close\r\n\r\n";
  const reply = await raw(port, `GET /v1/a/%2e%2e/../b%2Fc?x=%zz&x=2 HTTP/1.1\r\n${head}`);
  expect(JSON.parse(reply.split("\r\n\r\n")[1]!)).toEqual({
    url: "http://host/v1/a/%2e%2e/../b%2Fc?x=%zz&x=2",
    method: "GET",
    authorization: "Bearer a, Bearer b",
    absent: null,
    body: null,
  });
});

test.each([
  ["asterisk form", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n"],
  ["no Host", "GET /v1/x HTTP/1.1\r\n\r\n"],
  ["two Hosts", "GET /v1/x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
  ["two Hosts in HTTP/1.0", "GET http://a/v1/x HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"],
  ["not HTTP", "what is this\r\n\r\n"],
  ["a head of 20 KiB", `GET /v1/x HTTP/1.1\r\nHost: h\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`],
])("answers %s with a problem and closes the connection", async (_name, text) => {
  const port = await serve(async () => json({}));
  const reply = await raw(port, text);
  expect(reply).toMatch(/^HTTP\/1\.1 400 /);
  expect(reply).toMatch(/content-type: application\/problem\+json/i);
  expect(JSON.parse(reply.split("\r\n\r\n")[1]!)).toMatchObject({ status: 400, code: "validation_failed" });
});

test("reads a chunked body and keeps the connection open", async () => {
  const port = await serve(async ({ body }) => json({ text: await textOf(body) }));
  const once =
    "POST /v1 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
  const reply = await raw(port, `${once}GET /v1 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
  expect(reply.match(/\{"text":"[a-z]*"\}/g)).toEqual(['{"text":"abcde"}', '{"text":""}']);
});

test("answers a refused upload before all of it has arrived, and closes the connection", async () => {
  const port = await serve(async () => replyOf("no", 2, 413));
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const upload = request({
      port,
      method: "POST",
      path: "/v1",
      headers: { "Content-Length": "1000000000" },
    });
    const timer = setInterval(() => upload.write(Buffer.alloc(65_536)), 1);
    upload.on("response", (reply) => {
      clearInterval(timer);
      expect(reply.headers.connection).toBe("close");
      reply.resume();
      reply.on("end", () => resolve(reply.statusCode));
    });
    upload.on("error", reject);
  });
  expect(status).toBe(413);
});

test("a problem reaches a caller that sends 8 MiB before it reads", async () => {
  server = await listen({ host: "127.0.0.1", port: 0 }, (_message, reply) =>
    writeProblem(reply, bodyTooLarge(1)),
  );
  const { port } = server;
  const bytes = 8_388_608;
  const reply = await new Promise<string>((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.on("error", reject);
    socket.on("close", () => resolve(received));
    socket.on("data", (chunk) => {
      received += chunk.toString();
    });
    socket.write(`POST /v1 HTTP/1.1\r\nHost: h\r\nContent-Length: ${bytes}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes), () => socket.resume());
  });
  expect(reply).toMatch(/^HTTP\/1\.1 413 /);
});

test("sends 100 Continue when the body is read, and never for a refused request", async () => {
  const port = await serve(async ({ url, body }) =>
    json({ text: url.endsWith("read") ? await textOf(body) : "" }),
  );
  const expecting =
    "HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 2\r\n\r\n";
  expect(await raw(port, `POST /v1/read ${expecting}ab`)).toMatch(/^HTTP\/1\.1 100 [\s\S]*"ab"/);
  expect(await raw(port, `POST /v1/refuse ${expecting}`)).toMatch(/^HTTP\/1\.1 200 /);
});

test("reports when the caller disconnects, and treats a truncated body as the caller's error", async () => {
  let outcome: ((value: unknown) => void) | undefined;
  const settled = new Promise((resolve) => {
    outcome = resolve;
  });
  const port = await serve(async ({ body, isGone, onGone }) => {
    const gone = new Promise<void>(onGone);
    const bodyError = await textOf(body).catch((error: unknown) => error);
    await gone;
    outcome?.({ bodyError, isGone: isGone() });
    return json({});
  });
  const socket = connect(port, "127.0.0.1", () => {
    socket.write("POST /v1 HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc");
    setTimeout(() => socket.destroy(), 20);
  });
  expect(await settled).toMatchObject({ bodyError: { code: "invalid_json" }, isGone: true });
});

test("a page of the reference is rendered once, however many ask for it; a render that failed is tried again", async () => {
  let renders = 0;
  const next: NextApp = {
    async handle(_, reply) {
      const nonce = `nonce${++renders}`;
      reply.setHeader("Content-Security-Policy", `script-src 'nonce-${nonce}'`);
      reply.writeHead(renders === 1 ? 500 : 200).end(`<script nonce="${nonce}"></script>`);
    },
    upgrade: () => undefined,
    close: async () => undefined,
  };
  const server = createServer((message, reply) => {
    answerDocs(next, message, reply, "/docs").catch(() => reply.writeHead(503).end());
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}/docs`;
  expect((await fetch(url)).status).toBe(503);
  const pages = await Promise.all(Array.from({ length: 5 }, async () => (await fetch(url)).text()));
  expect(renders).toBe(2);
  expect(new Set(pages).size).toBe(5);
  await stopServer(server);
});

test("time in which the caller sends the body does not count, but the time before and after does", async () => {
  const patient = new Deadline(150);
  await expect(patient.bound(() => patient.whileCallerSends(sleep(300, "sent")))).resolves.toBe("sent");
  const spent = new Deadline(150);
  const work = async () => {
    await sleep(100);
    await spent.whileCallerSends(sleep(200));
    await sleep(100);
  };
  await expect(spent.bound(work)).rejects.toMatchObject({ code: "outcome_unknown" });
});
