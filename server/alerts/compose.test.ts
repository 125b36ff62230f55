import { expect, test } from "vitest";
import { composeMessage, type SentAlert, slackText } from "./send-alerts";

const alert = (title: string, more: Partial<SentAlert> = {}): SentAlert => ({
  title,
  remedy: "Do this.",
  severity: "critical",
  startedAt: "2026-01-31T12:03:59.000Z",
  clearedAt: null,
  ...more,
});
const CONSOLE = "https://points.example.com";

test("a message names each alert with its remedy and time, and links to the console", () => {
  const ended = alert("Batches are overdue", { clearedAt: "2026-01-31T12:20:00.000Z" });
  expect(
    composeMessage({ risen: [], started: [alert("No finalizer is running")], ended: [ended] }, CONSOLE),
  ).toEqual({
    subject: "[Alert] No finalizer is running",
    text: [
      "Started:\n• No finalizer is running (since 2026-01-31 12:03 UTC). Do this.",
      "Ended:\n• Batches are overdue (2026-01-31 12:03 to 2026-01-31 12:20 UTC)",
      "https://points.example.com/inbox",
    ].join("\n\n"),
  });
  expect(composeMessage({ risen: [], started: [], ended: [ended] }, CONSOLE).subject).toBe(
    "[Resolved] Batches are overdue",
  );
});

test("an alert that became critical comes before those that started, with a heading of its own", () => {
  const { subject, text } = composeMessage(
    { risen: [alert("Batches of Shop await approval")], started: [alert("Started")], ended: [] },
    CONSOLE,
  );
  expect(subject).toBe("[Alert] Batches of Shop await approval and 1 more");
  expect(text).toMatch(/^Now critical:\n• Batches of Shop await approval .*\n\nStarted:\n• Started /);
});

test("many alerts make one message of bounded length, which counts the others", () => {
  const started = Array.from({ length: 250 }, (_, place) => alert(`Alert ${place}`));
  const { subject, text } = composeMessage({ risen: [], started, ended: [] }, CONSOLE);
  expect(subject).toBe("[Alert] Alert 0 and 249 more");
  expect(text).toContain("• Alert 9 ");
  expect(text).not.toContain("Alert 10 ");
  expect(text).toContain("• and 240 more");
});

test("a label makes no mention and no link in Slack", () => {
  expect(slackText("<!channel> & <https://evil.example|click>")).toBe(
    "&lt;!channel&gt; &amp; &lt;https://evil.example|click&gt;",
  );
});
