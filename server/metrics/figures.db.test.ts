import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { recordBackup } from "@/server/backup/write-backup";
import { cancelBatch } from "@/server/batches/change/cancel-batch";
import { startMetrics } from "@/server/kernel/metrics/process-metrics";
import { runCheck } from "@/server/ledger/run-check";
import { withoutTriggers } from "@/testing/factories";
import { forgetSingles } from "@/testing/rest-request";
import { useLedger } from "@/testing/use-ledger";
import { answerMetrics, figureLines, readFigures } from "./answer-metrics";

const METRICS_TOKEN = "metrics-token-of-this-test";
beforeAll(() => void vi.stubEnv("METRICS_TOKEN", METRICS_TOKEN));
afterAll(() => vi.unstubAllEnvs());

const { db, context, useContract, submit, finalize } = useLedger({ serves: true, balances: false });
const contract = useContract();

const lines = async () => (await figureLines(await readFigures(db))).split("\n");

test("metrics require the token, and without one set they are not found, and the error says how to enable them", async () => {
  const ask = (authorization?: string) =>
    answerMetrics(
      new Request("http://service.test/metrics", { headers: authorization ? { authorization } : {} }),
    ).then(
      (reply) => reply.status,
      (error) => error.code,
    );
  expect(await ask(`Bearer ${METRICS_TOKEN}`)).toBe(200);
  expect(await ask()).toBe("missing_token");
  for (const wrong of ["something-else-entirely", process.env.CRON_SECRET])
    expect(await ask(`Bearer ${wrong}`)).toBe("invalid_token");
  vi.stubEnv("METRICS_TOKEN", undefined);
  forgetSingles();
  const found = answerMetrics(new Request("http://service.test/metrics", { headers: {} }));
  await expect(found).rejects.toThrow("Metrics are disabled. Set METRICS_TOKEN to enable them.");
});

test("the alert rules use only metrics that exist", async () => {
  const { registry } = await startMetrics();
  expect((await lines()).join()).not.toContain("ptb_backup_age_seconds");
  await recordBackup(context(), { takenAt: "2026-01-01T00:00:00.000Z", tables: 1, rows: 1 });
  const text = (await registry.metrics()) + (await lines()).join("\n");
  const rules = readFileSync("docs/alerts.yaml", "utf8").replaceAll(/ (?:summary|action): .*/g, "");
  const names = [...new Set(rules.match(/\bptb_\w+?(?=_bucket|_count|\b)/g))];
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([]);
});

const UNPACKED = path.resolve("node_modules/.cache/prometheus/usr/bin/promtool");
const PROMTOOL = [UNPACKED, "promtool"].find((name) => spawnSync(name, ["--version"]).status === 0);

const BUCKET = "ptb_http_request_duration_seconds_bucket";
const REQUESTS = "ptb_http_requests_total";
const JOB = 'job="point-transfer-batches"';
const RULES: [
  alert: string,
  every: string,
  series: Record<string, string>,
  fires: string | null,
  over: string,
][] = [
  ["ServiceDown", "1m", { [`up{${JOB}}`]: "1x5 0x20 1x20" }, "10m", "30m"],
  ["ServiceNotReady", "1m", { ptb_database_up: "1x5 0x20 1x20" }, "10m", "30m"],
  [
    "ServerErrors",
    "1m",
    { [`${REQUESTS}{status="500"}`]: "0x5 0+60x20 1200x30", [`${REQUESTS}{status="200"}`]: "0+60x60" },
    "20m",
    "50m",
  ],
  ...["1", "1.0"].map((le): (typeof RULES)[number] => [
    "SlowRequests",
    "1m",
    {
      [`${BUCKET}{le="${le}"}`]: "0x25 0+60x60",
      [`${BUCKET}{le="+Inf"}`]: "0+60x90",
      ptb_http_request_duration_seconds_count: "0+60x90",
    },
    "20m",
    "60m",
  ]),
  ["BackupOld", "1h", { ptb_backup_age_seconds: "0+3600x23 0+3600x100 0+3600x30" }, "100h", "140h"],
  ["BackupOld", "1h", { ptb_backup_age_seconds: "0+3600x200" }, null, "200h"],
  [
    "RateLimitedBurst",
    "1m",
    { 'ptb_rate_limited_total{policy="token"}': "0x5 0+120x20 2400x30" },
    "20m",
    "50m",
  ],
];

