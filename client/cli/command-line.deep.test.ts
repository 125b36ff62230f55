import { execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { withSql } from "@/testing/citus/make-database";
import { setRule } from "@/testing/factories";
import { stopProcess } from "@/testing/launch-app";
import { listenLocally } from "@/testing/local-servers";
import { formatAmount } from "../../terms/output-text";
import { formatPoints, sumPoints } from "../../terms/points";
import {
  batchOf,
  type ClientWorld,
  CONTRACT,
  OTHER,
  startClientWorld,
  wallet,
} from "../src/testing/client-world.ts";

const TRANSFERS_MAX = 5;
const folder = mkdtempSync(join(tmpdir(), "command-line-"));
const program = join(folder, "point-batches.mjs");
let world: ClientWorld;
let proxy: Server;
let proxied: string;
/** Called before a request is forwarded, and with `true` after the service replied. */
let onRequest: (request: IncomingMessage, isAnswered: boolean) => Promise<void> | void = () => {};

beforeAll(async () => {
  execFileSync(process.execPath, ["client/build.mjs", "--command-line", program]);
  world = await startClientWorld({
    MAX_TRANSFERS_PER_BATCH: String(TRANSFERS_MAX),
    MINIMUM_TRANSFER_POINTS: "0.5",
    WEBHOOK_ALLOW_PRIVATE: "on",
  });
  proxy = createServer(async (request, reply) => {
    const body = await text(request);
    await onRequest(request, false);
    const headers = Object.entries(request.headers).filter(
      ([name]) => !/^(?:host|connection|content-length)$/.test(name),
    );
    const answer = await fetch(world.app.url + request.url, {
      method: request.method!,
      headers: headers as [string, string][],
      ...(body && { body }),
    }).catch(() => null);
    if (!answer) return reply.destroy();
    const content = await answer.text();
    await onRequest(request, true);
    const replayed = answer.headers.get("Idempotent-Replayed");
    reply.writeHead(answer.status, {
      "Content-Type": answer.headers.get("Content-Type") ?? "",
      ...(replayed && { "Idempotent-Replayed": replayed }),
    });
    reply.end(content);
  });
  proxied = `http://127.0.0.1:${await listenLocally(proxy)}`;
});
afterAll(async () => {
  proxy?.close();
  await world?.stop();
  rmSync(folder, { recursive: true, force: true });
});

afterEach(() => {
  onRequest = () => {};
});

const isCheck = ({ method, url }: IncomingMessage) => method === "GET" && url?.includes("/batches/payout-");
const isSubmit = ({ method, url }: IncomingMessage) => method === "PUT" && !url?.includes("dryRun");

/** Starts the command line, without a terminal. */
function start(words: string[], environment: Record<string, string> = {}) {
  const env: NodeJS.ProcessEnv = {
    NODE_ENV: "production",
    PATH: process.env.PATH ?? "",
    XDG_CONFIG_HOME: folder,
    POINT_BATCHES_URL: world.app.url,
    POINT_BATCHES_CONTRACT: CONTRACT,
    POINT_BATCHES_TOKEN: world.token,
    ...environment,
  };
  const child = spawn(process.execPath, [program, ...words], {
    env,
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const ended = Promise.all([text(child.stdout), text(child.stderr), exited]).then(
    ([stdout, stderr, code]) => ({ stdout, stderr, code }),
  );
  return { child, exited, ended };
}
const run = (words: string[], environment?: Record<string, string>) => start(words, environment).ended;

/** Runs a command that ends with this code, and says so: an error on stderr, and a result on stdout. */
async function expectRun(words: string[], code: number, text = "", environment?: Record<string, string>) {
  const result = await run(words, environment);
  const said = expect.stringContaining(text);
  expect(result).toMatchObject(code === 0 ? { code, stdout: said } : { code, stderr: said });
  return result;
}

/** What a command prints for programs. */
async function runJson(words: string[], environment?: Record<string, string>) {
  const { code, stdout } = await run([...words, "--json"], environment);
  return { code, json: JSON.parse(stdout) };
}

const through = () => ({ POINT_BATCHES_URL: proxied });

const row = (number: number, points = `${number}.00000000001`) => `${wallet(number)},${points}\n`;
let files = 0;
function fileOf(rows: string, head = "address,amount"): string {
  const name = `payout-${++files}.csv`;
  writeFileSync(join(folder, name), `${head}\n${rows}`);
  return name;
}
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => row(first + at)).join("");
const TYPE = ["--type", "PHASE2_POINTS"];
const pay = (rows: string, ...more: string[]) => ["pay", fileOf(rows), ...TYPE, ...more];

/** The ID of the first part that a file would become. */
async function planned(file: string): Promise<string> {
  return (await runJson(["pay", file, ...TYPE, "--dry-run"])).json.batches[0].batchId;
}

async function idsOf(idPrefix: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { id } of world.client.iterateBatches()) if (id.startsWith(`${idPrefix}.`)) found.push(id);
  return found.sort();
}

describe("a payout", () => {
  test("of 20 parts that is killed ten times pays each part once, with the exact sum", async () => {
    const PARTS = 20;
    const file = fileOf(rowsFrom(1000, PARTS * TRANSFERS_MAX));
    const words = ["pay", file, ...TYPE, "--yes"];
    const before = await world.client.getBalances();
    const idPrefix = (await planned(file)).slice(0, -4);
    const stored: number[] = [];
    for (let kills = 0; kills < 10; kills++) {
      const { child, ended } = start([...words, "--json"], through());
      // Half at a submit, before it reaches the service or after it is stored, or at a check at the end.
      const isEarly = kills % 2 === 1;
      const counts = (request: IncomingMessage) => isEarly || isSubmit(request) || isCheck(request);
      const isAfter = kills % 4 < 2;
      let left = randomInt(1, isEarly ? 42 : 4);
      onRequest = async (request, isAnswered) => {
        if (isAnswered === isAfter && counts(request) && --left === 0) await stopProcess(child, "SIGKILL");
      };
      expect(await ended).toEqual({ code: null, stdout: "", stderr: expect.anything() });
      stored.push((await idsOf(idPrefix)).length);
    }
    onRequest = () => {};
    expect(stored[0]).toBeGreaterThan(0);
    expect(stored[0]).toBeLessThan(PARTS);
    expect(stored).toEqual([...stored].sort((a, b) => a - b));

    const { json: result, code } = await runJson(words, through());
    expect(code).toBe(0);
    const amounts = Array.from({ length: PARTS * TRANSFERS_MAX }, (_, at) => `${1000 + at}.00000000001`);
    const sum = formatPoints(sumPoints(amounts));
    expect(result).toMatchObject({ success: true, points: sum, storedPoints: sum });
    expect(await idsOf(idPrefix)).toEqual(result.batches.map(({ batchId }: { batchId: string }) => batchId));
    expect(result.batches).toHaveLength(PARTS);
    for (const batch of result.batches)
      expect(batch).toMatchObject({ state: "verified", transferCount: TRANSFERS_MAX });
    const paid = new Map<string, string>();
    for (const { batchId } of result.batches)
      for (const { toAddress, points } of (await world.client.getBatch(batchId)).transfers) {
        expect(paid.has(toAddress)).toBe(false);
        paid.set(toAddress, points);
      }
    expect([...paid.values()]).toEqual(amounts);
    const after = await world.client.getBalances();
    const pending = sumPoints([before.PHASE2_POINTS.pendingSent, sum]);
    expect(after.PHASE2_POINTS.pendingSent).toBe(formatPoints(pending));
  });

  test("that is repeated sends nothing, also when its rows were sorted: then it is refused", async () => {
    const [one, two] = [row(2000), row(2001)];
    const file = fileOf(one + two);
    await expectRun(["pay", file, ...TYPE, "--yes"], 0);
    await expectRun(["pay", file, ...TYPE, "--yes"], 0, "Nothing was sent.");
    const sorted = await expectRun(pay(two + one, "--yes"), 3, "batch_id_conflict");
    expect(sorted.stderr).toContain("This run sent nothing.");
  });

  test("of a file without rows that an earlier one had is refused, until their batch is cancelled", async () => {
    const [one, two] = [`${wallet(2095)},10,w1\n`, `${wallet(2095)},500,w2\n`];
    const head = "address,points,reference";
    const words = (rows: string) => ["pay", fileOf(rows, head), ...TYPE, "--yes", "--id-prefix", "fewer"];
    await expectRun(words(one + two), 0);
    await expectRun(words(one), 3, "that this list does not have: fewer.002, 500. Nothing was");
    await run(["cancel", "fewer.002"]);
    await expectRun(words(one), 0);
  });

  test("of an unusually large total is sent with --yes only if --total states it", async () => {
    const words = pay(row(2090, "1999999999999999.5"), "--yes", "--id-prefix", "large");
    await expectRun(words, 6, "add --total 1999999999999999.5");
    const wrong = await run([...words, "--total", "2,000"]);
    expect(wrong.stderr).toContain("The total is 1,999,999,999,999,999.5, not 2,000.");
    expect(await idsOf("large")).toEqual([]);
    await expectRun([...words, "--total", "1999999999999999.5", "--dry-run"], 0);
  });

  test("of a thousand times the largest of the contract's newest batches is also asked about", async () => {
    expect(await run(pay(row(2091, "1"), "--yes", "--id-prefix", "usual"))).toMatchObject({ code: 0 });
    const words = pay(row(2092, "100000000000001"), "--yes", "--id-prefix", "thousandfold", "--json");
    const { code, stdout } = await run(words);
    expect(code).toBe(6);
    expect(stdout).toMatch(
      /LARGE: the total is [\d,]+ times the largest of the contract's newest 100 batches, [\d,.]+\./,
    );
    expect(await idsOf("thousandfold")).toEqual([]);
  });

  test("with a doubt about what is paid is sent with --yes only if --total states it", async () => {
    const rows = row(2093, "2").replace("\n", ",OP,true\n") + row(2094, "3").replace("\n", ",ARB,false\n");
    const file = fileOf(rows, "to_address,points,token,claimed");
    const words = ["pay", file, ...TYPE, "--id-prefix", "doubtful", "--yes"];
    const { stderr } = await expectRun(words, 6, "add --total 5.");
    expect(stderr).toMatch(/several kinds.*\n“claimed” says true for 1 of 2 rows, which would be paid too\./);
    expect(await idsOf("doubtful")).toEqual([]);
    await expectRun([...words, "--total", "5"], 0);
  });

  test("of rows that another batch has paid is sent only with --pay-again", async () => {
    const words = pay(row(2010) + row(2011), "--yes");
    const [{ batchId }] = (await runJson(words)).json.batches;
    const again = [...words, "--id-prefix", "again"];
    await expectRun(again, 6, `again.001 as ${batchId}.`);
    expect(await idsOf("again")).toEqual([]);
    await expectRun([...again, "--pay-again"], 0);
    expect(await idsOf("again")).toEqual(["again.001"]);
  });

  test("of an export that a spreadsheet saved is refused row by row, and paid again only on request", async () => {
    const references = (...all: string[]) => all.map((one, at) => `${one},${row(2200 + at)}`).join("");
    const head = "reference,to_address,points";
    const first = fileOf(references("00701", "4e5", "season-3:7"), head);
    await run(["pay", first, ...TYPE, "--yes", "--id-prefix", "p19"]);
    const saved = (...all: string[]) =>
      fileOf(references(...all).replaceAll("\n", ",p19.001\n"), `${head},batch_id`);
    const changed = saved("701", "400000", "season-3:7");
    for (const command of [["check"], ["pay", "--yes", "--pay-again"]]) {
      const refused = await run([command[0]!, changed, ...TYPE, ...command.slice(1)]);
      expect(refused.code).toBe(1);
      for (const [line, reference] of [[2, "00701"] as const, [3, "4e5"] as const])
        expect(refused.stderr).toMatch(
          new RegExp(`^${line} .*p19.001 has the reference ${reference} here; a spreadsheet changed it`, "m"),
        );
      expect(refused.stderr).not.toMatch(/^4 /m);
    }
    const other = saved("00702", "4e6", "season-4:7");
    expect((await run(["check", other, ...TYPE])).code).toBe(1);
    const cleared = fileOf(`${row(2202)}`.replace("\n", ",p19.001\n"), "to_address,points,batch_id");
    const paid = "Line 2: batch p19.001 (PENDING) has a transfer of 2202.00000000001";
    const text = `PAID ALREADY: 1 of 1 row. ${paid}`;
    await expectRun(["check", cleared, ...TYPE], 0, text);
    const words = ["pay", cleared, ...TYPE, "--yes", "--id-prefix", "p20"];
    const unsent = await expectRun(words, 6, "add --pay-again");
    expect(unsent.stderr).toContain(text);
    expect(await idsOf("p20")).toEqual([]);
    await expectRun(["check", cleared, ...TYPE], 0, "The file is an export of 1 batch, such as p19.001.", {
      POINT_BATCHES_TOKEN: "",
    });
    await expectRun([...words, "--pay-again"], 0);
    expect(await idsOf("p20")).toEqual(["p20.001"]);
  });

  test("of which a batch was cancelled is completed under a new ID, and only that is sent", async () => {
    const words = pay(rowsFrom(2020, 3 * TRANSFERS_MAX), "--yes", "--id-prefix", "part");
    await run(words);
    const balances = async () => (await world.client.getBalances()).PHASE2_POINTS.pendingSent;
    const before = await balances();
    await run(["cancel", "part.002"]);
    const { stderr } = await expectRun(words, 4, "add --resend-cancelled");
    expect(stderr).toContain("2 of 3 batches are stored, 1 was not sent.");
    expect(stderr).not.toMatch(/repeat the command|--id-prefix/);
    for (const result of ["2 of them by an earlier run", "Nothing was sent."]) {
      await expectRun([...words, "--resend-cancelled"], 0, result);
      expect(await balances()).toBe(before);
    }
    expect(await idsOf("part")).toEqual(["part.001", "part.002", "part.002-2", "part.003"]);
    const { stdout } = await run(["status", "part"]);
    expect(stdout).toMatch(/Paid +0 of [\d,.]+ PHASE2_POINTS\n/);
    expect(stdout).not.toContain("not paid");
    // Once that is done, the option is not needed any more.
    await expectRun(words, 0, "in place of cancelled ones part.002-2");
  });

  test("that is cancelled while it is awaited says so, in its report too", async () => {
    const words = pay(row(2050), "--yes", "--seconds-to-finalize", "2", "--wait");
    let isCancelled = false;
    onRequest = async ({ method, url }, isAnswered) => {
      if (isCancelled || !isAnswered || method !== "GET" || !url?.includes("/batches/payout-")) return;
      isCancelled = true;
      await world.client.cancelBatch(url.split("/").at(-1)!);
    };
    expect(await runJson(words, through())).toMatchObject({
      code: 3,
      json: {
        message: expect.stringContaining("was cancelled"),
        batches: [{ state: "verified", status: "CANCELLED" }],
      },
    });
  });

  test("with a column of references pays each once, unless --reference-column is none", async () => {
    const rows = Array.from({ length: TRANSFERS_MAX + 1 }, (_, at) => `s3:${at},${row(2100 + at)}`).join("");
    writeFileSync(join(folder, "season.csv"), `reference,address,amount\n${rows}`);
    const words = ["pay", "season.csv", ...TYPE, "--yes"];
    const sent = await run([...words, "--id-prefix", "season"]);
    expect(sent.code).toBe(0);
    expect(sent.stderr).toContain("6 rows have references, which the contract pays once.");
    expect((await world.client.findPayments("s3:5")).map(({ batchId }) => batchId)).toEqual(["season.002"]);
    const again = await expectRun([...words, "--id-prefix", "season-again"], 3, "(reference_already_paid");
    expect(again.stderr).toContain(
      "s3:4: is already paid by /transfers/4 of the batch season.001, which is PENDING",
    );
    expect(await idsOf("season-again")).toEqual([]);
    writeFileSync(
      join(folder, "grown.csv"),
      `reference,address,amount\n${rows}s3:9,${row(2190)}s3:9,${row(2191)}`,
    );
    await expectRun(["pay", "grown.csv", ...TYPE, "--yes"], 1, "--reference-column none");
    const copy = ["--id-prefix", "season-copy", "--pay-again", "--reference-column", "none"];
    const unsent = await expectRun([...words, ...copy], 0);
    expect(unsent.stderr).toContain("“reference” is not sent");
    const first = await runJson([...words, "--id-prefix", "season"]);
    expect(first.json.notes).toContain("6 rows have references, which the contract pays once.");
  });

  test("that is refused mid-way says what is stored, and how to continue", async () => {
    const words = pay(rowsFrom(3000, 4 * TRANSFERS_MAX), "--yes", "--id-prefix", "midway");
    let submits = 0;
    onRequest = async (request, isAnswered) => {
      if (!isAnswered && isSubmit(request) && ++submits === 3)
        await world.client.submitBatch(batchOf("7"), { batchId: "midway.003" });
    };
    const { code, stderr } = await run([...words, "--report", "midway.csv", "--url", proxied]);
    expect(code).toBe(4);
    expect(stderr).toContain("2 of 4 batches are stored, 2 were not sent.");
    // Repeated, it would be refused again.
    expect(stderr).not.toContain("repeat the command");
    expect(stderr).toContain(`  point-batches cancel midway --url ${proxied}\n`);
    const report = readFileSync(join(folder, "midway.csv"), "utf8").split("\r\n");
    expect(report[0]).toBe(
      "batchId,state,status,replayed,points,finalizeAt,digest,sameTransfersAs,awaitingApproval," +
        "transferCount,pointType,exportedAt,counted",
    );
    const states = report.slice(1, -1).map((line) => line.split(",").slice(0, 2).join(" "));
    expect(states).toEqual([
      "midway.001 stored",
      "midway.002 stored",
      "midway.003 refused",
      "midway.004 ready",
    ]);
    const cancelled = await runJson(["cancel", "midway.001", "midway.002"]);
    expect(cancelled.json).toEqual({ success: true, cancelled: ["midway.001", "midway.002"] });
  });

  test.each([
    ["once", 4000, ["SIGINT"]],
    // npx passes a terminal's Ctrl-C on. Paused, the process cannot end between the two.
    ["twice", 4100, ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"]],
  ] as const)(
    "that is stopped %s says that the part it was sending may be stored",
    async (times, first, signals) => {
      const words = pay(rowsFrom(first, 3 * TRANSFERS_MAX), "--yes", "--id-prefix", times);
      const { child, exited, ended } = start([...words, "--json"], through());
      let submits = 0;
      onRequest = async (request, isAnswered) => {
        if (!isAnswered || !isSubmit(request) || ++submits !== 2) return;
        for (const signal of signals) child.kill(signal);
        await exited;
      };
      const { code, stdout } = await ended;
      expect(code).toBe(4);
      const { success, message, batches } = JSON.parse(stdout);
      expect(success).toBe(false);
      expect(message).toContain("1 of 3 batches are stored, 1 may be stored, 1 was not sent.");
      expect(batches.map(({ state }: { state: string }) => state)).toEqual(["stored", "sending", "ready"]);
      expect((await run(words)).code).toBe(0);
      expect(await idsOf(times)).toHaveLength(3);
    },
  );

  test("that is stopped while it is awaited has another exit code than one that sent nothing", async () => {
    const words = pay(rowsFrom(4200, 1), "--wait", "--yes");
    const { child, ended } = start(words, through());
    // Once: a second signal could come when the process has ended its work, and has no handler any more.
    const stopOnce = (running: typeof child) => {
      let isStopped = false;
      onRequest = (request, isAnswered) => {
        if (!isAnswered || !isCheck(request) || isStopped) return;
        isStopped = true;
        setTimeout(() => running.kill("SIGINT"), 200);
      };
    };
    stopOnce(child);
    const { code, stderr } = await ended;
    expect(stderr).toContain("1 batch stored. To verify them again, repeat the command.");
    expect(code).toBe(4);
    // Now an earlier run has sent it, and this one nothing.
    const again = start(words, through());
    stopOnce(again.child);
    expect((await again.ended).code).toBe(6);
  });

  test("has the metadata that is given, in every batch, which finds them", async () => {
    const rows = rowsFrom(5500, TRANSFERS_MAX + 1);
    const metadata = ["--metadata", "campaign=a=b, c", "--metadata", "part=1"];
    const words = pay(rows, "--id-prefix", "tagged", "--yes", ...metadata);
    await expectRun(words, 0);
    const found: { id: string }[] = (await runJson(["list", ...metadata])).json;
    expect(found.map(({ id }) => id)).toEqual(["tagged.002", "tagged.001"]);
    const { stdout } = await run(["status", "tagged.001"]);
    expect(stdout).toMatch(/^campaign +a=b, c$/m);
    for (const wrong of ["campaign", "=x", "__proto__=x", "part=2"])
      await expectRun([...words, "--metadata", wrong], 2);
    const long = ["--metadata", `long=${"x".repeat(201)}`];
    expect((await run([...words, ...long])).stderr).toContain("/metadata/long must have 1 to 200 characters");
  });

  test("waits until it is finalized, and its receipts can be read", async () => {
    const words = pay(row(6000), "--yes", "--wait", "--seconds-to-finalize", "1");
    const { batches, payoutId } = (await runJson(words)).json;
    expect(batches).toMatchObject([{ state: "verified", status: "FINALIZED" }]);
    expect(await world.client.getPayout(payoutId)).toMatchObject({ status: "FINALIZED", batchCount: 1 });
    const message = `Cancelled 0 batches of the payout ${payoutId}. 1 batch can no longer be cancelled.`;
    expect(await runJson(["cancel", payoutId])).toMatchObject({
      code: 3,
      json: { message, cancelled: 0, counts: { finalized: 1 } },
    });
    const receipt = await run(["receipt", batches[0].batchId, wallet(6000)]);
    expect(JSON.parse(receipt.stdout)).toMatchObject({ points: "6000.00000000001" });
  });

  test("becomes a claim, which is read without a token", async () => {
    const { ops } = world.app;
    await run(pay(row(6050), "--yes", "--wait", "--seconds-to-finalize", "1"));
    const took = JSON.parse(await ops(["snapshot", "take", "--type", "PHASE2_POINTS", "--json"]));
    const rule = ["--name", "token", "--rate", "2", "--decimals", "12"];
    const made = JSON.parse(await ops(["allocation", "make", "--snapshot", took.id, ...rule, "--json"]));
    const get = () =>
      run(["claims", "get", made.id, wallet(6050)], { POINT_BATCHES_TOKEN: "", POINT_BATCHES_CONTRACT: "" });
    expect(await get()).toMatchObject({ code: 3, stderr: expect.stringContaining("is published") });
    await ops(["allocation", "publish", "--id", made.id]);
    expect(JSON.parse((await get()).stdout)).toMatchObject({
      allocationId: made.id,
      tokens: "12100.00000000002",
      proof: expect.any(Array),
    });
  });

  // Behind the claim: the contract's own rule asks for a second admin there too.
  test("that awaits approval says so, and --wait leaves that to the next run", async () => {
    await withSql(world.app.databaseUrl(), (sql) => setRule({ sql }, CONTRACT, { threshold: "1000000" }));
    const words = pay(row(2096, "1000001"), "--yes", "--wait", "--id-prefix", "approved");
    for (const _ of Array(2)) await expectRun(words, 4, "1 batch awaits approval by the service's staff");
    expect((await runJson(words)).json.batches).toMatchObject([
      { awaitingApproval: true, status: "PENDING" },
    ]);
  });

  test("is not sent unconfirmed, in a dry run, or without a place for its report", async () => {
    const words = pay(row(6100), "--id-prefix", "unsent");
    await expectRun(words, 2, "Add --yes");
    await expectRun([...words, "--dry-run"], 0);
    await expectRun([...words, "--yes", "--report", "none/paid.csv"], 1);
    expect(await idsOf("unsent")).toEqual([]);
  });
});

describe("a report", () => {
  const link = (name: string, make: (from: string, to: string) => void, file: string) => {
    make(join(folder, file), join(folder, name));
    return name;
  };

  test("never replaces the payout file, under any name of it, not even with --force", async () => {
    const file = fileOf(row(7000));
    const content = readFileSync(join(folder, file), "utf8");
    const names = [
      file,
      `./${file}`,
      join(folder, file),
      link("symbolic.csv", symlinkSync, file),
      link("hard.csv", linkSync, file),
    ];
    const refusal = "is the payout file itself";
    for (const report of names)
      await expectRun(["pay", "--yes", "--force", file, ...TYPE, "--report", report], 2, refusal);
    for (const words of [["check"], ["pay", "--dry-run"]])
      await expectRun([...words, file, ...TYPE, "--report", file], 2, refusal);
    expect(readFileSync(join(folder, file), "utf8")).toBe(content);
    await expectRun(["check", "hard.csv", ...TYPE, "--report", "symbolic.csv"], 2, refusal);
  });

  test("replaces an earlier report of the same command, and any other file only with --force", async () => {
    const file = fileOf(row(7010));
    const bad = fileOf(row(7011, "-1"));
    const other = "address,amount\nof another payout\n";
    const place = (name: string, content: string) => writeFileSync(join(folder, name), content);
    const dryRun = ["pay", file, ...TYPE, "--dry-run", "--report"];
    const check = ["check", bad, ...TYPE, "--report"];
    for (const report of ["again.csv", "again.json"])
      for (const _ of Array(2)) await expectRun([...dryRun, report], 0);
    for (const _ of Array(2)) await expectRun([...check, "bad-again.csv"], 1, "errors");
    place("empty.csv", "");
    await expectRun([...dryRun, "empty.csv"], 0);
    const taken: [words: string[], report: string][] = [
      [dryRun, "other.csv"],
      [check, "other.csv"],
      // What was corrected in a list of errors is not lost either.
      [dryRun, "bad-again.csv"],
      [check, "again.csv"],
      [dryRun, "."],
    ];
    place("other.csv", other);
    for (const [words, report] of taken) {
      const { code, stderr } = await run([...words, report]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--force|not a file/)]);
    }
    expect(readFileSync(join(folder, "other.csv"), "utf8")).toBe(other);
    await expectRun([...dryRun, "other.csv", "--force"], 0);
    expect(readFileSync(join(folder, "other.csv"), "utf8")).toContain(",ready,");
  });

  test("says what is known when the payout is killed; an earlier one is kept until more is", async () => {
    const words = pay(rowsFrom(7100, 4 * TRANSFERS_MAX));
    const report = "killed.json";
    const states = () =>
      JSON.parse(readFileSync(join(folder, report), "utf8")).map(({ state }: { state: string }) => state);
    const killedAt = async (
      counts: (request: IncomingMessage) => boolean,
      number: number,
      isAfter: boolean,
    ) => {
      const { child, ended } = start([...words, "--yes", "--report", report], through());
      let left = number;
      onRequest = async (request, isAnswered) => {
        if (isAnswered === isAfter && counts(request) && --left === 0) await stopProcess(child, "SIGKILL");
      };
      await ended;
    };
    await killedAt(isSubmit, 3, true);
    expect(states()).toEqual(["stored", "stored", "sending", "ready"]);
    const isDryRun = ({ url }: IncomingMessage) => Boolean(url?.includes("dryRun"));
    await killedAt(isDryRun, 2, false);
    expect(states()).toEqual(["stored", "stored", "sending", "ready"]);
    await killedAt(isSubmit, 1, false);
    expect(states()).toEqual(["stored", "stored", "stored", "sending"]);
    const left = readdirSync(folder).filter((name) => name.startsWith(report));
    expect(left).toEqual([report]);
    await expectRun([...words, "--yes", "--report", report], 0);
    expect(states()).toEqual(Array(4).fill("verified"));
  });

  test("that cannot be written any more stops nothing, and hides nothing", async () => {
    const place = mkdtempSync(join(folder, "gone-"));
    const words = pay(rowsFrom(7300, 2 * TRANSFERS_MAX), "--yes");
    onRequest = (request, isAnswered) => {
      if (!isAnswered && isSubmit(request)) rmSync(place, { recursive: true, force: true });
    };
    const { code, json } = await runJson([...words, "--report", join(place, "paid.csv")], through());
    expect(code).toBe(1);
    const { message, batches } = json;
    expect(message).toMatch(/2 batches stored and verified[\s\S]*Cannot write the report/);
    expect(batches.map(({ state }: { state: string }) => state)).toEqual(["verified", "verified"]);
  });
});

