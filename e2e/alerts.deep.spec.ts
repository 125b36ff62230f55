import { expect, type Page } from "@playwright/test";
import { withSql } from "@/testing/citus/make-database";
import { shifted } from "@/testing/factories";
import { appPort, type BuiltApp, newContractToken, startBuiltApp } from "@/testing/launch-app";
import { type MailSink, type Receiver, startMailSink, startReceiver } from "@/testing/local-servers";
import { expectNoViolation } from "./axe";
import { dropSession, setPassword, signInByForm, submit, test } from "./journey";
import { CONTRACT } from "./people";

/** Nothing is finalized in it except by "Run now". */
let app: BuiltApp;
let receiver: Receiver;
let sink: MailSink;
let token: string;
test.beforeAll(async () => {
  receiver = await startReceiver();
  sink = await startMailSink();
  const port = await appPort();
  app = await startBuiltApp({
    port,
    environment: {
      FINALIZER: "off",
      MINIMUM_FINALIZE_SECONDS: "1",
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ALERT_WEBHOOK_URL: `${receiver.url}/secret-of-the-webhook`,
      SMTP_URL: sink.url,
      MAIL_FROM: "Points <points@example.com>",
      ALERT_EMAIL_TO: "ops@example.com",
    },
  });
  token = await newContractToken(app, CONTRACT);
});
test.afterAll(async () => {
  await app?.stop();
  await receiver?.close();
  await sink?.close();
});
test.describe.configure({ mode: "serial" });
test.use({ reducedMotion: "reduce" });

/** The service looks for alerts every 15 seconds, and a page asks more often. */
const NOTICED = { timeout: 60_000 };
/** Messages are a minute apart at least. */
const SENT = { timeout: 150_000 };

/** A batch that has been due for 90 s. */
async function makeOverdueBatch(page: Page): Promise<void> {
  const contract = { address: CONTRACT, token, origin: app.url };
  await submit(page.request, { id: "late", transfers: 1, contract });
  const earlier = ["created_at", "finalize_at"].map((column) => `${column} = ${shifted(column, -3690)}`);
  // A trigger keeps these times from changing.
  const change = `alter table batches disable trigger batches_legal_change;
    update batches set ${earlier.join(", ")} where id = 'late';
    alter table batches enable trigger batches_legal_change`;
  await withSql(app.databaseUrl(), (sql) => sql.unsafe(change));
}

const banner = (page: Page) => page.getByRole("status", { name: "Alerts", exact: true });
const list = (page: Page) => page.getByRole("list", { name: "Alerts" });
const rowOf = (page: Page, title: string) => list(page).getByRole("listitem").filter({ hasText: title });

