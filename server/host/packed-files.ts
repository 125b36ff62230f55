import { readdirSync, readFileSync, statSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pathNotFound } from "@/server/kernel/http";
import { SECURITY_HEADERS } from "../../next.config.mjs";
import { writeProblem } from "./replies";

const TYPES: Record<string, string> = {
  css: "text/css; charset=UTF-8",
  js: "application/javascript; charset=UTF-8",
};
const PACKED = /\.(css|js)\.br$/;
const BROTLI = /(?:^|[,\s])br\s*(?:,|$)/;

/**
 * Answers GET and HEAD.
 * @returns whether it answered; if not, Next does
 */
export type SendPacked = (message: IncomingMessage, reply: ServerResponse, path: string) => boolean;

/**
 * Sends scripts and styles as the build compressed them (server/launch/build-app.mjs), to browsers that accept Brotli. Next
 * would compress each again for every visitor, into an eighth more bytes: see "transferred with an empty cache" in
 * docs/benchmarks.md. Answers 404 to everything else below `/_next` that is not in the build: Next would render a page for it,
 * for anyone and as often as they ask.
 * @param dir the folder of the built app
 */
export function readPackedFiles(dir: string): SendPacked {
  const folder = join(dir, ".next/static");
  const built = new Set<string>();
  const files = new Map<string, { type: string; body: Buffer }>();
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!statSync(join(folder, file)).isFile()) continue;
    const path = `/_next/static/${file.replaceAll("\\", "/")}`;
    built.add(path);
    const ending = PACKED.exec(file)?.[1];
    if (ending)
      files.set(path.slice(0, -".br".length), {
        type: TYPES[ending]!,
        body: readFileSync(join(folder, file)),
      });
  }
  return (message, reply, path) => {
    const pathname = decodeURIComponent(path.split("?", 1)[0]!);
    if (/^\/_next(?:\/|$)/.test(pathname) && !built.has(pathname)) {
      writeProblem(reply, pathNotFound());
      return true;
    }
    const file = files.get(pathname);
    if (!file || !BROTLI.test(message.headers["accept-encoding"]?.toString() ?? "")) return false;
    reply.writeHead(200, {
      ...SECURITY_HEADERS,
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Encoding": "br",
      "Content-Length": file.body.byteLength,
      "Content-Type": file.type,
      Vary: "Accept-Encoding",
    });
    reply.end(message.method === "HEAD" ? undefined : file.body);
    return true;
  };
}
