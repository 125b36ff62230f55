import { expect, test } from "vitest";
import { whyUnusual } from "@/terms/finding-text";
import { composeMessage, type SentAlert, slackText } from "./send-alerts";
import { type Group, type ShownBatch, wordsOf } from "./words";

const alert = (title: string, more: Partial<SentAlert> = {}): SentAlert => ({
  title,
  remedy: "Do this.",
  path: "/batches/0x1/p",
  severity: "critical",
  startedAt: "2026-01-31T12:03:59.000Z",
  clearedAt: null,
  ...more,
});
const CONSOLE = "https://points.example.com";

test("many alerts make one message of bounded length, which counts the others", () => {
  const started = Array.from({ length: 250 }, (_, place) => alert(`Alert ${place}`));
  const { subject, text } = composeMessage({ risen: [], started, ended: [] }, CONSOLE);
  expect(subject).toBe("[Alert] Alert 0 and 249 more");
  expect(text).toContain("• Alert 9 ");
  expect(text).not.toContain("Alert 10 ");
  expect(text).toContain("• and 240 more");
});

test("an alert says and links to what its card does", () => {
  const { text } = composeMessage({ risen: [], started: [alert("Unusual batch")], ended: [] }, CONSOLE);
  expect(text).toContain(
    "• Unusual batch (since 2026-01-31 12:03 UTC). Do this. https://points.example.com/batches/0x1/p\n",
  );
});

test("a label makes no mention and no link in Slack", () => {
  expect(slackText("<!channel> & <https://evil.example|click>")).toBe(
    "&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;",
  );
});

test("the name of a file adds no line to an alert", () => {
  const group = { kind: "approval", payoutId: "p", contract: Buffer.alloc(20), dueAt: alert("").startedAt };
  const shown = { label: "Shop", submittedBy: "staff:ann@example.com", fileName: "a.csv\r\n\nEnded:\n• b" };
  const { title } = wordsOf({ ...group, batchId: "p.1" } as Group, shown as ShownBatch);
  expect(title).toBe("Payout of Shop awaits approval: a.csv Ended: • b");
});

const PARTS = ["repeats", "total", "largestTransfer", "recipients", "share"];
test.each(PARTS)(
  "a stored review without its %s, as an earlier version wrote it, says what it has",
  (lacking) => {
    const amount = { points: "10", times: "80" };
    const odd = { level: "alarming", ...amount, percent: 90, total: 2, new: 1, batches: [{ id: "b" }] };
    const parts = PARTS.filter((name) => name !== lacking).map((name) => [name, odd]);
    expect(whyUnusual({ level: "alarming", ...Object.fromEntries(parts) }).split(". ")).toHaveLength(4);
  },
);
