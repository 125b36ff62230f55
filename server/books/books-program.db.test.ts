import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { single } from "@/server/kernel/process";
import { moveBatch, moveContract } from "@/testing/move-in-time";
import { daysAgo, noonOf } from "@/testing/past-days";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { settings } from "../kernel/settings";
import { runCheck } from "../ledger/run-check";
import { closeDay, hashOf, type Link, readLinks } from "./chain";

const { db, newContract, submit, finalize } = useLedger({ serves: true });
const run = promisify(execFile);

const DAY = daysAgo(4);
let server: Server;
let base: string;
let stored: Link[];
beforeAll(async () => {
  const { handleRest } = await import("../rest/handler");
  Object.assign(settings(), { PUBLIC_BOOKS: true, PUBLIC_RATE_LIMIT_PER_MINUTE: 0 });
  server = createServer(async ({ method, url }, reply) => {
    const answer = await handleRest(toRestRequest({ method: method!, path: url!, headers: [], body: [] }));
    reply.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const contractAddress = await newContract();
  await moveContract(db, contractAddress, noonOf(DAY));
  const batchId = await submit(contractAddress, [[1, "12345678901234567890.000000000001"]]);
  await finalize();
  await moveBatch(
    db,
    { contractAddress, batchId },
    { createdAt: noonOf(DAY), finalizedAt: noonOf(daysAgo(3)) },
  );
  while (await closeDay(db));
  await runCheck(db, { startedBy: "test", secondsMax: 30 });
  stored = await readLinks(db.sql, null, 100);
});
afterAll(() => server?.close());

const program = /^```js\n([\s\S]*?)^```$/m.exec(readFileSync("docs/books.md", "utf8"))![1]!;
const verify = (more: Record<string, string> = {}) =>
  run("node", ["--input-type=module", "-e", program], { env: { ...process.env, BASE: base, ...more } });
const refusal = (why: string) => ({ code: 1, stderr: expect.stringContaining(`NOT proven: ${why}`) });

test("the program in docs/books.md proves the chain and the totals, in under 50 lines", async () => {
  expect(program.split("\n").length).toBeLessThan(50);
  const { day, hash } = stored.at(-1)!;
  expect((await verify()).stdout).toBe(`Proven up to ${day}: ${hash}\n`);
  expect((await verify({ DAY, HASH: stored[0]!.hash })).stdout).toContain(hash);
});

test("the program fails for a link that was changed, and for a chain that was written again", async () => {
  const [first] = stored;
  const totals = first!.totals.map((each) => ({ ...each, submitted: "1" }));
  const change = ({ previousHash, hash, totals, day }: Link) => db.sql`
    update ledger_days set totals = ${JSON.stringify(totals)}::text::jsonb, previous_hash = decode(${previousHash}, 'hex'),
      hash = decode(${hash}, 'hex') where day = ${day}::date`;
  await change({ ...first!, totals });
  await expect(verify()).rejects.toMatchObject(refusal(`the link of ${DAY}`));
  let previousHash = first!.previousHash;
  for (const link of [{ ...first!, totals }, ...stored.slice(1)]) {
    const hash = hashOf({ ...link, previousHash });
    await change({ ...link, previousHash, hash });
    previousHash = hash;
  }
  expect((await verify()).stdout).toContain("Proven");
  await expect(verify({ DAY, HASH: first!.hash })).rejects.toMatchObject(refusal(`${DAY} has the hash`));
  for (const link of stored) await change(link);
});

test("the program fails for totals that do not add up", async () => {
  await db.sql`update ledger_checks set totals = jsonb_set(totals, '{0,available}', '"1"')`;
  single("cached books", () => new Map()).clear();
  await expect(verify()).rejects.toMatchObject(refusal("PHASE2_POINTS does not add up"));
});
