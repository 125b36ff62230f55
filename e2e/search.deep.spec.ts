import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { batchPath, listedIds, newPrefix, signIn, signInByForm, submit, test, walletOf } from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

const dialog = (page: Page) => page.getByRole("dialog", { name: "Search" });
const input = (page: Page) => dialog(page).getByRole("combobox", { name: "Search" });
const results = (page: Page) => dialog(page).getByRole("option");

/** Ignores case: the search returns checksummed addresses. */
const at = (path: string) => new RegExp(`${path}$`, "i");

/** Presses again if the page's script was not there yet. */
async function openSearch(page: Page): Promise<void> {
  const button = page.locator('[aria-label="Search"][aria-haspopup="dialog"]');
  await expect(async () => {
    if ((await button.getAttribute("aria-expanded")) !== "true") await page.keyboard.press("Control+k");
    await expect(button).toHaveAttribute("aria-expanded", "true", { timeout: 1_000 });
  }).toPass();
  await expect(input(page)).toBeFocused();
}

test("a batch is found by its pasted ID, and Enter opens it even before the results have arrived", async ({
  page,
  request,
}) => {
  const prefix = newPrefix("find");
  for (const end of ["1", "10", "2"]) await submit(request, { id: prefix + end });
  await signIn(page, ADMIN);
  await openSearch(page);
  await input(page).fill(`${prefix}1`);
  await expect(results(page)).toHaveCount(2);
  await expect(results(page).first()).toContainText(`${prefix}1Journeys · Pending`);
  await expect(results(page).first()).toHaveAttribute("aria-selected", "true");
  await expect(dialog(page).getByRole("status")).toHaveText("2 results");
  await input(page).fill(`  ${prefix}2\n`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at(batchPath(`${prefix}2`)));
  await expect(dialog(page)).toBeHidden();
  await expect(page.getByRole("heading", { name: `${prefix}2` })).toBeVisible();
});

test("the search links to a list of all matching batches", async ({ page, request }) => {
  const prefix = newPrefix("many");
  for (let row = 1; row <= 9; row++) await submit(request, { id: `${prefix}${row}` });
  await signIn(page, ADMIN);
  await openSearch(page);
  await input(page).fill(prefix);
  await expect(results(page)).toHaveCount(9);
  await results(page).getByText(`View all batches that start with ${prefix}`).click();
  await expect(page).toHaveURL(`/batches?id=${prefix}`);
  await expect.poll(async () => (await listedIds(page)).length).toBe(9);
});

test("a pasted console URL leads to its batch", async ({ page, request }) => {
  const id = `${newPrefix("find")}~1`;
  await submit(request, { id });
  await signIn(page, ADMIN);
  await openSearch(page);
  await input(page).fill(`https://points.example.com${batchPath(id)}?from=mail`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(at(batchPath(id)));
});

test("finds contracts by label or address and recipients by address, with arrow keys and Enter", async ({
  page,
  request,
}) => {
  await submit(request, { id: `${newPrefix("find")}1`, seconds: 1 });
  await signIn(page, ADMIN);
  await openSearch(page);
  await input(page).fill("journ");
  await expect(results(page).first()).toContainText("Journeys");
  await expect(dialog(page).getByText("Contracts", { exact: true })).toBeVisible();
  await input(page).fill(CONTRACT);
  await expect(results(page)).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/contracts/${CONTRACT}$`, "i"));
  await page.goto("/batches");
  await openSearch(page);
  await expect
    .poll(async () => {
      await input(page).fill("");
      await input(page).fill(walletOf(1).slice(0, 41));
      await expect(dialog(page).getByRole("status")).not.toHaveText("Searching");
      return results(page).count();
    })
    .toBeGreaterThan(1);
  await page.keyboard.press("ArrowDown");
  const second = await results(page).nth(1).textContent();
  await expect(results(page).nth(1)).toHaveAttribute("aria-selected", "true");
  const active = await input(page).getAttribute("aria-activedescendant");
  await expect(results(page).nth(1)).toHaveAttribute("id", active!);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/recipients/${second!.trim()}$`));
});

