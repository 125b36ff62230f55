import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { batchPath, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

test("list, sheet and back with the keyboard only", async ({ page, request }) => {
  const prefix = newPrefix("keys");
  await submit(request, { id: `${prefix}a` });
  await submit(request, { id: `${prefix}b` });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  const first = page.getByRole("link", { name: `${prefix}b` });
  const second = page.getByRole("link", { name: `${prefix}a` });
  await expect(first).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.getByRole("heading", { name: "Batches" }).click();
  for (
    let tabs = 0;
    tabs < 50 && !(await first.evaluate((link) => link === document.activeElement));
    tabs++
  ) {
    await page.keyboard.press("Tab");
  }
  await expect(first).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(second).toBeFocused();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Batch" });
  await expect(sheet.getByRole("heading", { name: `${prefix}a` })).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(page).not.toHaveURL(/open=/);
  await expect(second).toBeFocused();
});

test("?, the menu and the search show the keyboard shortcuts, and Escape closes them", async ({ page }) => {
  await signIn(page, ADMIN);
  await expect(page.getByRole("heading", { name: "Batches" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await page.keyboard.press("?");
  await expect(keys.getByRole("region", { name: "Batch list" })).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();

  const person = page.getByRole("button", { name: ADMIN.email });
  await person.click();
  await page.getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await expect(keys).toBeVisible();
  await keys.getByRole("button", { name: "Close" }).click();
  await expect(keys).toBeHidden();
  await expect(person).toBeFocused();

  await page.keyboard.press("/");
  const search = page.getByPlaceholder("Search batches, contracts");
  await search.pressSequentially("shortcuts?");
  await expect(search).toHaveValue("shortcuts?");
  await expect(keys).toBeHidden();
  await search.fill("shortcuts");
  await page.keyboard.press("Enter");
  await expect(keys).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(person).toBeFocused();
});

const current = (page: Page, id: string) => page.getByRole("link", { name: id, exact: true });

/** Waits until the list handles keys. k goes to the first row in view, and stays there. */
const untilFirstIsCurrent = (page: Page, first: string) =>
  expect(async () => {
    await page.keyboard.press("k");
    await expect(current(page, first)).toBeFocused({ timeout: 1_000 });
  }).toPass();

/** A list of three batches, newest first: c, b, a. The first one is current. */
async function openThree(page: Page, request: APIRequestContext): Promise<string> {
  const prefix = newPrefix("keys");
  for (const end of ["a", "b", "c"]) await submit(request, { id: `${prefix}${end}` });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await untilFirstIsCurrent(page, `${prefix}c`);
  return prefix;
}

test("j, k, x and o move through the list, select and open, but not while a field has the focus", async ({
  page,
  request,
}) => {
  const prefix = await openThree(page, request);
  await page.keyboard.press("j");
  await expect(current(page, `${prefix}b`)).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await expect(current(page, `${prefix}c`)).toBeFocused();
  await page.keyboard.press("x");
  const box = page.getByRole("checkbox", { name: `Select batch ${prefix}c` });
  await expect(box).toBeChecked();
  await page.keyboard.press("x");
  await expect(box).not.toBeChecked();

  await page.getByRole("button", { name: `Batch ID ${prefix}`, exact: true }).click();
  const field = page.getByRole("textbox", { name: "Batch ID starts with" });
  await expect(field).toBeFocused();
  await field.fill("");
  await page.keyboard.type("jxo");
  await expect(field).toHaveValue("jxo");
  await expect(page).not.toHaveURL(/open=/);
  await page.keyboard.press("Escape");
  await expect(field).toBeHidden();

  await current(page, `${prefix}b`).focus();
  await page.keyboard.press("o");
  await expect(page).toHaveURL(new RegExp(`open=[^&]*${prefix}b`));
});

test("the side panel goes to the next and previous batch of the list, up to its ends", async ({
  page,
  request,
}) => {
  const prefix = await openThree(page, request);
  await current(page, `${prefix}c`).click();
  const sheet = page.getByRole("dialog", { name: "Batch" });
  const previous = sheet.getByRole("button", { name: "Previous batch" });
  const next = sheet.getByRole("button", { name: "Next batch" });
  await expect(previous).toBeDisabled();
  await next.click();
  await expect(sheet.getByRole("heading", { name: `${prefix}b` })).toBeVisible();
  await page.keyboard.press("j");
  await expect(sheet.getByRole("heading", { name: `${prefix}a` })).toBeVisible();
  await expect(next).toBeDisabled();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(sheet.getByRole("heading", { name: `${prefix}b` })).toBeVisible();
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(current(page, `${prefix}b`)).toBeFocused();
});

test("the current row is drawn and in view, however far down the list", async ({ page, request }) => {
  const prefix = newPrefix("far");
  for (let row = 0; row < 60; row++) await submit(request, { id: `${prefix}${row}`, transfers: 1 });
  await signIn(page, ADMIN, `/batches?id=${prefix}`);
  await untilFirstIsCurrent(page, `${prefix}59`);
  for (let step = 1; step < 55; step++) {
    await page.keyboard.press("j");
    await expect(current(page, `${prefix}${59 - step}`)).toBeFocused();
  }
  await expect(current(page, `${prefix}5`)).toBeInViewport();
  // Scrolled away, the row is no longer drawn; the next key continues from it.
  const region = page.getByRole("region", { name: "Batches" });
  await region.evaluate((element) => element.scrollTo(0, 0));
  await expect(current(page, `${prefix}5`)).toHaveCount(0);
  await page.keyboard.press("j");
  await expect(current(page, `${prefix}4`)).toBeFocused();
  await expect(current(page, `${prefix}4`)).toBeInViewport();
});

test("e exports the list", async ({ page, request }) => {
  await openThree(page, request);
  const download = page.waitForEvent("download");
  await page.keyboard.press("e");
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test("Control+Enter submits a dialog with a reason, and single keys can be turned off", async ({
  page,
  request,
}) => {
  const prefix = await openThree(page, request);
  await page.goto(batchPath(`${prefix}a`));
  await page.getByRole("button", { name: "Put on hold…" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("Checked with the team");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("button", { name: "Release…" })).toBeVisible();

  await page.goto(`/batches?id=${prefix}`);
  await expect(current(page, `${prefix}c`)).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await keys.getByRole("checkbox", { name: "Use single keys, such as / and J" }).uncheck();
  await keys.getByRole("button", { name: "Close" }).click();
  await expect(keys).toBeHidden();
  for (const key of ["j", "?", "/"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(current(page, `${prefix}c`)).not.toBeFocused();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("dialog", { name: "Search" })).toBeVisible();
});

test("the search holds the open batch, copies it, and lists it among recent ones", async ({
  page,
  request,
}) => {
  const prefix = await openThree(page, request);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await current(page, `${prefix}b`).click();
  const sheet = page.getByRole("dialog", { name: "Batch" });
  await expect(sheet.getByRole("button", { name: "Cancel batch…" })).toBeVisible();
  const search = page.getByRole("dialog", { name: "Search" });
  const choose = async (text: string, name: string) => {
    await page.keyboard.press("Control+k");
    await search.getByRole("combobox", { name: "Search" }).fill(text);
    await search.getByRole("option", { name, exact: true }).click();
    await expect(search).toBeHidden();
  };
  await choose("curl", "Copy as cURL");
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`/batches/${prefix}b`);
  await choose("copy id", "Copy batch ID");
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${prefix}b`);
  await choose("hold", "Put on hold…");
  await page.getByRole("textbox", { name: "Reason" }).fill("Checked with the team");
  await page.keyboard.press("Control+Enter");
  await expect(sheet.getByRole("button", { name: "Release…" })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(search.getByRole("option", { name: "Release…", exact: true })).toBeVisible();
  await expect(search.getByRole("option", { name: "Put on hold…", exact: true })).toHaveCount(0);
  await expectNoViolation(page);
  await page.keyboard.press("Escape");
  await expect(search).toBeHidden();

  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await page.keyboard.press("Control+k");
  await expect(search.getByRole("option", { name: `${prefix}b` })).toBeVisible();
  await expect(search.getByRole("option", { name: "Copy batch ID" })).toHaveCount(0);
});

test("a viewer's search offers no decision", async ({ page, request }) => {
  const id = `${newPrefix("keys")}a`;
  await submit(request, { id });
  await signIn(page, VIEWER, batchPath(id));
  await expect(page.getByRole("heading", { name: id })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: "Search" });
  await expect(search.getByRole("option", { name: "Copy batch ID", exact: true })).toBeVisible();
  await expect(search.getByRole("option", { name: "Cancel batch…", exact: true })).toHaveCount(0);
  await expect(search.getByRole("option", { name: "Put on hold…", exact: true })).toHaveCount(0);
});

test("on a contract, the search creates a token and starts a batch of this contract", async ({ page }) => {
  await signIn(page, ADMIN, `/contracts/${CONTRACT}`);
  await expect(page.getByRole("heading", { name: "Journeys" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const search = page.getByRole("dialog", { name: "Search" });
  await page.keyboard.press("Control+k");
  await search.getByRole("option", { name: "Create token…", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Create an access token" });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("Control+k");
  await search.getByRole("option", { name: "New batch for this contract", exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/batches/new\\?contract=${CONTRACT}$`, "i"));
});

test("a request ID leads to the audit entries of that request", async ({ page, request }) => {
  const prefix = await openThree(page, request);
  await page.goto(batchPath(`${prefix}a`));
  const answer = page.waitForResponse(/batches\.hold/);
  await page.getByRole("button", { name: "Put on hold…" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("Checked with the team");
  await page.keyboard.press("Control+Enter");
  const requestId = (await answer).headers()["x-request-id"]!;
  await expect(page.getByRole("button", { name: "Release…" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: "Search" });
  await search.getByRole("combobox", { name: "Search" }).fill(requestId);
  await search.getByRole("option", { name: `View what request ${requestId} changed` }).click();
  await expect(page).toHaveURL(`/access/audit?request=${requestId}`);
  await expect(
    page.getByRole("region", { name: "Audit log" }).getByText("put the batch on hold"),
  ).toHaveCount(1);
  await expect(page.getByText("1 entry")).toBeVisible();
});