test("cancel that is stopped says what is cancelled, and what may be", async () => {
  for (const batchId of ["halt-1", "halt-2", "halt-3"])
    await world.client.submitBatch(batchOf("1"), { batchId });
  const { child, exited, ended } = start(["cancel", "halt-1", "halt-2", "halt-3", "--json"], through());
  onRequest = async ({ method, url }, isAnswered) => {
    if (!isAnswered || method !== "DELETE" || !url?.endsWith("halt-2")) return;
    child.kill("SIGINT");
    await exited;
  };
  const { code, stdout } = await ended;
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({ cancelled: ["halt-1"], doubtful: "halt-2" });
  expect(JSON.parse(stdout).message).toContain("Cancelled 1 of 3 batches. halt-2 may be cancelled.");
});

describe("another host", () => {
  const ESCAPES = "\u001B[2J\u001B]0;owned\u0007\u009B31m\u202Erow\r\nPaid.";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: They are what must not be there.
  const RAW = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/;
  let answer: (request: IncomingMessage) => { status?: number; type?: string; body: string | Buffer };
  let host: Server;
  let url: string;
  beforeAll(async () => {
    host = createServer((request, reply) => {
      const { status = 200, type = "application/json", body } = answer(request);
      reply.writeHead(status, { "Content-Type": type }).end(body);
    });
    url = `http://127.0.0.1:${await listenLocally(host)}`;
  });
  afterAll(() => host.close());

  test("cannot write control characters to the terminal, in a line of its own or without end", async () => {
    const batch = { id: ESCAPES, status: ESCAPES, pointType: ESCAPES, points: "1", transferCount: 1 };
    const times = { createdAt: ESCAPES, finalizeAt: ESCAPES, updatedAt: ESCAPES, digest: ESCAPES };
    const refusal = {
      success: false,
      ...{ code: ESCAPES, status: 400, detail: ESCAPES.repeat(100_000), requestId: ESCAPES.repeat(1_000) },
      errors: [{ pointer: ESCAPES, code: ESCAPES, detail: ESCAPES }],
    };
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}${ESCAPES}`, ESCAPES]));
    const answers: [status: number, type: string, body: object | string][] = [
      [200, "application/json", { success: true, batch: [{ ...batch, ...times }], cursor: null }],
      [200, "application/json", { success: true, batch: { ...batch, ...times, metadata: many }, payout: {} }],
      [400, "application/problem+json", refusal],
      [502, "text/html", ESCAPES.repeat(10_000)],
    ];
    for (const [status, type, body] of answers) {
      answer = () => ({ status, type, body: typeof body === "string" ? body : JSON.stringify(body) });
      for (const words of [["list"], ["status", "x"], ["status", "x", "--json"], ["cancel", "x", "y"]]) {
        const child = start(words, { POINT_BATCHES_URL: url });
        // A gateway's page is retried for longer than this test waits.
        if (status === 502) setTimeout(() => child.child.kill("SIGINT"), 1_000);
        const { stdout, stderr } = await child.ended;
        expect(stdout + stderr).not.toMatch(RAW);
        expect(stdout + stderr).not.toMatch(/^Paid\./m);
        if (!words.includes("--json")) expect(stdout.length + stderr.length).toBeLessThan(20_000);
      }
    }
    const odd = await run([ESCAPES, `--${ESCAPES}`], { POINT_BATCHES_URL: url });
    expect(odd.stderr).not.toMatch(RAW);
  });

  test("has taken points back, or will: list and status subtract them, and name the rest", async () => {
    const of = { pointType: "PHASE2_POINTS", points: "17", transferCount: 1, createdAt: "", digest: "" };
    const batch = { ...of, id: "b", status: "FINALIZED", finalizeAt: "2027" };
    const reversal = { ...batch, status: "PENDING", awaitingApproval: true, reverses: "a" };
    const reversals = ["FINALIZED", "PENDING"].map((status) => ({ ...batch, id: status, status }));
    const amounts = [{ ...of, paid: "17", notPaid: "9", takenBack: "5", takingBack: "12" }];
    const payout = { ...batch, counts: {}, amounts, notPaid: [{ ...of, points: "2" }] };
    for (const [words, body, shown] of [
      ["list", { batch: [reversal], cursor: null }, / -17 .* b, takes back a$/m],
      ["list --limit 1", { batch: [batch, batch], cursor: null }, /Showing the newest 1\. There are more/],
      ["status b", { batch: reversal, payout }, /, awaiting approval\n.*-17 PHASE.*\nTakes back +a\n/],
      ["status b", { batch: { ...batch, reversals }, payout }, /\nTaken back +17 by FIN.*\nTo be .* 17 by P/],
      ["status b --as payout", { payout }, /5 taken back, 12 to be taken back, 9 .*\n.*\n.* … and 7/],
    ] as const) {
      answer = () => ({ body: JSON.stringify({ success: true, ...body }) });
      const { stdout, stderr } = await run(words.split(" "), { POINT_BATCHES_URL: url });
      expect(stdout + stderr).toMatch(shown);
    }
  });

  test("cannot make a command read without end", async () => {
    const check = ["check", fileOf(rowsFrom(7400, 3)), ...TYPE];
    answer = () => ({ body: Buffer.alloc(40 * 1024 * 1024, " ") });
    for (const words of [check, ["list"], ["receipt", "x", wallet(1)]]) {
      await expectRun(words, 5, "The reply is larger than 32 MiB", { POINT_BATCHES_URL: url });
    }
  });

  test.each([["list"], ["check", "x.csv", ...TYPE], ["pay", "x.csv", ...TYPE, "--yes"]])(
    "with a password in its URL is refused, and the password is not printed: %s",
    async (...words) => {
      answer = () => ({ body: "{}" });
      for (const secret of [url.replace("//", "//me:s3cret@"), "ftp://me:s3cret@host", "me:s3cret@host"]) {
        const { code, stdout, stderr } = await run(words, { POINT_BATCHES_URL: secret });
        expect(code).toBe(2);
        expect(stdout + stderr).not.toContain("s3cret");
      }
    },
  );
});

describe("a file with errors", () => {
  const bad = () => fileOf(`${row(1, "1")}${row(2, "-1")}0x12,5\n${row(3, "0.4")}`);

  test("is not sent, and each error has its row, column and reason", async () => {
    const { code, stderr, stdout } = await run(["pay", bad(), ...TYPE, "--yes", "--id-prefix", "bad"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("3 of 4 rows have errors. Nothing was sent.");
    expect(stderr).toMatch(/^3 +amount +-1 +An amount cannot be negative\.$/m);
    expect(stderr).toMatch(/^4 +address +0x12 +Has 2 hex digits instead of 40/m);
    // The service's own minimum, not the default of 0.01.
    expect(stderr).toMatch(/^5 +amount +0\.4 +Below the minimum of 0\.5 points per transfer/m);
    expect(await idsOf("bad")).toEqual([]);
  });

  test("is checked without the service, with every error in --json and the rows in a report", async () => {
    const words = ["check", bad(), ...TYPE, "--report", "bad.csv"];
    const { code, json } = await runJson(words, { POINT_BATCHES_URL: "", POINT_BATCHES_TOKEN: "" });
    expect(code).toBe(1);
    expect(json).toMatchObject({
      success: false,
      exitCode: 1,
      rowCount: 4,
      badRows: 2,
      errors: [
        { line: 3, column: "amount", value: "-1", code: "invalid_points" },
        { line: 4, column: "address", value: "0x12", code: "invalid_address" },
      ],
    });
    expect(readFileSync(join(folder, "bad.csv"), "utf8")).toContain(",4,address: Has 2 hex digits");
  });

  test("whose amounts can be read in two ways is not guessed at: the options are named", async () => {
    const file = fileOf(`${wallet(1)},"1,234"\n${wallet(2)},"2,500"\n`);
    await expectRun(["check", file, ...TYPE], 1, '--number-format "1,234.56"   total 3,734');
    const said = "2 transfers, 3.734 PHASE2_POINTS, in 1 batch. No errors.";
    await expectRun(["check", file, ...TYPE, "--number-format", "1.234,56"], 0, said);
  });

  test("is paid with what the options decide, which the summary says", async () => {
    const file = fileOf(`${row(1, "1")}${row(1, "2")}"${wallet(2)} ",1.0000000000019\nTotal,9\n`);
    const decided = ["--duplicates", "add-up", "--fix", "form,decimals", "--leave-out-total"];
    const { stdout } = await expectRun(
      ["check", file, ...TYPE, ...decided],
      0,
      "2 transfers, 4.000000000001 PHASE2",
    );
    expect(stdout).toContain("1 row read as proposed (decimals): the total is lower by 0.0000000000009.");
    expect(stdout).toContain("1 row added to an earlier row of its address.");
    expect(stdout).toContain("Line 5 is left out. Its total is 9; the rows add up to 4.000000000001.");
  });
});

describe("exit codes", () => {
  test.each([
    ["a missing file", 1, ["check", "missing.csv", ...TYPE], {}, "No such file"],
    ["an unknown type", 2, ["check", "x.csv", "--type", "GOLD"], {}, "Allowed choices are PHASE2_POINTS"],
    ["an unknown command", 2, ["send"], {}, "unknown command"],
    ["no token", 2, ["list"], { POINT_BATCHES_TOKEN: "" }, "POINT_BATCHES_TOKEN"],
    ["no address of the service", 2, ["list"], { POINT_BATCHES_URL: "" }, "POINT_BATCHES_URL"],
    ["a wrong token", 3, ["list"], { POINT_BATCHES_TOKEN: "ptb_wrong" }, "invalid_token"],
    ["another contract's token", 3, ["list"], { POINT_BATCHES_CONTRACT: OTHER }, "wrong_contract"],
    ["no key", 2, ["login"], { POINT_BATCHES_OPERATOR_KEY: "0".repeat(64) }, "not a valid private key"],
    ["a batch that does not exist", 3, ["status", "none"], {}, "batch_not_found"],
  ])("%s: %i", async (_, code, words, environment, message) => {
    const result = await run(words, environment);
    expect(result).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(message) });
    expect(result.stderr).not.toMatch(/^ +at /m);
  });

  test("a refusal that nobody reads: 3", async () => {
    const { child, exited, ended } = start(["cancel", "none", "--json"]);
    child.stdout.destroy();
    await expect(ended).rejects.toThrow();
    expect(await exited).toBe(3);
  });

  test("no service: 5, and help: 0", async () => {
    const gone = createServer();
    const url = `http://127.0.0.1:${await listenLocally(gone)}`;
    await new Promise((resolve) => gone.close(resolve));
    await expectRun(pay(row(1), "--yes"), 5, "Nothing was sent.", { POINT_BATCHES_URL: url });
    await expectRun(["--help"], 0, "Exit codes:");
    expect((await run(["check", "--help"])).stdout).toMatch(/Files:.*JSON.*Columns:.*recipient.*reference/s);
  });
});

