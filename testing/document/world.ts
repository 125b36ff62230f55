import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { createDatabase, type Database } from "@/db/client";
import { startEmbeddedPostgres } from "@/db/embedded/start-embedded";
import { migrateDatabase } from "@/db/migrate";
import { createAccessToken } from "@/server/auth/tokens";
import { addressToBytes } from "@/server/kernel/address-bytes";
import { challengeMessage, makeNonce, sealChallenge, solveChallenge } from "@/server/operators/challenge";
import { createStaff } from "@/server/staff/people";
import { type BadInputWorld, makeBadInputWorld } from "@/testing/bad-input";
import { testContext } from "@/testing/factories";
import { FaultProxy } from "@/testing/fault-proxy";
import type { BuiltApp } from "@/testing/launch-app";
import { startBuiltApp } from "@/testing/launch-app";
import { signIn } from "@/testing/sign-in";

/** Requests per minute and token: enough for the tests, and quickly used up on purpose. */
export const REQUESTS_PER_MINUTE = 250;

const SECRET = "auth-secret-of-this-test-run";

interface Solved {
  challengeData: string;
  signature: string;
}

/** The built app behind one of its servers, with contracts, batches, tokens and a database to disconnect. */
export interface DocumentWorld extends Omit<BadInputWorld, "tokens"> {
  app: BuiltApp;
  /** The same with the books switched off, as by default. */
  appWithoutBooks: BuiltApp;
  db: Database;
  tokens: BadInputWorld["tokens"] & { spent: string; operator: string; endedOperator: string };
  operator: PrivateKeyAccount;
  staffCookie: string;
  /** A challenge with its signature, valid once: by default of the contract's operator. */
  solvedChallenge(contractAddress?: string, account?: PrivateKeyAccount): Promise<Solved>;
  /** Runs something while the app's database is disconnected. */
  withoutDatabase<T>(run: () => Promise<T>): Promise<T>;
  /** Runs something that loses the reply to each statement with one of these texts. */
  losingReply<T>(texts: string[], run: () => Promise<T>): Promise<T>;
  /** Runs something while a table that every request needs is renamed. */
  withBrokenTable<T>(run: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}

export async function startDocumentWorld(door: "host" | "next"): Promise<DocumentWorld> {
  const dataDir = mkdtempSync(join(tmpdir(), "document-"));
  const postgres = await startEmbeddedPostgres({ dataDir, extraSettings: { fsync: "off" } });
  const proxy = await FaultProxy.start(postgres.url);
  const environment = {
    DATABASE_URL: proxy.through(postgres.url),
    DATABASE_TIMEOUT_SECONDS: "10",
    AUTH_SECRET: SECRET,
    FINALIZER: "off",
    RATE_LIMIT_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    SIGN_IN_RATE_LIMIT_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    PUBLIC_RATE_LIMIT_PER_MINUTE: String(REQUESTS_PER_MINUTE),
    PUBLIC_BOOKS: "on",
    TRUSTED_PROXY_HOPS: "1",
  };
  await migrateDatabase({ url: postgres.url, timeoutSeconds: 10 });
  const app = await startBuiltApp({ door, environment });
  const appWithoutBooks = await startBuiltApp({ door, environment: { ...environment, PUBLIC_BOOKS: "off" } });
  const db = createDatabase({ url: postgres.url, poolMax: 2, timeoutSeconds: 10, pooler: "none" });
  const world = await makeBadInputWorld(db);
  const { token: spent } = await createAccessToken(testContext(db, "ops"), {
    contractAddress: world.contract,
    name: "spent",
    scopes: ["batches:read", "batches:write"],
    expiresAt: null,
  });
  const operator = privateKeyToAccount(generatePrivateKey());
  await db.sql`update contracts set operator_address = ${addressToBytes(operator.address)}
    where address = ${addressToBytes(world.contract)}`;
  const solvedChallenge = async (contractAddress = world.contract, account = operator) => {
    const addresses = { contractAddress, operatorAddress: account.address };
    const challenge = {
      ...addresses,
      origin: app.url,
      chainId: 1,
      nonce: makeNonce(),
      issuedAtMs: Date.now(),
      seconds: 60,
    };
    const signature = await account.signMessage({ message: challengeMessage(challenge) });
    return { challengeData: sealChallenge(challenge, SECRET), signature };
  };
  const operatorToken = async () =>
    (await solveChallenge(db, await solvedChallenge(), { secrets: [SECRET], rpcUrl: undefined })).bearerToken;
  const endedOperator = await operatorToken();
  await db.sql`update operator_tokens set expires_at = now()`;
  const person = { email: "person@example.com", password: "correct horse battery" };
  await createStaff(testContext(db, "ops"), { ...person, role: "admin" });
  const { cookie } = await signIn(app.url, person);
  if (!cookie.includes("session-token")) throw new Error("the sign-in failed");
  return {
    ...world,
    tokens: { ...world.tokens, spent, endedOperator, operator: await operatorToken() },
    operator,
    solvedChallenge,
    app,
    appWithoutBooks,
    db,
    staffCookie: cookie,
    async withoutDatabase(run) {
      await proxy.set("refuse");
      return run().finally(async () => {
        await proxy.set("ok");
        await untilReady(app.url);
      });
    },
    async losingReply(texts, run) {
      const lost = proxy.breakAt({ texts, passes: () => 0, how: "cut", isKept: true });
      const outcome = await run().finally(() => proxy.stopBreaking());
      await lost;
      return outcome;
    },
    async withBrokenTable(run) {
      await db.sql`alter table rate_limits rename to rate_limits_away`;
      return run().finally(() => db.sql`alter table rate_limits_away rename to rate_limits`);
    },
    async stop() {
      await app.stop();
      await appWithoutBooks.stop();
      await db.close();
      await proxy.stop();
      await postgres.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string): Promise<void> {
  for (const endsAt = Date.now() + 10_000; Date.now() < endsAt; ) {
    if ((await fetch(`${url}/readyz`)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("the app did not reconnect to its database in 10 s");
}
