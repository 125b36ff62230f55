import type { IncomingMessage, ServerResponse } from "node:http";
import { DomainError } from "../kernel/values/problems";
import { notReady, readiness } from "./health";
import type { Answer } from "./http-server";
import { writeProblem } from "./write-problem";

const RELOAD_SECONDS = 2;

/** Answers until the service is ready: alive, not ready, and 503 with this message for everything else (HTML for browsers). */
export function answerWhileStarting(reason: string): Answer {
  return (message, reply, path) => {
    const [target] = path.split("?", 1);
    if (target === "/livez") writeJson(reply, 200, { alive: true });
    // Without DATABASE_URL there is no database to query yet.
    else if (target === "/readyz" && process.env.DATABASE_URL) void answerReadiness(message, reply, reason);
    else if (isNavigation(message)) writePage(reply, reason);
    else writeProblem(reply, new DomainError("unavailable", reason));
  };
}

async function answerReadiness(
  message: IncomingMessage,
  reply: ServerResponse,
  reason: string,
): Promise<void> {
  const state = { ...(await readiness()), ready: false };
  writeProblem(reply, notReady(state, message.headers.authorization ?? null, reason));
}

function writeJson(reply: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  reply
    .writeHead(status, {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(text)),
      "Cache-Control": "no-store",
      Connection: "close",
    })
    .end(text);
}

const isNavigation = ({ method, headers }: IncomingMessage) =>
  method === "GET" && (headers.accept ?? "").split(",").some((type) => type.trim().startsWith("text/html"));

/** A browser that opens the console too early reloads by itself. */
function writePage(reply: ServerResponse, reason: string): void {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${RELOAD_SECONDS}"><title>Starting</title>
<style>:root{color-scheme:light dark}body{font:14px/20px system-ui,sans-serif;margin:20vh auto 0;max-width:480px;padding:0 16px;text-align:center}</style>
<main><h1 style="font-size:20px">One moment</h1><p>${reason} This page reloads automatically.</p></main></html>`;
  reply
    .writeHead(503, {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Length": String(Buffer.byteLength(text)),
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
      "Retry-After": String(RELOAD_SECONDS),
      Connection: "close",
    })
    .end(text);
}