test("list, status and balances print JSON for programs", async () => {
  await world.client.submitBatch(batchOf("2"), { batchId: "shown" });
  const json = async (...words: string[]) => (await runJson(words)).json;
  expect(await json("list", "--limit", "2", "--status", "PENDING")).toHaveLength(2);
  expect(await json("status", "shown")).toMatchObject({
    id: "shown",
    status: "PENDING",
    transfers: [{ points: "2" }],
  });
  expect(await json("balances")).toEqual(await world.client.getBalances());
  expect((await run(["status", "shown"])).stdout).toContain("2 PHASE2_POINTS in 1 transfer");
});

test("status and cancel also take a payout, by what the IDs of its batches begin with", async () => {
  const words = pay(rowsFrom(6200, TRANSFERS_MAX + 1), "--yes", "--id-prefix", "whole");
  expect((await runJson(words)).json).toMatchObject({
    payoutId: "whole",
    batches: [{ batchId: "whole.001" }, { batchId: "whole.002" }],
  });
  const sum = "37215.00000000006";
  const { stdout } = await run(["status", "whole"]);
  expect(stdout).toContain("2: 2 pending");
  expect(stdout).toContain(`0 of ${formatAmount(sum)} PHASE2_POINTS`);
  await run(["cancel", "whole.001"]);
  const { stdout: partly } = await run(["status", "whole"]);
  expect(partly).toMatch(/ PHASE2_POINTS, [\d,.]+ not paid\n/);
  expect(partly).toMatch(/Not paid +[\d,.]+ in [\d,]+ transfers of whole\.001, cancelled\n/);
  const cancelled = await run(["cancel", "whole"]);
  expect(cancelled).toMatchObject({ code: 0, stdout: "Cancelled 1 batch of the payout whole.\n" });
  expect((await runJson(["cancel", "whole"])).json).toMatchObject({
    payouts: [{ payoutId: "whole", cancelled: 0, counts: { cancelled: 2 } }],
  });
  expect((await runJson(["status", "whole"])).json).toMatchObject({
    id: "whole",
    status: "CANCELLED",
    counts: { pending: 0, cancelled: 2 },
    amounts: [{ points: "0", cancelled: sum }],
    parts: [{ id: "whole.001" }, { id: "whole.002" }],
  });
  await expectRun(["cancel", "whole.003"], 3, "batch_not_found");
});

