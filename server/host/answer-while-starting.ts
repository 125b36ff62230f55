import type { ServerResponse } from "node:http";
import { type Readiness, readiness } from "../health";
import type { Answer } from "./http-server";
import { writeProblem } from "./write-problem";

/** Until the service can serve: it is alive, it is not ready, and everything else is 503 with these words. */
export function answerWhileStarting(words: string): Answer {
  return (_message, reply, path) => {
    const [target] = path.split("?", 1);
    if (target === "/livez") writeJson(reply, 200, { alive: true });
    // Before the environment is complete there is no database to ask.
    else if (target === "/readyz" && process.env.DATABASE_URL) void answerReadiness(reply, words);
    else writeProblem(reply, "unavailable", words);
  };
}

async function answerReadiness(reply: ServerResponse, words: string): Promise<void> {
  const state: Readiness = { ...(await readiness()), ready: false };
  writeProblem(reply, "unavailable", words, {}, { ...state });
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
