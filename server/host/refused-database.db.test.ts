import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, inject, test } from "vitest";
import { migrateDatabase } from "@/db/migrate";
import { failureLine } from "@/server/ops/command";
import { useDatabase } from "@/testing/test-database";
import { StartError } from "./lifecycle";
import { retryUntilUp } from "./prepare-database";

const db = useDatabase();

const asRole = (password: string) => (url: URL) =>
  void Object.assign(url, { username: "stranger_of_start", password });

const REFUSED = "Postgres returned an error: ";
test.each<[what: string, change: (url: URL) => void, refusal: RegExp]>([
  [
    "a database that does not exist",
    (url) => void Object.assign(url, { pathname: "/nowhere" }),
    /^database "nowhere" does not exist\. Check DATABASE_URL, and DATABASE_MIGRATION_URL if it is set\.$/,
  ],
  ["a role that may not change the schema", asRole("known"), /^permission denied for database \w+\. Check /],
  ["a wrong password", asRole("forgotten"), /^password authentication failed for user /],
])(
  "%s stops the start immediately, with Postgres' own message in one line",
  async (_what, change, refusal) => {
    await db.sql`drop schema if exists drizzle cascade`;
    await db.sql`drop role if exists stranger_of_start`;
    await db.sql`create role stranger_of_start login password 'known'`;
    // Connects to Postgres directly. The pooler that other tests use has its own error messages.
    const url = new URL(inject("postgresUrl"));
    url.pathname = new URL(db.url).pathname;
    change(url);
    const error = await retryUntilUp(() => migrateDatabase({ url: url.href, timeoutSeconds: 2 })).catch(
      (error: unknown) => error,
    );
    await db.sql`drop role stranger_of_start`;
    expect(error).toBeInstanceOf(StartError);
    const { message, cause } = error as Error;
    expect(message.slice(0, REFUSED.length)).toBe(REFUSED);
    expect(message.slice(REFUSED.length)).toMatch(refusal);
    expect(message).not.toContain("\n");
    expect(failureLine(cause)).toContain(REFUSED);
  },
);

const errorResponse = (fields: Record<string, string>): Buffer => {
  const body = `${Object.entries(fields)
    .map(([type, text]) => `${type}${text}\0`)
    .join("")}\0`;
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from("E"), length, Buffer.from(body)]);
};

const POOLER = errorResponse({
  S: "FATAL",
  C: "08P01",
  M: "unsupported startup parameter: statement_timeout",
});

test.each<[what: string, says: string | Buffer, query: string, refusal: string]>([
  ["a web server", "HTTP/1.1 400 Bad Request\r\n\r\n", "", "The server is not Postgres. Check DATABASE_URL"],
  ["a Postgres without TLS", "N", "?sslmode=require", "TLS to the database failed: The server does not"],
  ["a pooler per transaction", POOLER, "", "Set DATABASE_POOLER=transaction."],
])(
  "%s stops the start within a second, and the command line says the same",
  async (_what, says, query, refusal) => {
    const server = createServer((socket) => socket.on("error", () => undefined).end(says));
    await once(server.listen(0, "127.0.0.1"), "listening");
    const url = `postgres://u@127.0.0.1:${(server.address() as AddressInfo).port}/points${query}`;
    let tries = 0;
    const error = await retryUntilUp(() => {
      tries++;
      return migrateDatabase({ url, timeoutSeconds: 20 });
    }).catch((caught: unknown) => caught);
    server.close();
    expect(tries).toBe(1);
    expect((error as Error).message).toContain(refusal);
    expect(failureLine((error as Error).cause)).toContain(refusal);
  },
);