test("an overdue batch shows in banner, title and inbox until it is finalized", async ({ page }) => {
  test.setTimeout(480_000);
  await makeOverdueBatch(page);
  await signInByForm(page, app.admin, "/batches", app.url);
  await expect(banner(page)).toContainText("No finalizer is running", NOTICED);
  await expect(banner(page)).toContainText("call the cron route", NOTICED);
  await expect(banner(page).getByRole("link", { name: "and 1 more" })).toBeVisible(NOTICED);
  await expect(page).toHaveTitle("(2) Batches · Point transfer batches", NOTICED);
  const room = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Alerts/ });
  await expect(room).toHaveText("Alerts2 not seen");
  await expectNoViolation(page);
  await banner(page).getByRole("link", { name: "and 1 more" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Alerts" })).toBeVisible();
  await expect(banner(page)).toBeEmpty();
  const late = rowOf(page, "Batches are overdue");
  await expect(late).toContainText("Critical");
  await expect(late).toContainText("Operators can use “Run now”");
  await expect(page.getByRole("main").getByRole("link", { name: "1 overdue" })).toBeVisible();
  await late.getByRole("button", { name: "Mark as seen" }).click();
  await expect(late).toContainText(`Seen by ${app.admin.email}`);
  await expect(late.getByRole("button", { name: "Mark as seen" })).toHaveCount(0);
  await expect(page).toHaveTitle("(1) Alerts · Point transfer batches");
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveTitle("(2) Alerts · Point transfer batches");
  // Critical ones are marked one by one.
  await expect(page.getByRole("button", { name: /^Mark (?:all|\d+) as seen/ })).toHaveCount(0);
  for (const title of ["Batches are overdue", "No finalizer is running"])
    await rowOf(page, title).getByRole("button", { name: "Mark as seen" }).click();
  await expect(page).toHaveTitle("Alerts · Point transfer batches");
  await expect(room).toHaveText("Alerts");
  await expectNoViolation(page, ["light", "dark"]);
  // Seen is not solved.
  for (const path of ["/batches", "/operations"]) {
    await page.goto(`${app.url}${path}`);
    const line = page.getByRole("main").getByRole("paragraph").filter({ hasText: "1 overdue, 2 critical" });
    await expect(line).toBeVisible();
    await expect(page.getByText("Nothing needs you.")).toHaveCount(0);
    await line.getByRole("link", { name: "2 critical" }).click();
    await expect(page.getByText("Critical", { exact: true })).toHaveCount(2);
  }

  // Each is sent once, in one message or two.
  await expect
    .poll(() => receiver.received.map(({ body }) => body).join(), SENT)
    .toMatch(/(?=.*Batches are overdue).*No finalizer is running/s);
  await rowOf(page, "Batches are overdue").getByRole("link").click();
  await expect(page).toHaveURL(/\/batches\?status=OVERDUE/);
  await page.goto(`${app.url}/inbox`);
  await late.getByRole("button", { name: "Run now" }).click();
  await expect(late).toHaveCount(0);
  await page.getByRole("link", { name: "Ended" }).click();
  await expect(page.getByRole("list", { name: "Ended alerts" })).toContainText(
    "No batch was overdue any more.",
    NOTICED,
  );
  const texts = receiver.received.map(({ body }) => body);
  expect(texts.filter((text) => text.includes("• Batches are overdue"))).toHaveLength(1);
  expect(texts.filter((text) => text.includes("• No finalizer is running"))).toHaveLength(1);

  const webhook = page.getByRole("listitem").filter({ hasText: "Slack-compatible webhook" });
  receiver.answerWith((response) => response.writeHead(404).end("no_service"));
  await webhook.getByRole("button").click();
  await expect(webhook).toContainText("Not sent. HTTP 404 no_service");
  receiver.answerWith((response) => response.writeHead(200).end("ok"));
  const email = page.getByRole("listitem").filter({ hasText: "ops@example.com" });
  await email.getByRole("button").click();
  await expect(email).toContainText("Sent. Response: 250 2.0.0 OK: queued as SINK");
  await expect(page.locator("main")).not.toContainText("secret-of-the-webhook");
});

test("an invitation and a reset of the password arrive by email, and work once", async ({ page }) => {
  const email = "new@example.com";
  await signInByForm(page, app.admin, "/access", app.url);
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Create invitation" }).click();
  await expect(page.getByText(`The link was sent to ${email} by email.`)).toBeVisible();
  await page.getByRole("button", { name: "Done" }).click();
  const linkTo = async (subject: RegExp) => {
    await expect
      .poll(() => sink.mails.some((mail) => mail.to[0] === email && subject.test(mail.subject)))
      .toBe(true);
    const mail = sink.mails.find((one) => one.to[0] === email && subject.test(one.subject))!;
    return /http:\S+welcome#\S+/.exec(mail.text)![0];
  };
  await dropSession(page);
  await setPassword(page, await linkTo(/invited/), "an invitation was here");

  await dropSession(page);
  await page.goto(`${app.url}/sign-in`);
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByRole("button", { name: "Send link" })).toBeVisible();
  await expectNoViolation(page);
  for (const asked of ["stranger@example.com", email]) {
    await page.goto(`${app.url}/forgot-password`);
    await page.getByLabel("Email").fill(asked);
    await page.getByRole("button", { name: "Send link" }).click();
    await expect(page.getByRole("status")).toContainText(`If ${asked} belongs to a team member`);
  }
  const reset = await linkTo(/Reset/);
  expect(sink.mails.filter(({ to }) => to[0] === "stranger@example.com")).toEqual([]);
  await setPassword(page, reset, "a new one that is long");
});