test.skipIf(!PROMTOOL).each(RULES)(
  "the alert %s, evaluated every %s with %j, fires at %s and has ended at %s",
  (...row) => {
    const [alert, interval, series, fires, over] = row;
    const expr = `sum(ALERTS{alertname="${alert}",alertstate="firing"})`;
    const at = (eval_time: string, isFiring: boolean) => ({
      expr,
      eval_time,
      exp_samples: isFiring ? [{ labels: "{}", value: 1 }] : [],
    });
    const input_series = Object.entries(series).map(([name, values]) => ({ series: name, values }));
    const promql_expr_test = [at("0m", false), ...(fires ? [at(fires, true)] : []), at(over, false)];
    const folder = mkdtempSync(path.join(tmpdir(), "rules-"));
    writeFileSync(
      path.join(folder, "test.yaml"),
      JSON.stringify({
        rule_files: [path.resolve("docs/alerts.yaml")],
        evaluation_interval: interval,
        tests: [{ interval, input_series, promql_expr_test }],
      }),
    );
    const { stdout, stderr } = spawnSync(PROMTOOL!, ["test", "rules", "test.yaml"], {
      cwd: folder,
      encoding: "utf8",
    });
    rmSync(folder, { recursive: true });
    expect(stdout + stderr).toMatch(/SUCCESS\s*$/);
  },
);

test("every alert rule has such a row", () => {
  const named = [...readFileSync("docs/alerts.yaml", "utf8").matchAll(/- alert: (\w+)/g)].map(
    ([, name]) => name,
  );
  expect(new Set(named)).toEqual(new Set(RULES.map(([name]) => name)));
});

describe("the database metrics", () => {
  test("count batches by status, and the totals settled", async () => {
    await submit(contract, [
      [1, "1"],
      [2, "1"],
    ]);
    await submit(contract, [[1, "1"]]);
    await finalize();
    await submit(contract, [[1, "1"]]);
    await finalize();
    await submit(contract, [[1, "1"]], { secondsToFinalize: 60 });
    const batchId = await submit(contract, [[1, "1"]], { secondsToFinalize: 60 });
    await cancelBatch(context(), { contractAddress: contract, batchId });
    expect(await lines()).toEqual(
      expect.arrayContaining([
        'ptb_batches{status="PENDING"} 1',
        'ptb_batches{status="FINALIZED"} 3',
        'ptb_batches{status="CANCELLED"} 1',
        "ptb_settled_batches_total 3",
        "ptb_settled_transfers_total 4",
        "ptb_database_up 1",
      ]),
    );
    expect((await readFigures(db)).ptb_finalizer_last_tick_seconds).toBeLessThan(60);
  });

  test("show how overdue the oldest due batch is, and the finalizing delay of runs", async () => {
    await withoutTriggers(
      db,
      "update batches set finalize_at = now() - interval '5 minutes', created_at = now() - interval '6 minutes' where status = 'PENDING'",
    );
    expect((await readFigures(db)).ptb_oldest_overdue_seconds).toBeGreaterThanOrEqual(300);
    await finalize();
    const figures = await readFigures(db);
    expect(figures.ptb_oldest_overdue_seconds).toBe(0);
    expect(figures.ptb_finalizer_lag_seconds).toBeGreaterThanOrEqual(300);
  });

  test("show the result of the last ledger check", async () => {
    await runCheck(db, { startedBy: "test", secondsMax: 30, checks: {} });
    const passed = { ptb_ledger_check_ok: 1, ptb_ledger_check_completed: 1, ptb_ledger_check_findings: 0 };
    expect(await readFigures(db)).toMatchObject(passed);
    await withoutTriggers(db, "update accounts set received = received + 1 where received > 0");
    await runCheck(db, { startedBy: "test", secondsMax: 30, checks: {} });
    expect(await lines()).toEqual(
      expect.arrayContaining(["ptb_ledger_check_ok 0", "ptb_ledger_check_completed 1"]),
    );
    const { ptb_ledger_check_age_seconds: age, ...figures } = await readFigures(db);
    expect(figures.ptb_ledger_check_findings).toBeGreaterThan(0);
    expect(figures.ptb_ledger_check_good_age_seconds).toBeGreaterThanOrEqual(age as number);
  });
});
