import { createServer } from "node:http";
import { expect, test } from "vitest";
import { listenLocally, stopServer } from "@/testing/local-server";
import { DocsPages, type NextApp } from "./next-app";

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
  const docs = new DocsPages(next);
  const server = createServer((message, reply) => {
    docs.answer(message, reply, "/docs").catch(() => reply.writeHead(503).end());
  });
  const url = `http://127.0.0.1:${await listenLocally(server)}/docs`;
  expect((await fetch(url)).status).toBe(503);
  const pages = await Promise.all(Array.from({ length: 5 }, async () => (await fetch(url)).text()));
  expect(renders).toBe(2);
  expect(new Set(pages).size).toBe(5);
  await stopServer(server);
});
