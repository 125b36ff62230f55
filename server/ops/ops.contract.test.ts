import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createDatabase, type Database } from "@/db/client";
import { batchOf, finalize, newPerson, nextAddress, setRule, submit, wallet } from "@/testing/factories";
import { forgetSingles } from "@/testing/rest-request";
import { useBuiltApp } from "@/testing/test-database";
import { addAllocationCommands } from "./allocation-commands";
import { addContractCommands } from "./contract-commands";
import { addServiceCommands } from "./service-commands";
import { addSnapshotCommands } from "./snapshot-commands";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const ROWS = [
  [1, "10.5"],
  [2, "2"],
  [3, "0.25"],
] as const;
const TOKEN = ["token", "create", "--contract", CONTRACT, "--name", "t"];

const app = useBuiltApp();
let db: Database;
beforeAll(async () => {
  vi.stubEnv("DATABASE_URL", app.databaseUrl());
  for (const name of ["AUTH_SECRET", "CRON_SECRET"]) vi.stubEnv(name, `${name}-of-this-run`);
  forgetSingles();
  db = createDatabase({ url: app.databaseUrl(), poolMax: 1, timeoutSeconds: 60, pooler: "none" });
  // As a process of its own.
  await app.ops(["contract", "create", "--address", CONTRACT, "--label", "One", "--issuance", "PREFUNDED"]);
});
afterAll(async () => {
  await db?.close();
  vi.unstubAllEnvs();
  forgetSingles();
  process.exitCode = undefined;
});

/** What a command prints, in this process. */
async function ops(...words: string[]): Promise<{ out: string; error: string; failed: boolean }> {
  const printed = { out: "", error: "" };
  const spies = (["out", "error"] as const).map((name) =>
    vi.spyOn(name === "out" ? process.stdout : process.stderr, "write").mockImplementation((chunk) => {
      printed[name] += chunk;
      return true;
    }),
  );
  process.exitCode = undefined;
  const program = new Command("ops").option("--json").exitOverride();
  for (const add of [addContractCommands, addServiceCommands, addSnapshotCommands, addAllocationCommands])
    add(program);
  const ended = await program.parseAsync(words, { from: "user" }).then(
    () => process.exitCode,
    (exit: { exitCode: number }) => exit.exitCode,
  );
  for (const spy of spies) spy.mockRestore();
  process.exitCode = undefined;
  return { ...printed, failed: Boolean(ended) };
}

