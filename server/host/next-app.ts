import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { GUIDE_NAMES } from "@/server/guides/guides";
import { cached } from "@/server/kernel/cached";
import { GROUPS, groupPath } from "@/server/rest/document/groups";

export type NextApp = Awaited<ReturnType<typeof startNext>>;

export async function startNext(options: { dev: boolean; dir: string; port: number; hostname: string }) {
  const { default: next } = await import("next");
  // Next adds an upgrade listener to its server. On ours it would take over every request that offers HTTP/2
  // (`Upgrade: h2c`), so it gets a server that never listens.
  const nowhere = new Server();
  const app = next({ ...options, httpServer: nowhere, quiet: true });
  await app.prepare();
  return {
    handle: app.getRequestHandler(),
    upgrade(message: IncomingMessage, socket: Duplex, head: Buffer) {
      if (!nowhere.emit("upgrade", message, socket, head)) socket.destroy();
    },
    close: () => app.close(),
  };
}

const PATHS = [
  "/docs",
  "/docs/errors",
  ...GUIDE_NAMES.map((name) => `/docs/${name}`),
  ...GROUPS.map(({ name }) => groupPath(name)),
];
const RENDER_MS_MAX = 30_000;
const NONCE = /'nonce-([^']+)'/;
/** Fast rather than small, because every reply is compressed anew. */
const GZIP_LEVEL = 1;
const compress = promisify(gzip);

/** The path of a request for the API reference or a guide. Next's client router then loads the whole page. */
export function docsPath({ method }: IncomingMessage, target: string): string | undefined {
  const path = target.split("?", 1)[0]!;
  return (method === "GET" || method === "HEAD") && PATHS.includes(path) ? path : undefined;
}

/** A page is rendered once per process: up to 0.4 s of it could stall `/v1`. Each reply has its own nonce. */
export async function answerDocs(
  next: NextApp,
  message: IncomingMessage,
  reply: ServerResponse,
  path: string,
) {
  const page = await cached("docs pages", path, Number.POSITIVE_INFINITY, () => render(next, path));
  const nonce = randomBytes(16).toString("base64");
  const html = page.html.replaceAll(page.nonce, nonce);
  const isPacked = /\bgzip\b/.test(message.headers["accept-encoding"]?.toString() ?? "");
  const body = isPacked ? await compress(html, { level: GZIP_LEVEL }) : Buffer.from(html);
  for (const [name, value] of page.headers) reply.setHeader(name, value.replaceAll(page.nonce, nonce));
  reply.setHeader("Vary", "Accept-Encoding");
  if (isPacked) reply.setHeader("Content-Encoding", "gzip");
  reply.setHeader("Content-Length", body.byteLength);
  reply.writeHead(200).end(message.method === "HEAD" ? undefined : body);
}

const OWN_HEADERS = [
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "set-cookie",
  "transfer-encoding",
  "vary",
];

/** Uses a separate connection, because Next stops in the middle of a page when its caller disconnects. */
async function render(next: NextApp, path: string) {
  const server = createServer((message, reply) => void next.handle(message, reply));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { "Accept-Encoding": "identity" },
      signal: AbortSignal.timeout(RENDER_MS_MAX),
    });
    const html = await reply.text();
    const nonce = NONCE.exec(reply.headers.get("content-security-policy") ?? "")?.[1];
    if (!reply.ok || !nonce) throw new Error(`${path} was rendered with status ${reply.status}.`);
    return { headers: [...reply.headers].filter(([name]) => !OWN_HEADERS.includes(name)), html, nonce };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
