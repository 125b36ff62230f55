import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  auth,
  batchPath,
  clipboardOf,
  decide,
  dropSession,
  expectFits,
  newPrefix,
  signIn,
  signInByForm,
  submit,
  test,
  walletOf,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

test("a batch becomes FINALIZED by itself, on its page and in the list", async ({
  page,
  context,
  request,
}) => {
  const id = `${newPrefix("watch")}1`;
  await signIn(page, ADMIN, `/batches?id=${id}`);
  await submit(request, { id, seconds: 8, transfers: 40 });
  await page.reload();
  const row = page.getByRole("row", { name: id });
  await expect(row).toBeVisible();
  const alone = await context.newPage();
  await alone.goto(batchPath(id));
  await expect(alone.getByText("Finalized, recipients credited")).toBeVisible();
  await expect(alone.getByRole("button", { name: "Cancel batch…" })).toHaveCount(0);
  await page.bringToFront();
  await expect(row.getByText("Finalized")).toBeVisible();
});

test("references are in the table of transfers, on a phone too", async ({ page, request }) => {
  const id = `${newPrefix("paid-for")}1`;
  const longest = `${id}:${"w".repeat(63 - id.length)}`;
  await submit(request, {
    id,
    rows: [
      [walletOf(1), "1"],
      [walletOf(2), "2", longest],
    ],
  });
  await signIn(page, ADMIN, batchPath(id));
  const table = page.getByRole("region", { name: "Batch transfers" });
  await expect(table.getByRole("columnheader", { name: "Reference" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Search transfers by address, label or reference" }).fill(":WWW");
  await expect(table.getByRole("row")).toHaveCount(2);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(table.getByText(longest)).toBeVisible();
    await expectFits(page);
  }
});

test("a pending batch is cancelled with a reason, but not without a network", async ({ page, request }) => {
  const id = `${newPrefix("cancel")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, `/batches?id=${id}`);
  await page.getByRole("link", { name: id }).click();
  const sheet = page.getByRole("dialog", { name: "Batch" });
  const cancel = sheet.getByRole("button", { name: "Cancel batch…" });
  await cancel.click();
  const question = page.getByRole("dialog", { name: "Cancel this batch?" });
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(question.getByText("Enter a reason of at least 3 characters.")).toBeVisible();
  await expect(question.getByLabel("Reason")).toBeFocused();
  await question.getByLabel("Reason").fill("Wrong list");
  await page.context().setOffline(true);
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(question.getByRole("alert")).toContainText("Cannot reach the service");
  await question.getByRole("button", { name: "Not now" }).click();
  await expect(cancel).toBeFocused();
  await page.context().setOffline(false);

  await page.reload();
  await decide(page, "Cancel batch", "Cancel this batch?", "Wrong list of recipients");
  const notice = page.locator("[data-sonner-toast]");
  await expect(notice).toBeVisible();
  // Without its styles, which the content security policy could refuse, it would be at the end of the page.
  expect(await notice.evaluate((element) => getComputedStyle(element).position)).toBe("absolute");
  await expect(sheet.getByText("“Wrong list of recipients”")).toBeVisible();
  await expect(sheet.getByText(ADMIN.email, { exact: true })).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Cancel batch…" })).toHaveCount(0);
  await expect(page.getByRole("row", { name: id }).getByText("Cancelled")).toBeVisible();
});

test("a reason that was typed is there after the session has ended, unless its dialog was closed or somebody else signed in", async ({
  page,
  request,
}) => {
  const id = `${newPrefix("draft")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, batchPath(id));
  const cancel = page.getByRole("button", { name: "Cancel batch…" });
  const reason = page.getByLabel("Reason");
  await cancel.click();
  await reason.fill("Wrong list of recipients");
  await page.context().clearCookies();
  await expect(page.getByText("Your session has ended.")).toBeVisible();
  await signInByForm(page, ADMIN, batchPath(id));
  await page.getByRole("button", { name: "Put on hold…" }).click();
  await expect(reason).toHaveValue("");
  await page.getByRole("button", { name: "Not now" }).click();
  await cancel.click();
  await expect(reason).toHaveValue("Wrong list of recipients");
  await page.keyboard.press("Escape");
  await expect(cancel).toBeFocused();
  await cancel.click();
  await expect(reason).toHaveValue("");
  await reason.fill("Only for me");
  for (const person of [VIEWER, ADMIN]) {
    await dropSession(page);
    await signInByForm(page, person, batchPath(id));
  }
  await cancel.click();
  await expect(reason).toHaveValue("");
});

test("a batch is put on hold and released, unless somebody was faster", async ({ page, request }) => {
  const id = `${newPrefix("hold")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, batchPath(id));
  await expect(page.getByRole("region", { name: "Review" })).toContainText("The total is 7.5");
  await decide(page, "Put on hold", "Put this batch on hold?", "Amounts to be checked");
  await expect(page.getByText("On hold", { exact: true })).toBeVisible();
  await expect(page.getByText("Pending", { exact: true })).toBeVisible();
  await expect(page.getByText(`Put on hold by ${ADMIN.email}`)).toBeVisible();
  await expect(page.getByText("Reason: Amounts to be checked")).toBeVisible();
  await page.goto(`/batches?status=HELD&id=${id}`);
  await expect(page.getByRole("row", { name: id })).toContainText("PendingOn hold");
  await page.goto(batchPath(id));
  await decide(page, "Release", "Release this batch?", "They are right");
  await expect(page.getByText("“They are right”")).toBeVisible();
  await expect(page.getByText(/^Put on hold by/)).toHaveCount(0);

  await page.getByRole("button", { name: "Put on hold…" }).click();
  const question = page.getByRole("dialog", { name: "Put this batch on hold?" });
  await question.getByLabel("Reason").fill("Too late");
  const cancelled = await request.delete(`/v1/contracts/${CONTRACT}/batches/${id}`, auth());
  expect(cancelled.status()).toBe(200);
  await question.getByRole("button", { name: "Put on hold" }).click();
  await expect(question.getByRole("alert")).toContainText("CANCELLED");
});

test.describe("on a phone", () => {
  test.use({
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    permissions: ["clipboard-read", "clipboard-write"],
  });

  test("rows are cards, and cancel, copy and the navigation work", async ({ page, request }) => {
    const id = `${newPrefix("phone")}1`;
    await submit(request, { id });
    await signIn(page, ADMIN, `/batches?id=${id}`);
    const card = page.getByRole("row", { name: id });
    await expect(card).toContainText("Pending");
    await expect(card).toContainText("3 transfers");
    await expect(page.getByRole("columnheader")).toHaveCount(0);
    await expectFits(page);
    await expectNoViolation(page);
    await card.tap({ position: { x: 30, y: 85 } });
    const sheet = page.getByRole("dialog", { name: "Batch" });
    await sheet.getByRole("button", { name: "Copy batch ID" }).tap();
    await expect.poll(() => clipboardOf(page)).toBe(id);
    await expectFits(page);
    await sheet.getByRole("button", { name: "Cancel batch…" }).tap();
    await page.getByLabel("Reason").fill("From the train");
    await page.getByRole("button", { name: "Cancel batch", exact: true }).tap();
    await expect(sheet.getByText("“From the train”")).toBeVisible();

    await page.goto("/contracts");
    await page.getByRole("button", { name: "Open menu" }).tap();
    await page.getByRole("menuitem", { name: "Batches" }).tap();
    await expect(page.getByRole("menu")).toBeHidden();
    await expect(page).toHaveURL(/\/batches$/);
  });
});
