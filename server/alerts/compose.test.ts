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

test("a message names each alert with its remedy and time, what became critical first, and links to the console", () => {
  const ended = alert("Batches are overdue", { clearedAt: "2026-01-31T12:20:00.000Z" });
  expect(
    composeMessage(
      { risen: [alert("Shop awaits")], started: [alert("No finalizer is running")], ended: [ended] },
      CONSOLE,
    ),
  ).toEqual({
    subject: "[Alert] Shop awaits and 1 more",
    text: [
      "Now critical:\n• Shop awaits (since 2026-01-31 12:03 UTC). Do this.",
      "Started:\n• No finalizer is running (since 2026-01-31 12:03 UTC). Do this.",
      "Ended:\n• Batches are overdue (2026-01-31 12:03 to 2026-01-31 12:20 UTC)",
      "https://points.example.com/inbox",
    ].join("\n\n"),
  });
  expect(composeMessage({ risen: [], started: [], ended: [ended] }, CONSOLE).subject).toBe(
    "[Resolved] Batches are overdue",
  );
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
