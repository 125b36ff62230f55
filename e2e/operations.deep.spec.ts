import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { expectFits, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN, VIEWER } from "./people";

const tile = (page: Page, name: string) => page.locator("dl > div").filter({ hasText: name });

/** Tests running in parallel start checks too, and only one can run at a time. */
const checkNow = (page: Page) =>
  expect(async () => {
    await page.getByRole("button", { name: "Check now" }).click();
    await expect(page.getByText("Check finished: the ledger balances.")).toBeVisible({ timeout: 5_000 });
  }).toPass();

test("an admin sees that all is well, runs the finalizer and checks the ledger", async ({
  page,
  request,
}) => {
  await submit(request, { id: `${newPrefix("tick")}1`, seconds: 1 });
  await signIn(page, ADMIN);
  await page.getByRole("link", { name: "Operations", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Operations" })).toBeVisible();
  await expect(tile(page, "Last finalizer tick")).toContainText(/\d s ago/);
  await expect(page.getByRole("status", { name: "Warnings" })).toBeEmpty();

  await page.getByRole("button", { name: "Run now" }).click();
  await expect(page.getByText(/^Finalized \d+ batch(es)? \(.*left\.$/)).toBeVisible();
  await checkNow(page);
  const check = page.getByRole("region", { name: "Ledger self-check" });
  await expect(check.getByText(`staff:${ADMIN.email}`)).toBeVisible();
  await expect(tile(page, "Self-check")).toContainText("Balanced");
});

test("a finalized batch appears in the runs and in the plot's table without a reload", async ({
  page,
  request,
}) => {
  await signIn(page, ADMIN, "/operations");
  await page
    .getByRole("region", { name: "Finalizing", exact: true })
    .getByText("Show as table")
    .first()
    .click();
  await submit(request, { id: `${newPrefix("live")}1`, seconds: 1, transfers: 37 });
  const runs = page.getByRole("region", { name: "Recent runs" }).first();
  await expect(runs.getByRole("cell", { name: "37", exact: true })).toBeVisible({ timeout: 20_000 });
  // Refreshing the page keeps tables open.
  const table = page.getByRole("table", { name: /^Time from due to finalized/ });
  await expect(table.getByRole("row")).toHaveCount(61);
  await expect(table.getByRole("row").last()).toContainText(/\d/);
});

test("what is due in the next 24 hours is shown per hour, and how fast it can be finalized", async ({
  page,
  request,
}) => {
  await submit(request, { id: `${newPrefix("load")}1`, seconds: 7200, transfers: 41 });
  await signIn(page, ADMIN, "/operations");
  const load = page.getByRole("region", { name: "Due next", exact: true });
  await expect(
    load.getByText(/transfers per minute, measured in|is unknown until a run credits/),
  ).toBeVisible();
  await load.getByText("Show as table").click();
  const table = load.getByRole("table", { name: /^Transfers due/ });
  await expect(table.getByRole("row")).toHaveCount(26);
  await expectNoViolation(page);
});

test("range and runs are in the URL, and Back works", async ({ page }) => {
  await signIn(page, ADMIN, "/operations");
  const range = page.getByRole("navigation", { name: "Range" });
  await range.getByRole("link", { name: "7 days" }).click();
  await expect(page).toHaveURL("/operations?range=7d");
  await expect(range.getByRole("link", { name: "7 days" })).toHaveAttribute("aria-current", "true");
  await expect(page.getByText("Last 7 days, times in")).toBeVisible();
  await page.getByRole("navigation", { name: "Runs" }).getByRole("link", { name: "Failed" }).click();
  await expect(page).toHaveURL("/operations?range=7d&runs=failed");
  await page.getByRole("link", { name: "Show all runs" }).click();
  await expect(page).toHaveURL("/operations?range=7d");
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL("/operations");
  await expect(range.getByRole("link", { name: "1 hour" })).toHaveAttribute("aria-current", "true");
});

test("a viewer sees the figures, but no buttons to run or check anything", async ({ page }) => {
  await signIn(page, VIEWER, "/operations");
  await expect(tile(page, "Due now")).toBeVisible();
  await expect(page.getByRole("button", { name: /Run now|Check now/ })).toHaveCount(0);
});

test("sign-in returns to the same range", async ({ page }) => {
  await page.goto("/operations?range=24h");
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=%2Foperations%3Frange%3D24h/);
});

test("when the service is unreachable, the figures stay with a notice that they may be out of date", async ({
  page,
}) => {
  await signIn(page, ADMIN, "/operations");
  await expect(tile(page, "Due now")).toBeVisible();
  await page.route("**/api/trpc/**", (call) => call.abort());
  await expect(page.getByText("This page may be out of date: the last update failed.")).toBeVisible({
    timeout: 25_000,
  });
  await expect(tile(page, "Due now")).toBeVisible();
  await page.unroute("**/api/trpc/**");
  await expect(page.getByText("This page may be out of date")).toHaveCount(0, { timeout: 20_000 });
});

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("the page has no accessibility violations, with tables open", async ({ page, request }) => {
    await submit(request, { id: `${newPrefix("axe-operations")}1`, seconds: 1 });
    await signIn(page, ADMIN, "/operations");
    await expect(page.getByRole("img", { name: "Time from due to finalized" })).toBeVisible();
    for (const summary of await page.getByText("Show as table").all()) await summary.click();
    await expectNoViolation(page);
    await page.goto("/operations?range=7d&runs=failed");
    await expect(page.getByText("None of the last 5,000 runs failed.")).toBeVisible();
    await expectNoViolation(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("nothing is wider than the screen, runs are cards, and the buttons work", async ({
    page,
    request,
  }) => {
    await submit(request, { id: `${newPrefix("phone-operations")}1`, seconds: 1, transfers: 41 });
    await signIn(page, ADMIN, "/operations");
    const run = page
      .getByRole("region", { name: "Recent runs" })
      .getByRole("listitem")
      .filter({ hasText: "41 transfers" });
    await expect(run).toContainText("Succeeded", { timeout: 20_000 });
    await expect(page.getByRole("table", { name: "Recent runs" })).toHaveCount(0);
    for (const summary of await page.getByText("Show as table").all()) await summary.tap();
    await expectFits(page);
    await expectNoViolation(page);
    await checkNow(page);
  });
});
