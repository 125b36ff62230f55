import { setTimeout as sleep } from "node:timers/promises";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { migrateDatabase } from "@/db/migrate";
import { checkPassword } from "@/server/auth/passwords";
import { createAccessToken, hashToken, makeToken } from "@/server/auth/tokens";
import { type OwnCluster, startOwnCluster } from "@/testing/citus/own-cluster";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { batchOf, finalize, newContract, submit, testContext } from "@/testing/factories";
import { serveFrom } from "@/testing/rest-request";
import { callerOf } from "@/testing/staff-caller";
import { readiness } from "../host/health";
import { database } from "../kernel/database";
import { isDatabaseUnavailable } from "../kernel/database-errors";
import { settings } from "../kernel/settings";
import { addressToBytes } from "../kernel/values/addresses";
import { solveChallenge } from "../operators/solve-challenge";
import { startChallenge } from "../operators/start-challenge";
import { examineCitus } from "../ops/doctor-citus";
import { handleRest } from "../rest/handler";
import { createStaff } from "../staff/create-staff";
import { distributeTables } from "./distribute-tables";

const WALLET = privateKeyToAccount(generatePrivateKey());
const SECRET = "secret-of-this-test";
const CONTRACTS_OF_EACH = 3;
const PERSON = { email: "person@example.com", password: "correct horse battery", role: "admin" as const };
/** A request that waits for a worker takes at least as long. */
const timeoutMs = () => settings().DATABASE_TIMEOUT_SECONDS * 1000;
/** Ends a test in which a worker does not come back. */
const TEST_MS_MAX = 240_000;

interface Tenant {
  address: string;
  access: string;
  operator: string;
  batchId: string;
}

let cluster: OwnCluster;
let db: Database;
/** Tenants whose contracts are on the stopped worker, and on the other one. */
let lost: Tenant[];
let kept: Tenant[];

beforeAll(async () => {
  cluster = await startOwnCluster();
  await migrateDatabase({ url: cluster.url, timeoutSeconds: 20 });
  const setUp = createDatabase({ url: cluster.url, poolMax: 1, timeoutSeconds: 60, pooler: "none" });
  await distributeTables(setUp);
  await setUp.close();
  serveFrom({ url: cluster.url });
  db = database();
  await createStaff(testContext(db, "ops"), PERSON);
  kept = await tenantsOn(1);
  lost = await tenantsOn(2);
}, 240_000);

afterAll(async () => {
  await db?.close();
  await cluster?.stop();
});

/** Contracts whose shard is on a worker, each with both kinds of token and a batch that is not due. */
async function tenantsOn(group: number): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  while (tenants.length < CONTRACTS_OF_EACH) {
    const address = await newContract(db);
    const [placed] = await db.sql<{ isThere: boolean }[]>`
      select groupid = ${group} as "isThere" from pg_dist_placement
      where shardid = get_shard_id_for_distribution_column('batches', ${addressToBytes(address)})`;
    if (placed!.isThere) tenants.push(await tenantOf(address));
  }
  return tenants;
}

async function tenantOf(address: string): Promise<Tenant> {
  const ctx = testContext(db, "ops");
  const operatorAddress = WALLET.address;
  await callerOf(db, "admin").contracts.setOperator({ contractAddress: address, operatorAddress });
  const operator = makeToken("operator");
  await db.sql`insert into operator_tokens (contract_address, token_hash, operator_address, expires_at)
    values (${addressToBytes(address)}, ${hashToken(operator)}, ${addressToBytes(operatorAddress)}, now() + interval '1 hour')`;
  const scopes = ["batches:read" as const, "batches:write" as const];
  const { token } = await createAccessToken(ctx, {
    contractAddress: address,
    name: "t",
    scopes,
    expiresAt: null,
  });
  const batchId = await submit(db, batchOf(address, [[1, "1"]], { secondsToFinalize: null }));
  return { address, access: token, operator, batchId };
}

interface Answer {
  path: string;
  status: number;
  retryAfter: string | null;
  ms: number;
  text: string;
}