test("`/` opens it outside text fields, keeps what is typed while its code loads, and Escape returns the focus", async ({
  page,
}) => {
  await signIn(page, ADMIN);
  await page.waitForLoadState("networkidle");
  const zone = page.getByRole("button", { name: /Time zone/ });
  await zone.focus();
  let arrive = () => {};
  const arrival = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\.js$/, async (route) => {
    await arrival;
    await route.continue();
  });
  await page.keyboard.press("/");
  await page.keyboard.type("a");
  arrive();
  await expect(input(page)).toBeFocused();
  await page.keyboard.type("/b");
  await expect(input(page)).toHaveValue("a/b");
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(zone).toBeFocused();
  await page.keyboard.press("Meta+k");
  await expect(input(page)).toHaveValue("");
  await page.keyboard.press("Meta+k");
  await expect(dialog(page)).toBeHidden();
});

test("its code is loaded on first use, and short texts send no request", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/search\.find/.test(request.url())) asked.push(request.url());
  });
  await signIn(page, ADMIN);
  await page.waitForLoadState("networkidle");
  const scripts = () =>
    page.evaluate(
      () => performance.getEntriesByType("resource").filter(({ name }) => name.endsWith(".js")).length,
    );
  const before = await scripts();
  await openSearch(page);
  expect(await scripts()).toBeGreaterThan(before);
  await page.keyboard.type("b");
  await page.waitForTimeout(400);
  expect(asked).toEqual([]);
  await page.keyboard.type("a");
  await expect.poll(() => asked.length).toBe(1);
});

test("runs actions: changing the theme and signing out", async ({ page }) => {
  // A separate session: signing out would end the one that the worker's other journeys share.
  await signInByForm(page, ADMIN);
  await openSearch(page);
  await input(page).fill("theme dark");
  await page.keyboard.press("Enter");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await openSearch(page);
  await input(page).fill("new batch");
  await expect(results(page).first()).toHaveText("New batch");
  await input(page).fill("log out");
  await results(page).getByText("Sign out").click();
  await expect(page).toHaveURL(/\/sign-in/);
});

test("a viewer is not offered actions that the server would refuse", async ({ page }) => {
  await signIn(page, VIEWER);
  await openSearch(page);
  await expect(results(page).getByText("Sign out")).toBeVisible();
  await expect(results(page).getByText("New batch")).toHaveCount(0);
});

test("recent results are offered again until a reload, and not stored", async ({ page, request }) => {
  const id = `${newPrefix("find")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN);
  await openSearch(page);
  await input(page).fill(id);
  await results(page).first().click();
  await expect(page).toHaveURL(at(batchPath(id)));
  await openSearch(page);
  await expect(dialog(page).getByText("Recent")).toBeVisible();
  await expect(results(page).first()).toContainText(id);
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
  );
  expect(kept).not.toContain(id);
  await page.reload();
  await openSearch(page);
  await expect(dialog(page).getByText("Recent")).toHaveCount(0);
});

test("reports no results, a wrong checksum and a failed search, which can be retried", async ({ page }) => {
  await signIn(page, ADMIN);
  await openSearch(page);
  await input(page).fill("no such thing");
  await expect(dialog(page).getByText("No results for “no such thing”")).toBeVisible();
  await input(page).fill("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1Beaed");
  await expect(dialog(page).getByRole("alert")).toContainText("The checksum of this address does not match");
  await expect(results(page).first()).toContainText("no transfers yet");
  await page.route(/search\.find/, (route) => route.abort());
  await input(page).fill("another thing");
  await expect(dialog(page).getByRole("alert")).toContainText("Cannot reach the service");
  await page.unroute(/search\.find/);
  await dialog(page).getByRole("button", { name: "Try again" }).click();
  await expect(dialog(page).getByText("No results for “another thing”")).toBeVisible();
});

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("the search has no accessibility violations, with and without results", async ({ page, request }) => {
    const id = `${newPrefix("find")}1`;
    await submit(request, { id });
    await signIn(page, ADMIN);
    await openSearch(page);
    await expectNoViolation(page);
    await input(page).fill(id);
    await expect(results(page)).toHaveCount(1);
    await expectNoViolation(page);
    await input(page).fill("no such thing");
    await expect(dialog(page).getByText("No results")).toBeVisible();
    await expectNoViolation(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  test("the header button opens it, and a result can be tapped", async ({ page, request }) => {
    const id = `${newPrefix("find")}${"long-".repeat(8)}1`;
    await submit(request, { id });
    await signIn(page, ADMIN);
    await page.getByRole("button", { name: "Search" }).tap();
    await input(page).fill(id);
    await expect(results(page)).toHaveCount(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect((await results(page).first().boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await results(page).first().tap();
    await expect(page).toHaveURL(at(batchPath(id)));
  });
});
