import { expect, type Page } from "@playwright/test";
import {
  type Contract,
  listedIds,
  newAddress,
  newPrefix,
  openAs,
  overflowPx,
  pathOf,
  signIn,
  statusOf,
  submit,
  test,
  untilFinalized,
  walletOf,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";
import { createContract } from "./setup";

const sortBy = (page: Page, column: string) =>
  page.getByRole("columnheader", { name: column }).getByRole("button").click();

test("a list is sorted by amount and due time", async ({ page, request }) => {
  const prefix = newPrefix("sort");
  await submit(request, { id: `${prefix}middle`, transfers: 4, seconds: 7200 });
  await submit(request, { id: `${prefix}large`, transfers: 6, seconds: 3600 });
  await submit(request, { id: `${prefix}small`, transfers: 2, seconds: 9000, pointType: "PHASE2_GOLD" });
  const ids = (...names: string[]) => names.map((name) => `${prefix}${name}`);

  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await expect.poll(() => listedIds(page)).toEqual(ids("small", "large", "middle"));
  await sortBy(page, "Amount");
  await expect.poll(() => listedIds(page)).toEqual(ids("large", "middle", "small"));
  await expect(page.getByRole("columnheader", { name: "Amount" })).toHaveAttribute("aria-sort", "descending");
  await sortBy(page, "Due");
  await expect.poll(() => listedIds(page)).toEqual(ids("large", "middle", "small"));

  const totals = page.getByRole("region", { name: "Totals" });
  await expect(totals).toContainText("36 Points in 2 batches, 10 transfers");
  await expect(totals).toContainText("4 Gold in 1 batch, 2 transfers");
});

test("a link shares filters, order and columns, and no filter looks invalid on the way to another", async ({
  page,
  browser,
  request,
}) => {
  const prefix = newPrefix("view");
  await submit(request, { id: `${prefix}first`, seconds: 7200 });
  await submit(request, { id: `${prefix}second`, seconds: 3600 });
  await submit(request, { id: `${prefix}gold`, pointType: "PHASE2_GOLD" });
  await signIn(page, ADMIN);
  const views = page.getByRole("navigation", { name: "Views" });
  // Above the rows, with one more for what needs somebody.
  await expect(
    page.locator("main :is(a, button, input):not(tbody *, table ~ * *, h1 ~ :is(p, div) *)"),
  ).toHaveCount(14);
  await views.getByRole("link", { name: "Due next" }).click();
  await expect(views.getByRole("link", { name: "Due next" })).toHaveAttribute("aria-current", "page");
  await expect(page).toHaveURL(/unblocked=true&sort=DUE/);
  const onlyNext = page.getByRole("button", { name: "Pending, not on hold or awaiting approval Clear" });
  await onlyNext.click();
  await expect(page).toHaveURL(/batches\?sort=DUE$/);

  await page.goto(`/batches?id=${prefix}&type=PHASE2_POINTS&sort=DUE`);
  await expect.poll(() => listedIds(page)).toEqual([`${prefix}second`, `${prefix}first`]);
  await views.getByRole("button", { name: "Columns and export" }).click();
  await page.getByRole("checkbox", { name: "Transfers" }).uncheck();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL(/hide=/);
  const theirs = await openAs(browser, VIEWER, pathOf(page));
  await expect.poll(() => listedIds(theirs)).toEqual([`${prefix}second`, `${prefix}first`]);
  await expect(theirs.getByRole("columnheader", { name: "Transfers" })).toHaveCount(0);

  // An address that is not read yet is not invalid.
  const note = "This link has invalid filters";
  await page.evaluate((text) => {
    const { body } = document;
    body.className += " watched";
    const look = () => body.textContent.includes(text) && body.classList.add("flashed");
    new MutationObserver(look).observe(body, { childList: true, subtree: true, characterData: true });
  }, note);
  for (const name of ["On hold", "All", "Reversals"]) {
    await views.getByRole("link", { name }).click();
    await expect(views.getByRole("link", { name })).toHaveAttribute("aria-current", "page");
  }
  await page.getByRole("button", { name: "Reversals Clear" }).click();
  await expect(page).not.toHaveURL(/reversals=/);
  await page.goBack();
  await expect(page).toHaveURL(/reversals=true/);
  await expect(views.getByRole("link", { name: "Reversals" })).toHaveAttribute("aria-current", "page");
  await expect(page.locator("body.watched:not(.flashed)")).toHaveCount(1);
});

test("Back returns to the place in the list and to the row that was opened", async ({ page, request }) => {
  const prefix = newPrefix("back");
  for (let n = 0; n < 130; n += 10)
    await Promise.all(
      Array.from({ length: 10 }, (_, at) => submit(request, { id: `${prefix}${n + at}`, transfers: 1 })),
    );
  await signIn(page, ADMIN, `/batches?id=${prefix}&sort=ASC`);
  const list = page.getByRole("region", { name: "Batches" });
  const top = () => list.evaluate((region) => region.scrollTop);
  // Beyond the first page.
  await expect(async () => {
    await list.evaluate((region) => region.scrollTo(0, region.scrollHeight));
    await expect(page.getByText("130 batches", { exact: true })).toBeVisible({ timeout: 500 });
  }).toPass();
  await list.evaluate((region) => region.scrollTo(0, 3_700));
  // By its index: which rows are drawn changes after a scroll.
  const row = list.locator('tr[data-index="105"] [data-batch-link]');
  const id = await row.textContent();
  await row.click();
  const before = await top();
  await page.getByRole("dialog", { name: "Batch" }).getByRole("link", { name: "Open full page" }).click();
  await expect(page).toHaveURL(new RegExp(`/batches/${CONTRACT}/`, "i"));
  await page.goBack();
  await expect(page.getByRole("dialog", { name: "Batch" })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("dialog", { name: "Batch" })).toHaveCount(0);
  await expect.poll(top).toBe(before);
  await expect(list.getByRole("link", { name: id!, exact: true })).toBeFocused();
});

/** The cells whose content is wider than they are, as texts. */
const cutCells = (page: Page, column: string) =>
  page.getByRole("region", { name: "Batches" }).evaluate((region, name) => {
    const headings = [...region.querySelectorAll("th")].map(({ textContent }) => textContent);
    const at = headings.indexOf(name);
    return [...region.querySelectorAll(`tbody tr > :nth-child(${at + 1})`)]
      .filter((cell) => cell.scrollWidth > cell.clientWidth)
      .map(({ textContent }) => textContent);
  }, column);

test("no cell covers another's word, the list fits at 1,024 pixels, and a hold has a reason and no due time", async ({
  page,
  request,
}) => {
  const prefix = newPrefix("cells");
  const contracts = [newAddress(), newAddress()].map((address) => ({
    address,
    token: createContract(address, prefix),
  }));
  for (const contract of contracts) {
    await submit(request, { id: `${prefix}long`, rows: [[walletOf(1), "123456.123456789012"]], contract });
    await submit(request, { id: `${prefix}whole`, rows: [[walletOf(1), "100"]], seconds: 1, contract });
    await untilFinalized(request, `${prefix}whole`, contract);
  }
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  const [{ address }] = contracts as [Contract, Contract];
  const reason = "Finance checks the sum before anything is paid";
  const held = { contractAddress: address, batchId: `${prefix}long`, reason };
  expect(await statusOf(page, "batches.hold", held)).toBe(200);
  const list = page.getByRole("region", { name: "Batches" });
  const rows = list.locator("tbody tr[data-index]");
  await expect(rows.filter({ hasText: "On hold" }).getByText("on hold", { exact: true })).toBeVisible();
  await expect(rows.filter({ hasText: "On hold" }).getByTitle(reason)).toContainText(reason);

  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await expect(rows).toHaveCount(4);
    expect(await cutCells(page, "Amount"), `${width} px`).toEqual([]);
    const labels = await rows.locator(`a[href^="/contracts/"]:text("${prefix}")`).all();
    expect(labels).toHaveLength(4);
    for (const label of labels) expect((await label.boundingBox())!.width).toBeGreaterThan(36);
    expect(await overflowPx(list), `${width} px`).toBe(0);
  }
  // With both times.
  await page.goto(`/batches?id=${prefix}&status=FINALIZED&sort=DUE`);
  await expect(rows).toHaveCount(2);
  expect(await overflowPx(list)).toBe(0);
});