async function ask(
  { address, operator }: Tenant,
  token: string,
  path: string,
  body?: object,
  method = body ? "POST" : "GET",
): Promise<Answer> {
  const begunAt = performance.now();
  const reply = await handleRest(
    new Request(`http://service.test/v1/contracts/${address}/${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    }),
  );
  const text = await reply.text();
  return {
    path: `${method} ${path}${token === operator ? " (operator)" : ""}`,
    status: reply.status,
    retryAfter: reply.headers.get("retry-after"),
    ms: performance.now() - begunAt,
    text,
  };
}

const NOT_DUE = {
  pointType: "PHASE2_POINTS",
  secondsToFinalize: 3600,
  transfers: [{ toAddress: `0x${"9".repeat(40)}`, points: "1" }],
};

async function submitAndCancel(tenant: Tenant): Promise<Answer> {
  const submitted = await ask(tenant, tenant.access, "batches", NOT_DUE);
  if (submitted.status >= 300) return submitted;
  const { batchId } = JSON.parse(submitted.text) as { batchId: string };
  return await ask(tenant, tenant.access, `batches/${batchId}`, undefined, "DELETE");
}

/** A tenant's requests, with each of its tokens. */
function requests(tenant: Tenant): Promise<Answer[]> {
  return Promise.all([
    submitAndCancel(tenant),
    ask(tenant, tenant.access, "batches"),
    ask(tenant, tenant.access, `batches/${tenant.batchId}`),
    ask(tenant, tenant.access, "point-balances"),
    ask(tenant, tenant.operator, "batches"),
    ask(tenant, tenant.operator, `batches/${tenant.batchId}`),
  ]);
}

function expectRefused(answers: Answer[]): void {
  for (const { path, status, retryAfter, text } of answers) {
    expect([status, retryAfter], `${path} ${text}`).toEqual([503, "2"]);
    expect(text).not.toMatch(/127\.0\.0\.1|remote node|worker/);
  }
}

/** No request waits for the worker. */
async function expectLostRefusedAndKeptServed(): Promise<void> {
  const [refused, served] = await Promise.all([
    Promise.all(lost.map(requests)),
    Promise.all(kept.map(requests)),
  ]);
  expectRefused(refused.flat());
  expect(refused.flat().filter(({ ms }) => ms >= timeoutMs())).toEqual([]);
  expect(served.flat().filter(({ status }) => status >= 300)).toEqual([]);
}

async function expectStaffServed(): Promise<void> {
  const [tenant] = kept;
  const staff = callerOf(db, "admin");
  const contractAddress = tenant!.address;
  expect(await checkPassword(db, { ...PERSON, client: "192.0.2.1", device: null })).toMatchObject({
    email: PERSON.email,
  });
  await signInAsOperator(contractAddress);
  await staff.contracts.get({ contractAddress });
  await staff.contracts.tokens({ contractAddress });
  await staff.contracts.issuances({ contractAddress });
  await staff.batches.list({ contractAddress });
  await staff.batches.get({ contractAddress, batchId: tenant!.batchId });
  await staff.batches.transfers({ contractAddress, batchId: tenant!.batchId });
  await staff.webhooks.list({ contractAddress });
  await staff.audit.list({});
  await staff.staff.list();
}

async function signInAsOperator(contractAddress: string): Promise<void> {
  const { challengeData, message } = await startChallenge(
    db,
    { contractAddress, operatorAddress: WALLET.address },
    { origin: "https://points.example.com", chainId: 1, secret: SECRET },
  );
  const signature = await WALLET.signMessage({ message });
  await solveChallenge(db, { challengeData, signature }, { secret: SECRET, rpcUrl: undefined });
}

async function expectAllFinalizedSoon(): Promise<void> {
  const unfinished = async () => {
    await finalize(db).catch(() => undefined);
    const [row] = await db.sql<{ due: number }[]>`
      select count(*)::int as due from batches where status in ('PENDING', 'FINALIZING') and finalize_at <= now()`;
    return row!.due;
  };
  while ((await unfinished().catch(() => -1)) !== 0) await sleep(500);
  const prepared = await db.sql`
    select result from run_command_on_all_nodes('select count(*) from pg_prepared_xacts') where result <> '0'`;
  expect([...prepared]).toEqual([]);
  await expectLedgerToBalance(db);
}

async function expectLostServed(): Promise<void> {
  const failed = async () =>
    (await Promise.all(lost.map(requests))).flat().filter(({ status }) => status >= 300);
  while ((await failed()).length > 0) await sleep(500);
}

/** Submits one batch per contract that pays wallets on every worker. A session that was idle while a worker was down fails once. */
async function submitDue(): Promise<void> {
  for (const { address } of [...lost, ...kept]) {
    const rows = [7, 8, 9, 10].map((to) => [to, "1.5"] as const);
    const once = () => submit(db, batchOf(address, rows));
    const again = async (error: unknown): Promise<string> => {
      if (!isDatabaseUnavailable(error)) throw error;
      return await once().catch(again);
    };
    await once().catch(again);
  }
}

test(
  "while a worker is down its contracts get 503 with Retry-After, others keep working, and due batches are finalized when it is back",
  async () => {
    await submitDue();
    const [, , worker] = cluster.nodes;
    worker!.stopHard();
    try {
      await expectLostRefusedAndKeptServed();
      await expectStaffServed();
      const { ready, warnings } = await readiness();
      expect({ ready, warnings }).toEqual({
        ready: true,
        warnings: [expect.stringContaining("not responding")],
      });
      const findings = await examineCitus(db.sql);
      expect(findings.filter(({ detail }) => detail.includes("not responding"))).toHaveLength(1);
      await finalize(db).catch(() => undefined);
    } finally {
      worker!.start();
    }
    await expectAllFinalizedSoon();
    await expectLostServed();
  },
  TEST_MS_MAX,
);

test(
  "requests for a hanging worker time out first, then are refused immediately, and others keep working",
  async () => {
    await submitDue();
    const goOn = cluster.hang(2);
    try {
      let answers: Answer[];
      // The first ones, and those that are queued for the pool behind them, time out.
      do {
        answers = (await Promise.all(lost.map(requests))).flat();
        expectRefused(answers);
      } while (answers.some(({ ms }) => ms >= timeoutMs()));
      await expectLostRefusedAndKeptServed();
      await expectStaffServed();
      expect((await readiness()).ready).toBe(true);
      await expectLostRefusedAndKeptServed();
    } finally {
      goOn();
    }
    await expectAllFinalizedSoon();
    await expectLostServed();
  },
  TEST_MS_MAX,
);
