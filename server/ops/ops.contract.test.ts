import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { createDatabase } from "@/db/client";
import { nextAddress, setRule } from "@/testing/factories";
import { useBuiltApp } from "@/testing/test-database";

const CONTRACT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TOKEN = ["token", "create", "--contract", CONTRACT, "--name", "t"];

const app = useBuiltApp();
beforeAll(async () => {
  await app.ops(["contract", "create", "--address", CONTRACT, "--label", "One", "--issuance", "PREFUNDED"]);
});

const failure = async (words: string[], standardInput?: string) => {
  const error = await app.ops(words, standardInput).then(
    () => new Error("it did not fail"),
    (caught: Error) => caught,
  );
  return error.message.replace(/^ops .*?: /, "").trim();
};

describe("the CLI, while the service is running,", () => {
  test("disables a team member, and prints a link with which one sets a new password", async () => {
    await app.ops(
      ["user", "create", "--email", "left@example.com", "--role", "viewer"],
      "correct horse battery\n",
    );
    const email = ["--email", "Left@example.com"];
    expect(await app.ops(["user", "disable", ...email])).toContain(
      "left@example.com cannot sign in any more.",
    );
    expect(await failure(["user", "reset-password", ...email])).toMatch(/is disabled\. Enable them first\.$/);
    await app.ops(["user", "enable", ...email]);
    const [link] = (await app.ops(["user", "reset-password", ...email])).split("\n");
    expect(link).toMatch(/^http:\/\/localhost:\d+\/welcome#[\w-]{43}$/);
    expect(await failure(["user", "disable", "--email", app.admin.email])).toContain("admin");
    expect(await failure(["user", "disable", "--email", "nobody@example.com"])).toBe(
      "No team member has the email nobody@example.com.",
    );
  });

  test.each([
    [["finalize"], "Finalized 0 batches"],
    [["verify-ledger"], "The ledger balances"],
    [["verify-ledger", "--chain"], "The chain matches the history"],
    [["migrate"], "The schema is current."],
    [["doctor"], "ok    schema: current"],
    [TOKEN, "It can read and submit batches (scopes batches:read, batches:write)."],
    [
      [...TOKEN, "--scopes", "batches:read", "--expires", "2099-01-01T00:00:00Z"],
      "It can read batches until 2099-01-01T00:00:00.000Z (scope batches:read).",
    ],
  ])("reports the result of %j", async (words, said) => {
    expect(await app.ops(words)).toContain(said);
  });

  test("is refused where an approval rule asks for a second admin", async () => {
    const address = nextAddress();
    await app.ops(["contract", "create", "--address", address, "--label", "Two", "--issuance", "PREFUNDED"]);
    const db = createDatabase({ url: app.databaseUrl(), poolMax: 1, timeoutSeconds: 10, pooler: "none" });
    await setRule(db, address, { threshold: "10" });
    await db.close();
    for (const words of [
      ["points", "grant", "--type", "PHASE2_POINTS", "--amount", "10"],
      ["contract", "operator", "--operator", CONTRACT],
    ])
      expect(await failure([...words, "--contract", address])).toContain(
        "a second admin must approve this change. Propose it on the contract's page in the console.",
      );
  });

  test.each([
    [["token", "create", "--contract", `0x${"7".repeat(40)}`, "--name", "t"], /is not registered\.$/],
    [
      ["token", "create", "--contract", CONTRACT, "--name", "t", "--scopes", "all"],
      /must be a comma-separated list of/,
    ],
    [["points", "grant", "--contract", CONTRACT, "--type", "GOLD", "--amount", "1"], /Allowed choices/],
    [["distribute"], /^The citus extension is not installed in this database\. Nothing was changed\./],
    [
      ["backup", "--to", "/tmp/no-such-folder/a.gz"],
      /^Cannot write .*: its folder does not exist \(ENOENT\)\.$/,
    ],
  ])("prints one clear line when %j fails", async (words, line) => {
    const said = await failure(words);
    expect(said).toMatch(line);
    expect(said.split("\n")).toHaveLength(1);
  });

  test("leaves no file of a backup that SIGTERM stops", async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "stopped-backup-"));
    const db = createDatabase({ url: app.databaseUrl(), poolMax: 1, timeoutSeconds: 60, pooler: "none" });
    await db.sql.begin(async (tx) => {
      await tx`lock table ledger_days in access exclusive mode`;
      const child = spawn(process.execPath, ["dist/ops.mjs", "backup", "--to", path.join(folder, "a.gz")], {
        env: { ...process.env, DATABASE_URL: app.databaseUrl() },
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
    await db.close();
  });
});