test("status and cancel take a file for the payout that pay made of it, and say which ID to give if there is none or are two", async () => {
  const file = fileOf(rowsFrom(6400, TRANSFERS_MAX + 1));
  await run(["pay", file, ...TYPE, "--yes"]);
  const ids = [(await planned(file)).replace(/\.001$/, "")];
  expect((await run(["status", file])).stdout).toContain(ids[0]);
  const cancelled = await run(["cancel", `./${file}`]);
  expect(cancelled.stdout).toBe(`Cancelled 2 batches of the payout ${ids[0]}.\n`);
  await run(["pay", file, "--type", "PHASE2_GOLD", "--yes"]);
  await expectRun(["status", file], 3, `Give the payout's ID instead: ${ids[0]} or`);

  const named = fileOf(rowsFrom(6500, 1));
  await run(["pay", named, ...TYPE, "--yes", "--id-prefix", "named"]);
  for (const command of ["status", "cancel"])
    await expectRun([command, named], 3, "give the payout's ID, which `pay` printed");
  expect((await run(["status", "named"])).stdout).toContain("1 pending");
});

test("status and cancel take an ID for what it names, although a file has the same name", async () => {
  const file = fileOf(rowsFrom(6600, TRANSFERS_MAX + 1));
  await run(["pay", file, ...TYPE, "--yes", "--id-prefix", file]);
  expect((await run(["status", file])).stdout).toContain("2 pending");
  await world.client.submitBatch(batchOf("1"), { batchId: "6610" });
  writeFileSync(join(folder, "6610"), "no payout");
  expect((await run(["cancel", "6610", file])).stdout).toBe(
    `Cancelled 1 of 1 batch.\nCancelled 2 batches of the payout ${file}.\n`,
  );
});

