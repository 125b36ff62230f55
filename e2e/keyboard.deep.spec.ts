import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { newPrefix, signIn, submit, test } from "./journey";
import { ADMIN } from "./people";

test.use({ reducedMotion: "reduce" });

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

test("rows are opened by key, also in the side panel, but not while a field has the focus", async ({
  page,
  request,
}) => {
  const prefix = await openThree(page, request);
  await page.getByRole("heading", { name: "Batches" }).click();
  const first = current(page, `${prefix}c`);
  const isFirst = () => first.evaluate((link) => link === document.activeElement);
  for (let tabs = 0; tabs < 50 && !(await isFirst()); tabs++) await page.keyboard.press("Tab");
  await expect(first).toBeFocused();
  await page.keyboard.press("Enter");
  const sheet = page.getByRole("dialog", { name: "Batch" });
  const next = sheet.getByRole("button", { name: "Next batch" });
  await expect(sheet.getByRole("heading", { name: `${prefix}c` })).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Close" })).toBeFocused();
  await expect(sheet.getByRole("button", { name: "Previous batch" })).toBeDisabled();
  await next.click();
  await expect(sheet.getByRole("heading", { name: `${prefix}b` })).toBeVisible();
  await page.keyboard.press("j");
  await expect(sheet.getByRole("heading", { name: `${prefix}a` })).toBeVisible();
  await expect(next).toBeDisabled();
  await page.keyboard.press("j");
  await page.keyboard.press("k");
  await expect(sheet.getByRole("heading", { name: `${prefix}b` })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(page).not.toHaveURL(/open=/);
  await expect(current(page, `${prefix}b`)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(current(page, `${prefix}a`)).toBeFocused();
  for (let presses = 0; presses < 3; presses++) await page.keyboard.press("k");
  await expect(first).toBeFocused();
  const box = page.getByRole("checkbox", { name: `Select batch ${prefix}c` });
  await page.keyboard.press("x");
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
});

test("the search finds what a request changed, and single keys can be turned off", async ({
  page,
  request,
}) => {
  const prefix = await openThree(page, request);
  await current(page, `${prefix}b`).click();
  const sheet = page.getByRole("dialog", { name: "Batch" });
  await sheet.getByRole("button", { name: "Put on hold…" }).click();
  const answer = page.waitForResponse(/batches\.hold/);
  await page.getByRole("textbox", { name: "Reason" }).fill("Checked with the team");
  await page.keyboard.press("Control+Enter");
  const requestId = (await answer).headers()["x-request-id"]!;
  await expect(sheet.getByRole("button", { name: "Release…" })).toBeVisible();
  await page.keyboard.press("Control+k");
  const search = page.getByRole("dialog", { name: "Search" });
  await expectNoViolation(page);
  await search.getByRole("combobox", { name: "Search" }).fill(requestId);
  await search.getByRole("option", { name: `View what request ${requestId} changed` }).click();
  await expect(page).toHaveURL(`/access/audit?request=${requestId}`);
  await expect(
    page.getByRole("region", { name: "Audit log" }).getByText("put the batch on hold"),
  ).toHaveCount(1);
  await expect(page.getByRole("row")).toHaveCount(2);

  await page.goto(`/batches?id=${prefix}`);
  await untilFirstIsCurrent(page, `${prefix}c`);
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(keys.getByRole("region", { name: "Batch list" })).toBeVisible();
  await expectNoViolation(page);
  await keys.getByRole("checkbox", { name: "Use single keys, such as / and J" }).uncheck();
  await keys.getByRole("button", { name: "Close" }).click();
  await expect(keys).toBeHidden();
  for (const key of ["j", "?", "/"]) await page.keyboard.press(key);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(current(page, `${prefix}b`)).not.toBeFocused();
});
