import type { OpenApiMeta } from "trpc-to-openapi";
import { beforeAll, expect, test } from "vitest";
import { createAccessToken, TOKEN_SCOPES } from "@/server/auth/tokens";
import type { RequestContext } from "@/server/kernel/context";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { RouteTable } from "@/server/rest/routes/route-table";
import { batchOf, finalize, LIMITS, setRule, submit, testContext } from "@/testing/factories";
import { goodInputs, type Sample } from "@/testing/good-inputs";
import { serveFrom } from "@/testing/rest-request";
import { useDatabase } from "@/testing/test-database";
import { appRouter, createConsoleCaller, createRestRouter } from "./root";

const NOT_APPLIED = "The database is down or too busy. The request was not applied.";

/** How long a caller waits. Statements end half a second before. */
const CALLER_MS = 800;
const AT_ONCE = 8;
/** Counts, and when a token was used. They are not what a call changes. */
const NOT_CHANGES = ["rate_limits", "access_tokens"];

/** They store nothing, or these inputs are refused before. */
const NOT_REACHED = [
  "console alerts.sendTest",
  "console allocations.preview",
  "console allocations.request",
  "console batches.tryOut",
  "console bulk.preview",
  "console bulk.work",
  "console operations.checkNow",
  "console staff.acceptInvitation",
  "console staff.changeOwnPassword",
  "console staff.openInvitation",
  "console staff.requestReset",
  "rest operators.challenge",
  "rest operators.solve",
];

const db = useDatabase({ poolMax: AT_ONCE + 2 });
const restRouter = createRestRouter(LIMITS);
const routes = new RouteTable(restRouter);
type Door = "console" | "rest";
let token: string;
let changes: [name: string, door: Door, Sample][];

beforeAll(async () => {
  serveFrom(db);
  const { contractAddress, samples } = await goodInputs(db);
  const asked = { contractAddress, name: "all", scopes: [...TOKEN_SCOPES], expiresAt: null };
  ({ token } = await createAccessToken(testContext(db, "ops"), asked));
  const batch = batchOf(contractAddress, [[1, "5"]], { secondsToFinalize: 3600 });
  await submit(db, { ...batch, batchId: "finalized", secondsToFinalize: 0 });
  await finalize(db);
  await submit(db, { ...batch, batchId: "part", payoutId: "payout" });
  await setRule(db, contractAddress, { threshold: "5" });
  await submit(db, { ...batch, batchId: "awaits" });
  const awaiting = { contractAddress, batchId: "awaits", reason: "seen" };
  const reversal = { contractAddress, batchId: "finalized", reason: "twice", secondsToFinalize: 3600 };
  /** Inputs for which more must be true than their schema says. */
  const more: Record<string, object> = {
    "console batches.submit": { ...batch, batchId: "new" },
    "console batches.reverse": { ...reversal, reversalId: "back" },
    "console batches.approve": awaiting,
    "console batches.reject": awaiting,
    "rest batches.submit": batch,
    "rest batches.submitIdempotently": { ...batch, batchId: "new" },
    "rest batches.reverse": reversal,
    "rest payouts.cancel": { contractAddress, payoutId: "payout" },
  };
  const of = (door: Door, router: Parameters<typeof samples>[0]) =>
    samples(router)
      .filter(({ type }) => type === "mutation")
      .map((given): [string, Door, Sample] => {
        const name = `${door} ${given.path}`;
        return [name, door, { ...given, sample: more[name] ?? given.sample }];
      });
  changes = [...of("console", appRouter), ...of("rest", restRouter)];
});

function callConsole(ctx: RequestContext, path: string, sample: unknown): Promise<unknown> {
  const [group, name] = path.split(".") as [string, string];
  const procedures: unknown = createConsoleCaller(ctx).console;
  return (procedures as Record<string, Record<string, (input: unknown) => Promise<unknown>>>)[group]![name]!(
    sample,
  );
}

function callRest(ctx: RequestContext, path: string, sample: unknown): Promise<unknown> {
  const procedures = restRouter._def.procedures as unknown as Record<string, { _def: { meta: OpenApiMeta } }>;
  const { method, path: route } = procedures[path]!._def.meta.openapi!;
  const operation = routes.match(route.replaceAll(/\{\w+\}/g, "x"))!.operations.get(method)!;
  return operation.call(ctx, async () => sample);
}

/** Calls it as an admin or as the contract, who waits for a short time. @returns the answer */
async function call(door: Door, { path, sample }: Sample, at: number): Promise<string> {
  const startedAt = performance.now();
  const ctx: RequestContext = {
    db,
    limits: LIMITS,
    requestId: `request-${at}`,
    authorization: `Bearer ${token}`,
    clientAddress: "203.0.113.7",
    // A person's changes are made one after the other.
    staff: { email: `admin-${at}@example.com`, role: "admin", sessionId: crypto.randomUUID() },
    replyHeaders: new Headers(),
    timeLeftMs: () => CALLER_MS - (performance.now() - startedAt),
    // No answer promises anything about it.
    later: () => undefined,
  };
  return await (door === "console" ? callConsole(ctx, path, sample) : callRest(ctx, path, sample)).then(
    () => "done",
    (error: unknown) => toDomainError(error).message,
  );
}

/** Every row of these tables. */
async function contentOf(tables: readonly string[]): Promise<string[]> {
  const contents: string[] = [];
  for (const table of tables) {
    const rows = await db.sql<{ row: string }[]>`select t::text as row from ${db.sql(table)} t order by 1`;
    contents.push(...rows.map(({ row }) => `${table} ${row}`));
  }
  return contents;
}

test("whatever a call would change, it changes nothing after its caller was answered because its time was over", async () => {
  const rows = await db.sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  const tables = rows.map(({ name }) => name).filter((name) => !NOT_CHANGES.includes(name));
  const before = await contentOf(tables);
  const holder = await db.sql.reserve();
  await holder`begin`;
  await holder.unsafe(`lock table ${tables.join(", ")} in exclusive mode`);
  const answers: [name: string, answer: string][] = [];
  for (let at = 0; at < changes.length; at += AT_ONCE)
    await Promise.all(
      changes.slice(at, at + AT_ONCE).map(async ([name, door, sample], place) => {
        answers.push([name, await call(door, sample, at + place)]);
      }),
    );
  await holder`commit`;
  holder.release();
  while (db.work.underWay > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(await contentOf(tables)).toEqual(before);
  const others = answers.filter(([name, answer]) => answer !== NOT_APPLIED && !NOT_REACHED.includes(name));
  expect(others).toEqual([]);
});