test("an ID that a batch and a payout have is cancelled only with --as, which status names", async () => {
  for (const batchId of ["march", "march.002"])
    await world.client.submitBatch(batchOf("1", { payoutId: "march" }), { batchId });
  await expectRun(["status", "march"], 0, "One has this ID too: add --as payout");
  await expectRun(["cancel", "march"], 3, "march is a batch, and a payout of 2 batches. Add --as batch or");
  await expectRun(["cancel", "march", "--as", "payout"], 0, "Cancelled 2 batches of the payout march.");
});

test("login signs in with an encrypted key, and stores the token for this user only", async () => {
  const key = "0x7a28b5ba57c53603b0b07b56bba752f7784bf506fa95edc395f5cf6c7514fe9d";
  const { address } = privateKeyToAccount(key);
  await world.app.ops(["contract", "operator", "--contract", OTHER, "--operator", address]);
  const salt = "ae3cd4e7013836a3df6bd7241b12db061dbe2c6785853cce422d148a624ce0bd";
  const crypto = {
    cipher: "aes-128-ctr",
    ciphertext: "801bc7c72aca4c8609cce1a9f4840bd377aecba5e2427f0d1322cb87ca0a7717",
    cipherparams: { iv: "6087dab2f9fdbbfaddc31a909735c1e6" },
    kdf: "scrypt",
    kdfparams: { dklen: 32, salt, n: 1024, r: 8, p: 1 },
    mac: "279663d9ca1eb711cad09fc16034d2f8e58344bb882dfcaf26b832ef709c11fb",
  };
  writeFileSync(join(folder, "operator.json"), JSON.stringify({ version: 3, crypto }));
  const environment = (password: string) => ({
    POINT_BATCHES_CONTRACT: OTHER,
    POINT_BATCHES_TOKEN: "",
    POINT_BATCHES_KEYSTORE_PASSWORD: password,
  });
  const login = ["login", "--keystore", "operator.json"];
  await expectRun(login, 1, "password", environment("wrong"));
  const another = { version: 3, crypto, address: CONTRACT.slice(2) };
  writeFileSync(join(folder, "another.json"), JSON.stringify(another));
  expect(await run(["login", "--keystore", "another.json"], environment("secret"))).toMatchObject({
    code: 1,
    stderr: `The keystore is damaged: it names ${CONTRACT.toLowerCase()}, but its key is of ${address}.\n`,
  });
  const { storedIn, operatorAddress } = (await runJson(login, environment("secret"))).json;
  expect(operatorAddress).toBe(address);
  expect(statSync(storedIn).mode & 0o777).toBe(0o600);
  await expectRun(["balances"], 0, "", environment(""));
  const { stdout } = await run([...login, "--print"], environment("secret"));
  const printed = { POINT_BATCHES_CONTRACT: OTHER, POINT_BATCHES_TOKEN: stdout.trim() };
  await expectRun(["list"], 0, "", printed);
});
