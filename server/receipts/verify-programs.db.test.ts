import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

let server: Server;
let environment: Record<string, string>;
beforeAll(async () => {
  const { handleRest } = await import("../rest/handler");
  server = createServer(async ({ method, url, headers }, reply) => {
    const sent = { method: method!, path: url!, body: [] };
    const answer = await handleRest(
      toRestRequest({ ...sent, headers: [["Authorization", headers.authorization ?? ""]] }),
    );
    const body = lie(url!, (await answer.json()) as Body);
    reply.writeHead(answer.status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const contractAddress = await newContract();
  const scopes = ["batches:read" as const];
  const { token } = await createAccessToken(context("ops"), {
    contractAddress,
    name: "t",
    scopes,
    expiresAt: null,
  });
  const amount = "12345678901234567890.000000000001";
  const rows = [[1, "1"] as const, [2, amount] as const, [3, "10.5"] as const];
  const batchId = await submit(contractAddress, rows, { batchId: "payout~1:a" });
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
beforeEach(() => {
  lie = (_, body) => body;
});

const program = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "m").exec(
    readFileSync("docs/verify.md", "utf8"),
  )![1]!;
const hasPython = spawnSync("python3", ["-c", "import Crypto.Hash.keccak"]).status === 0;

describe.each([
  ["Node", "js", "node", ["--input-type=module", "-e"], false],
  ["Python", "python", "python3", ["-c"], !hasPython],
])("the program for %s in docs/verify.md", (_, language, command, options, isMissing) => {
  const verify = (more: Record<string, string>) =>
    run(command, [...options, program(language)], { env: { ...process.env, ...environment, ...more } });

  const refused = (what: string) => ({
    code: 1,
    stdout: expect.stringContaining(`NOT proven: ${what}`),
  });

  test.skipIf(isMissing)("proves a receipt, a digest and a statement, in under 50 lines", async () => {
    expect(program(language).split("\n").length).toBeLessThan(50);
    const { CONTRACT, BATCH } = environment;
    const { root } = await getRoot(context(), { contractAddress: CONTRACT!, batchId: BATCH! });
    const { stdout } = await verify({ ROOT: root });
    expect(stdout.split("\n")).toEqual([
      `Proven: ${environment.ADDRESS} received 12345678901234567890.000000000001 PHASE2_POINTS in payout~1:a of ${CONTRACT}.`,
      expect.stringMatching(/^Proven: the digest [0-9a-f]{64} of 3 transfers\.$/),
      expect.stringMatching(
        /^Proven: the statement of \d{4}-\d\d: 12345678901234567901\.500000000001 PHASE2_POINTS sent, 0 left\.$/,
      ),
      "",
    ]);
    expect((await verify({})).stdout).toBe(stdout);
  });

  test.skipIf(isMissing)("fails for another root and for an address without a receipt", async () => {
    const other = verify({ ROOT: `0x${"1".repeat(64)}` });
    await expect(other).rejects.toMatchObject(refused(environment.ADDRESS!));
    await expect(verify({ ADDRESS: wallet(9) })).rejects.toMatchObject({ code: 1 });
  });

  test.skipIf(isMissing)(
    "fails for a changed batch, a changed statement and a batch that is left out",
    async () => {
      const changed = (body: Body) => JSON.parse(JSON.stringify(body).replace(/"10\.5"/, '"10.6"')) as Body;
      lie = (path, body) =>
        path.endsWith("/batches/payout~1%3Aa") || path.endsWith("/batches/payout~1:a") ? changed(body) : body;
      await expect(verify({})).rejects.toMatchObject(refused("the digest"));
      const less = (body: Body) => {
        const [of] = body.statements as Record<string, string>[];
        return { ...body, statements: [{ ...of, sent: "1", issued: "1" }] };
      };
      lie = (path, body) => (path.includes("/statements?") ? less(body) : body);
      await expect(verify({})).rejects.toMatchObject(refused("the statement"));
      lie = (path, body) => (path.includes("/batches?") ? { ...body, batch: [] } : body);
      await expect(verify({})).rejects.toMatchObject(refused("the statement"));
    },
  );
});
