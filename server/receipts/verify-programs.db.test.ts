import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { createAccessToken } from "@/server/auth/tokens";
import { wallet } from "@/testing/factories";
import { toRestRequest } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { getRoot } from "./get-receipt";

const { context, newContract, submit, finalize } = useLedger({ serves: true });
const run = promisify(execFile);

type Body = Record<string, unknown>;
/** Changes a reply on its way, as a service that lies would. */
let lie: (path: string, body: Body) => Body;
beforeEach(() => {
  lie = (_, body) => body;
});

let server: Server;
let environment: Record<string, string>;
beforeAll(async () => {
  const { handleRest } = await import("@/server/rest/handler");
  server = createServer(async ({ method, url, headers }, reply) => {
    const sent = { method: method!, path: url!, body: [] };
    const authorization = headers.authorization ? [["Authorization", headers.authorization] as const] : [];
    const answer = await handleRest(toRestRequest({ ...sent, headers: authorization }));
    const body = lie(url!, (await answer.json()) as Body);
    reply.writeHead(answer.status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const contractAddress = await newContract();
  const scopes = ["batches:read" as const];
  const access = { contractAddress, name: "t", scopes, expiresAt: null };
  const { token } = await createAccessToken(context("ops"), access);
  const amount = "12345678901234567890.000000000001";
  const rows = [[1, "1"] as const, [2, amount, "Season 3: wallet 2"] as const, [3, "10.5"] as const];
  const metadata = { "a-b": "1", a: "Season 3 #2", ab: "\u{1f4b0}" };
  const batchId = await submit(contractAddress, rows, { batchId: "payout~1:a", metadata });
  await finalize();
  environment = {
    BASE: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    TOKEN: token,
    CONTRACT: contractAddress,
    BATCH: batchId,
    ADDRESS: wallet(2),
  };
});
afterAll(() => server?.close());

const hasPython = spawnSync("python3", ["-c", "import Crypto.Hash.keccak"]).status === 0;

/** Runs a program that a page shows. */
function programOf(page: string, language: string, ...command: string[]) {
  const shown = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m");
  const text = shown.exec(readFileSync(page, "utf8"))![1]!;
  expect(text.split("\n").length).toBeLessThan(50);
  const [file, ...options] = command as [string, ...string[]];
  return (more: Record<string, string> = {}) =>
    run(file, [...options, text], { env: { ...process.env, ...environment, ...more } });
}

test.each([
  ["Node", "js", "node --input-type=module -e", false],
  ["Python", "python", "python3 -c", !hasPython],
])(
  "the program for %s in docs/verify.md proves a receipt, a digest and a statement, and fails for what was changed or left out",
  async (_, language, command, isMissing) => {
    if (isMissing) return;
    const verify = programOf("docs/verify.md", language, ...command.split(" "));
    const { CONTRACT, BATCH, ADDRESS } = environment as { CONTRACT: string; BATCH: string; ADDRESS: string };
    const { root } = await getRoot(context(), { contractAddress: CONTRACT, batchId: BATCH });
    expect((await verify({ ROOT: root })).stdout.split("\n")).toEqual([
      `Proven: ${ADDRESS} received 12345678901234567890.000000000001 PHASE2_POINTS in payout~1:a of ${CONTRACT}.`,
      expect.stringMatching(/^Proven: the digest [0-9a-f]{64} of 3 transfers\.$/),
      expect.stringMatching(
        /^Proven: the statement of \d{4}-\d\d: 12345678901234567901\.500000000001 PHASE2_POINTS sent, 0 left\.$/,
      ),
      "",
    ]);
    const refused = (what: string) => ({ code: 1, stdout: expect.stringContaining(`NOT proven: ${what}`) });
    await expect(verify({ ROOT: `0x${"1".repeat(64)}` })).rejects.toMatchObject(refused(ADDRESS));
    lie = (path, body) => {
      if (path.includes("/batches?")) return { ...body, batch: [] };
      const isBatch = /\/batches\/payout~1(?:%3A|:)a$/.test(path);
      return isBatch ? JSON.parse(JSON.stringify(body).replace(/"10\.5"/, '"10.6"')) : body;
    };
    const lied = verify();
    await expect(lied).rejects.toMatchObject(refused("the digest"));
    await expect(lied).rejects.toMatchObject(refused("the statement"));
  },
);