test("a printed list says its filters, its time and its reader, and has all rows and no controls", async ({
  page,
  request,
}) => {
  const prefix = newPrefix("print");
  for (let n = 0; n < 60; n += 20)
    await Promise.all(
      Array.from({ length: 20 }, (_, at) => submit(request, { id: `${prefix}${n + at}`, transfers: 1 })),
    );
  await signIn(page, ADMIN, `/batches?id=${prefix}&status=PENDING&unblocked=true`);
  await expect.poll(async () => (await listedIds(page)).length).toBeGreaterThan(0);
  const controls = page.locator("button:not(th button), input, select, nav, [role=button]");
  await page.emulateMedia({ media: "print" });
  const main = page.locator("main");
  await expect(main.getByText(/^60 batches, printed \d{4}-\d{2}-\d{2} [\d:]+ UTC by /)).toContainText(
    ADMIN.email,
  );
  for (const words of ["Status: Pending", `Batch ID: ${prefix}`, "Pending, not on hold or awaiting approval"])
    await expect(main.getByText(words, { exact: true }).locator("visible=true").first()).toBeVisible();
  await expect.poll(() => listedIds(page)).toHaveLength(60);
  await expect(controls.locator("visible=true")).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });
  await expect(main.getByText(/, printed /)).toBeHidden();
});