test("the command line disables a team member, and prints a link with which one sets a new password", async () => {
  await newPerson(db, { email: "left@example.com", role: "viewer", password: "correct horse battery" });
  const email = ["--email", "Left@example.com"];
  expect((await ops("user", "disable", ...email)).out).toContain("left@example.com cannot sign in any more.");
  expect((await ops("user", "reset-password", ...email)).error).toMatch(/is disabled\. Enable them/);
  await ops("user", "enable", ...email);
  const [link] = (await ops("user", "reset-password", ...email)).out.split("\n");
  expect(link).toMatch(/^http:\/\/localhost:\d+\/welcome#[\w-]{43}$/);
  expect((await ops("user", "disable", "--email", app.admin.email)).error).toContain("admin");
});

test.each([
  [["finalize"], "Finalized 0 batches"],
  [["verify-ledger"], "The ledger balances"],
  [["migrate"], "The schema is current."],
  [["doctor"], "ok    schema: current"],
  [["token", "create", "--help"], "--expires"],
  [TOKEN, "It can read and submit batches (scopes batches:read, batches:write)."],
  [
    [...TOKEN, "--scopes", "batches:read", "--expires", "2099-01-01T00:00:00Z"],
    "It can read batches until 2099-01-01T00:00:00.000Z (scope batches:read).",
  ],
])("the command line, while the service is running, reports the result of %j", async (words, said) => {
  expect(await ops(...words)).toMatchObject({ out: expect.stringContaining(said), error: "", failed: false });
});

test.each([
  [["contract", "create", "--address", CONTRACT, "--label", "Again"], /is already registered\.$/],
  [["token", "create", "--contract", `0x${"7".repeat(40)}`, "--name", "t"], /is not registered\.$/],
  [[...TOKEN, "--scopes", "all"], /must be a comma-separated list of/],
  [["points", "grant", "--contract", CONTRACT, "--type", "GOLD", "--amount", "1"], /Allowed choices/],
  [["user", "disable", "--email", "no@example.com"], /^No team member has the email no@example.com\.$/],
  [["distribute"], /^The citus extension is not installed in this database\. Nothing was changed\./],
  [["nothing"], /unknown command/],
  [["backup", "--to", "/tmp/none/a.gz"], /^Cannot write .*: its folder does not exist \(ENOENT\)\.$/],
])("the command line prints one clear line when %j fails", async (words, line) => {
  const { out, error, failed } = await ops(...words);
  expect([out, failed]).toEqual(["", true]);
  expect(error.trimEnd()).toMatch(line);
  expect(error.trimEnd()).not.toContain("\n");
});

test("the command line takes a snapshot, shows how it adds up, lists it and deletes it", async () => {
  const address = nextAddress();
  const { out } = await ops("contract", "create", "--address", address, "--label", "Held");
  expect(out).toContain("(ON_DEMAND). It can spend without limit.");
  const take = ["snapshot", "take", "--type", "PHASE2_POINTS", "--contract", address];
  expect((await ops(...take)).error).toMatch(/before the first batch, and there is none\.$/m);
  await submit(db, batchOf(address, ROWS, { secondsToFinalize: 0 }));
  await finalize(db);
  const taken = await ops(...take, "--name", "Season 1");
  expect(taken).toMatchObject({ error: "", failed: false });
  expect(taken.out).toMatch(
    /TAKEN {2}PHASE2_POINTS as of .*“Season 1”\n12\.75 held by 3 \+ 0 left out = 12\.75, the ledger's total\ndigest [0-9a-f]{64}\n$/,
  );
  expect((await ops(...take, "--as-of", "2999-01-01")).error).toMatch(/must not be in the future\.$/m);
  expect((await ops(...take, "--as-of", "soon")).error).toMatch(/must be an ISO 8601 time/);
  const [id] = taken.out.split(" ");
  expect((await ops("snapshot", "list")).out).toContain(id);
  expect((await ops("snapshot", "delete", "--id", id!)).out).toBe(`Deleted snapshot ${id}.\n`);
  expect((await ops("snapshot", "list")).out).toBe("There are no snapshots.\n");
  expect((await ops("snapshot", "delete", "--id", id!)).error).toMatch(/^There is no snapshot /);
});

test("the command line makes an allocation, lists, publishes and writes it, and deletes another one", async () => {
  const address = nextAddress();
  await ops("contract", "create", "--address", address, "--label", "Dropped");
  await submit(db, batchOf(address, ROWS, { secondsToFinalize: 0 }));
  await finalize(db);
  const taken = await ops("snapshot", "take", "--type", "PHASE2_POINTS", "--contract", address);
  const [snapshot] = taken.out.split(" ");
  expect((await ops("allocation", "list")).out).toBe("There are no allocations.\n");
  const folder = mkdtempSync(path.join(tmpdir(), "allocation-"));
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const make = ["allocation", "make", "--snapshot", snapshot!, "--name", "Drop 1", "--decimals", "6"];
  const refused: [string[], RegExp][] = [
    [[], /^Give either --total or --rate\.$/m],
    [
      ["--total", "1.0000001"],
      /^--total must be a number of tokens .* with at most 6 decimals\. It is 1\.0000001\.$/m,
    ],
    [["--total", "0"], /^--total must be a number of tokens above 0/m],
    [["--total", "1", "--minimum", "1e3"], /^--minimum must be a number of tokens/m],
    [["--rate", "1e3"], /must be a decimal string above 0/],
    [["--total", "1", "--rate", "1"], /cannot be used with/],
    [["--total", "1", "--exclude", path.join(folder, "none")], /^Cannot read .*none \(ENOENT\)\.$/m],
    [
      ["--total", "1", "--exclude", file("bad.txt", `${wallet(1)}\n\n0x12\n`)],
      /^Line 3 of .*bad\.txt: .*\.$/m,
    ],
    [["--rate", "0.00000001"], /Everybody's share is below the minimum/],
    [["--total", "1", "--payer", "PHASE2_GOLD", "--minimum", "0.0000001"], /^--minimum must be a number/m],
  ];
  for (const [words, reason] of refused) {
    const reply = await ops(...make, ...words);
    expect([reply.failed, reply.out + reply.error]).toEqual([true, expect.stringMatching(reason)]);
  }
  const excluded = file("excluded.txt", `\ufeff${wallet(3)}\r\n\r\n${wallet(77)}`);
  const made = await ops(...make, "--total", "1000", "--minimum", "0.5", "--exclude", excluded);
  expect(made).toMatchObject({ error: "", failed: false });
  expect(made.out).toMatch(
    /READY {2}“Drop 1”\n1000 tokens in 2 claims; 1 holder gets nothing; 2 addresses are left out\nsmallest 160, median 160, largest 840, .*\nroot for openzeppelin: 0x[0-9a-f]{64}\n(?:.*\n){2}Excluded, but without points: 0x0*4D\n$/,
  );
  const [id] = made.out.split(" ");
  const out = path.join(folder, "claims.json");
  expect((await ops("allocation", "file", "--id", id!, "--form", "openzeppelin", "--out", out)).out).toBe(
    `Wrote ${out}, with amounts in base units.\n`,
  );
  expect(made.out).toContain(JSON.parse(readFileSync(out, "utf8")).tree[0]);
  const again = await ops("allocation", "file", "--id", id!, "--form", "human", "--out", out);
  expect(again.error).toMatch(/already exists\. Choose another file name\.$/m);
  expect((await ops("allocation", "publish", "--id", id!)).out).toContain("PUBLISHED");
  expect((await ops("allocation", "publish", "--id", id!)).error).toMatch(/^ops has published/m);
  expect((await ops("allocation", "delete", "--id", id!)).error).toMatch(/^The allocation is published/m);
  expect((await ops("snapshot", "delete", "--id", snapshot!)).error).toMatch(/needs this snapshot/);
  expect((await ops(...make, "--rate", "0.5")).error).toMatch(/^The snapshot already has .* “Drop 1”\./m);
  const other = await ops(...make, "--rate", "0.5", "--name", "Drop 2", "--payer", "SAFE", "--decimals", "0");
  expect(other.out).toMatch(/6 tokens in 2 claims; 1 holder gets nothing.*\n.*, lost by rounding down /);
  const [second] = other.out.split(" ");
  expect((await ops("allocation", "delete", "--id", second!)).out).toBe(`Deleted allocation ${second}.\n`);
  const listed = await ops("allocation", "list", "--snapshot", snapshot!);
  expect(listed.out).toContain(`${id}  PUBLISHED`);
  rmSync(folder, { recursive: true });
});

test("the command line is refused where an approval rule asks for a second admin", async () => {
  const address = nextAddress();
  await ops("contract", "create", "--address", address, "--label", "Two", "--issuance", "PREFUNDED");
  await setRule(db, address, { threshold: "10" });
  for (const words of [
    ["points", "grant", "--type", "PHASE2_POINTS", "--amount", "10"],
    ["contract", "operator", "--operator", CONTRACT],
  ])
    expect((await ops(...words, "--contract", address)).error).toContain(
      "a second admin must approve this change. Propose it on the contract's page in the console.",
    );
});

test("a process of the command line fails with its line, and one that SIGTERM stops leaves no file of its backup", async () => {
  await expect(app.ops(["points", "grant", "--contract", CONTRACT])).rejects.toThrow("required option");
  const env = { ...process.env, DATABASE_URL: app.databaseUrl() };
  const unread = spawn(process.execPath, ["dist/ops.mjs", ...TOKEN], { env });
  unread.stdout.destroy();
  expect(await text(unread.stderr)).toMatch(/^Done, but the result cannot be written.*\n.*ID [\da-f-]{36}\)/);
  const folder = mkdtempSync(path.join(tmpdir(), "stopped-backup-"));
  await db.sql.begin(async (tx) => {
    await tx`lock table finalizer_runs in access exclusive mode`;
    const child = spawn(process.execPath, ["dist/ops.mjs", "backup", "--to", path.join(folder, "a.gz")], {
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    const ended = once(child, "close");
    const said = text(child.stderr);
    while (readdirSync(folder).length === 0) await sleep(20);
    child.kill("SIGTERM");
    expect(await ended).toEqual([143, null]);
    expect(await said).toBe("Stopped by SIGTERM.\n");
  });
  expect(readdirSync(folder)).toEqual([]);
  rmSync(folder, { recursive: true });
});
