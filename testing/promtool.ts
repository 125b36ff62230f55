import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const RULES = path.resolve("docs/alerts.yaml");
const MINUTES = 30;

export const alertNames = (): string[] =>
  [...readFileSync(RULES, "utf8").matchAll(/^\s+- alert: (\w+)$/gm)].map(([, name]) => name!);

/** The output of `promtool check rules`. */
export function checkRules(): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", RULES], { encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

/**
 * The alerts that fire if scrapes continue like this for half an hour: gauges stay as in `after`, and counters grow each
 * minute by the difference of the two.
 */
export function firingAlerts(before: string, after: string, up: 0 | 1 = 1): string[] {
  const earlier = readSamples(before);
  const series = [...readSamples(after)].map(([name, { value, isCounter }]) => {
    const from = isCounter ? (earlier.get(name)?.value ?? 0) : value;
    return { series: name, values: `${from}+${value - from}x${MINUTES}` };
  });
  series.push({ series: 'up{job="point-transfer-batches",instance="a"}', values: `${up}+0x${MINUTES}` });
  const dir = mkdtempSync(path.join(tmpdir(), "promtool-"));
  try {
    const file = path.join(dir, "alerts.test.yaml");
    writeFileSync(file, JSON.stringify(ruleTest(series)));
    const { stdout, stderr, error } = spawnSync("promtool", ["test", "rules", file], { encoding: "utf8" });
    if (error) throw error;
    const output = `${stdout}${stderr}`;
    const names = [...output.matchAll(/alertname:\s*(\w+)/g)].map(([, name]) => name!);
    if (names.length === 0 && !output.includes("SUCCESS")) throw new Error(output);
    return [...new Set(names)].sort();
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Expects nothing to fire, so the output names what does. YAML accepts JSON. */
function ruleTest(inputSeries: { series: string; values: string }[]) {
  return {
    rule_files: [RULES],
    evaluation_interval: "1m",
    tests: [
      {
        interval: "1m",
        input_series: inputSeries,
        alert_rule_test: alertNames().map((alertname) => ({
          eval_time: `${MINUTES}m`,
          alertname,
          exp_alerts: [],
        })),
      },
    ],
  };
}

function readSamples(text: string): Map<string, { value: number; isCounter: boolean }> {
  const counters = new Set<string>();
  const samples = new Map<string, { value: number; isCounter: boolean }>();
  for (const line of text.split("\n")) {
    const [, name, type] = /^# TYPE (\S+) (\w+)/.exec(line) ?? [];
    if (name && type !== "gauge") counters.add(name);
    if (line === "" || line.startsWith("#")) continue;
    const at = line.lastIndexOf(" ");
    const series = line.slice(0, at);
    const base = series.replace(/\{.*/, "").replace(/_(?:bucket|count|sum)$/, "");
    const isCounter = counters.has(base) || counters.has(series.replace(/\{.*/, ""));
    const value = Number(line.slice(at + 1));
    if (Number.isFinite(value)) samples.set(series, { value, isCounter });
  }
  return samples;
}
