import { writeFile } from "node:fs/promises";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  auth,
  chooseFile,
  confirmFindings,
  csvFile,
  newPrefix,
  openNewBatch,
  reviewRows,
  signIn,
  storedBatch,
  submit,
  test,
} from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

const BATCHES = `/v1/contracts/${CONTRACT}/batches`;

const recipient = (number: number) => `0x1${number.toString(16).padStart(39, "0")}`;

const goodRows = (count: number, start = 1) =>
  Array.from({ length: count }, (_, at) => `${recipient(start + at)},${at + 1}.5`);

const errors = (page: Page) => page.getByRole("list", { name: "Errors" }).getByRole("listitem");

async function pendingPoints(request: APIRequestContext): Promise<number> {
  const reply = await request.get(`/v1/contracts/${CONTRACT}/point-balances`, auth());
  const { balancesByPointType } = (await reply.json()) as {
    balancesByPointType: { PHASE2_GOLD: { pendingSent: string } };
  };
  return Number(balancesByPointType.PHASE2_GOLD.pendingSent);
}

test("a file with errors in three rows is fixed, reviewed and submitted, and its batch is pending", async ({
  page,
  request,
}) => {
  const reference = `${newPrefix("fix")}1`;
  await openNewBatch(page);
  const [first, second, third, ...others] = goodRows(8);
  const bad = [
    `${recipient(1)},"10,5"`,
    second!,
    third!.replace("0x", ""),
    ...others,
    second!.replace("2.5", "7"),
  ];
  await chooseFile(page, csvFile("payout.csv", bad));
  await expect(page.getByText("3 of 9 rows have errors")).toBeVisible();
  await expect(errors(page)).toHaveCount(3);
  await expect(errors(page).nth(0)).toContainText("Line 2");
  await expect(errors(page).nth(0)).toContainText("10,5");
  await expect(errors(page).nth(0)).toContainText("Use a decimal point: 10.5");
  await expect(errors(page).nth(1)).toContainText("Add 0x at the start");
  await expect(errors(page).nth(2)).toContainText("Line 3 already pays this address");
  await expect(page.getByRole("button", { name: "Review" })).toHaveCount(0);

  await page.getByRole("button", { name: /^Duplicate/ }).click();
  await expect(errors(page)).toHaveCount(1);
  await page.getByLabel("Search errors").fill("nowhere");
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(errors(page)).toHaveCount(3);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download rows with errors" }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe("payout-errors.csv");
  const text = await (await file.createReadStream())
    .toArray()
    .then((chunks) => Buffer.concat(chunks).toString());
  expect(text.split("\r\n")).toHaveLength(5);
  expect(text).toContain(`${recipient(1)},"10,5",2,`);

  await chooseFile(page, csvFile("payout.csv", [first!, second!, third!, ...others]));
  await expect(page.getByText("8 rows are valid")).toBeVisible();
  await reviewRows(page, reference);
  await expect(page.getByText("Available after")).toBeVisible();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: "Batch submitted" })).toBeVisible();
  await page.getByRole("link", { name: "View batch" }).click();
  await expect(page.getByRole("heading", { name: reference })).toBeVisible();
  await expect(page.getByText("Pending", { exact: true }).first()).toBeVisible();
  expect(await storedBatch(request, reference)).toMatchObject({ points: "40", transferCount: 8 });
});

test("4,500 rows become 3 batches on hold; a reload in between pays nothing, the same file continues, and a job releases all", async ({
  page,
  request,
}) => {
  test.slow();
  const reference = newPrefix("parts").slice(0, -1);
  const before = await pendingPoints(request);
  const file = csvFile("big.csv", goodRows(4500));
  await openNewBatch(page);
  await page.getByText("Gold", { exact: true }).click();
  await chooseFile(page, file);
  await expect(page.getByText("4,500 rows are valid")).toBeVisible();
  await reviewRows(page, reference);
  const parts = page.getByRole("region", { name: "Batches to submit" }).getByRole("listitem");
  await expect(parts).toHaveCount(3);
  await expect(parts.getByText("Ready", { exact: true })).toHaveCount(3);
  expect(await pendingPoints(request)).toBe(before);

  // The second part is stored, but the page is reloaded before the reply arrives.
  let isCut = true;
  await page.route("**/console.batches.submit*", async (route) => {
    const isSecond = route.request().postData()?.includes(`${reference}.002`);
    if (!isCut || !isSecond) return route.continue();
    isCut = false;
    await route.fetch();
  });
  page.on("dialog", (dialog) => void dialog.accept());
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 3 batches" }).click();
  await expect
    .poll(async () => (await request.get(`${BATCHES}/${reference}.002`, auth())).status())
    .toBe(200);
  await page.reload();
  const unfinished = page.getByRole("list", { name: "Unfinished uploads" }).getByRole("listitem");
  const own = unfinished.filter({ hasText: "big.csv" }).filter({ hasText: "2 of 3 batches" });
  await expect(own).toContainText("2 batches on hold and not paid");
  await expectNoViolation(page);
  await own.getByRole("link", { name: "View batches" }).click();
  await expect(page.locator("[data-batch-link]")).toHaveCount(2);
  await expect(page.getByRole("table").getByText(/^on hold for/)).toHaveCount(2);
  await own.getByRole("link", { name: "Continue" }).click();

  await expect(page.getByText("Choose the same file again to submit the rest.")).toBeVisible();
  await chooseFile(page, file);
  await expect(page.getByText("4,500 rows are valid")).toBeVisible();
  await expect(page.getByLabel("Reference")).toHaveValue(reference);
  await expect(page.getByLabel("Finalize after")).toHaveValue("1");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(parts.getByText("Already submitted")).toHaveCount(2);
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: "Release 3 batches" })).toBeVisible();
  await expect(page.getByRole("progressbar")).toHaveAttribute("aria-valuetext", "3 of 3");
  await page.getByRole("link", { name: "All of one uploaded file" }).click();
  await expect(page.locator("[data-batch-link]")).toHaveText([
    `${reference}.003`,
    `${reference}.002`,
    `${reference}.001`,
  ]);
  await expect(page.getByRole("table").getByText(/^on hold for/)).toHaveCount(0);

  const stored = await Promise.all(
    ["001", "002", "003"].map((part) => storedBatch(request, `${reference}.${part}`)),
  );
  expect(stored.map(({ transferCount }) => transferCount)).toEqual([2000, 2000, 500]);
  const total = (4500 * 4501) / 2 + 4500 * 0.5;
  expect(stored.reduce((sum, { points }) => sum + Number(points), 0)).toBe(total);
  expect((await pendingPoints(request)) - before).toBe(total);
  await page.goto("/batches/new");
  await expect(page.getByText("Drop a CSV or Excel file here")).toBeVisible();
  await expect(own).toHaveCount(0);
});

test("with several contracts, none is preselected", async ({ page }) => {
  await signIn(page, ADMIN, "/batches/new");
  await chooseFile(page, csvFile("whose.csv", goodRows(2)));
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Choose a contract.")).toBeVisible();
  await expect(page.getByLabel("Contract", { exact: true })).toBeFocused();
  await expect(page.getByRole("heading", { name: "Review before submitting" })).toHaveCount(0);
});

test("a conflict with different content under the same reference is resolved with a new reference", async ({
  page,
  request,
}) => {
  const id = `${newPrefix("taken")}a`;
  await submit(request, { id });
  await openNewBatch(page);
  await chooseFile(page, csvFile("taken.csv", goodRows(2)));
  await reviewRows(page, id);
  await expect(page.getByText(`Reference ${id} is already in use`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Submit 1 batch" })).toBeDisabled();
  await expectNoViolation(page);
  await expect(page.getByLabel("New reference")).toHaveValue(`${id}-2`);
  await page.getByRole("button", { name: "Use this reference" }).click();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("link", { name: `${id}-2` })).toBeVisible();
  expect((await storedBatch(request, id)).transferCount).toBe(3);
  expect((await storedBatch(request, `${id}-2`)).transferCount).toBe(2);
});

test("a lost connection stops submitting with an error, and a retry resumes", async ({ page, request }) => {
  const reference = `${newPrefix("lost")}1`;
  await openNewBatch(page);
  await chooseFile(page, csvFile("lost.csv", goodRows(2)));
  await reviewRows(page, reference);
  await page.route("**/console.batches.submit*", (route) => route.abort());
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByText("Cannot reach the service")).toBeVisible();
  await page.unroute("**/console.batches.submit*");
  await page.getByRole("button", { name: "Submit 1 remaining batch" }).click();
  await expect(page.getByRole("heading", { name: "Batch submitted" })).toBeVisible();
  expect((await storedBatch(request, reference)).transferCount).toBe(2);
});

test("pasted rows are checked while typing, and an error links to its line", async ({ page, request }) => {
  const reference = `${newPrefix("paste")}1`;
  await openNewBatch(page);
  await page.getByRole("button", { name: "Paste" }).click();
  const box = page.getByLabel(/^Rows: an address and an amount/);
  await box.fill(`${recipient(1)}\t10.5\n${recipient(2)}\t1e3\n`);
  await expect(page.getByText("1 of 2 rows has errors")).toBeVisible();
  const numbers = page.locator("[data-line]");
  await expect(numbers).toHaveText(["1", "2", "3"]);
  await expect(page.locator("[data-error]")).toHaveText(["2"]);
  await page.getByRole("button", { name: "2", exact: true }).click();
  await expect(box).toBeFocused();
  await page.keyboard.type("1000");
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await reviewRows(page, reference);
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: "Batch submitted" })).toBeVisible();
  expect((await storedBatch(request, reference)).points).toBe("1010.5");
});

test("line numbers stay aligned with the pasted rows", async ({ page }) => {
  await openNewBatch(page);
  await page.getByRole("button", { name: "Paste" }).click();
  const box = page.getByLabel(/^Rows: an address and an amount/);
  const rows = Array.from({ length: 1200 }, (_, row) => `${recipient(row + 1)},${row === 1100 ? "two" : 1}`);
  await box.fill(rows.join("\n"));
  await page.getByRole("button", { name: "1,101", exact: true }).click();
  const number = page.locator('[data-line="1101"]');
  await expect(number).toHaveAttribute("data-error", "true");
  const { y, height } = (await number.boundingBox())!;
  const lines = await box.evaluate((element: HTMLTextAreaElement) => {
    const { lineHeight, paddingTop, borderTopWidth } = getComputedStyle(element);
    const top = element.getBoundingClientRect().top + Number.parseFloat(borderTopWidth);
    return {
      at: top + Number.parseFloat(paddingTop) - element.scrollTop,
      each: Number.parseFloat(lineHeight),
    };
  });
  expect(Math.abs(y - (lines.at + 1100 * lines.each))).toBeLessThan(1);
  expect(height).toBe(lines.each);
});

test("a short file can be edited on the page", async ({ page }) => {
  await openNewBatch(page);
  await chooseFile(page, csvFile("edited.csv", [`${recipient(1)},1`, `${recipient(2)},two`]));
  await page.getByText("two", { exact: true }).click({ force: true });
  const box = page.getByLabel(/^Rows: an address and an amount/);
  await expect(box).toBeFocused();
  const form = page.locator("form").filter({ has: box });
  const height = await form.evaluate((element: HTMLElement) => {
    const see = () => {
      element.dataset.least = String(
        Math.min(Number(element.dataset.least ?? Infinity), element.offsetHeight),
      );
    };
    new ResizeObserver(see).observe(element);
    return element.offsetHeight;
  });
  await page.keyboard.type("zwei");
  await expect(page.getByText("zwei", { exact: true })).toBeVisible();
  const least = Number(await form.getAttribute("data-least"));
  expect(least, "the page never shrinks, which would make it scroll").toBeGreaterThanOrEqual(height);
  await page.getByRole("button", { name: "3", exact: true }).click();
  await page.keyboard.type("2");
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await expect(page.getByLabel("Reference")).toHaveValue(/^edited-\d{4}-\d{2}-\d{2}$/);
});

test("unknown columns are chosen by the user, and going back from the review loses nothing", async ({
  page,
}) => {
  const reference = newPrefix("back").slice(0, -1);
  await openNewBatch(page);
  await chooseFile(page, {
    ...csvFile("x.csv", []),
    buffer: Buffer.from(`${recipient(1)};7;10.5\n${recipient(2)};8;1\n`),
  });
  await expect(page.getByText("Choose the address column and the amount column.")).toBeVisible();
  await page.getByLabel("Amount column").selectOption("Column 3");
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await expect(page.getByRole("status").getByText("11.5", { exact: true })).toBeVisible();

  await page.getByLabel("Finalize after").fill("2");
  await reviewRows(page, reference);
  const back = page.getByRole("button", { name: "Back" });
  await back.click();
  await expect(page.getByRole("button", { name: "Review" })).toBeFocused();
  await expect(page.getByLabel("Amount column")).toHaveValue("2");
  await expect(page.getByLabel("Reference")).toHaveValue(reference);

  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  await back.click();
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await expect(page.getByRole("status").getByText("11.5", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Reference")).toHaveValue(reference);
  await expect(page.getByLabel("Finalize after")).toHaveValue("2");
  await page.getByRole("button", { name: "Review" }).click();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: "Batch submitted" })).toBeVisible();
  await page.getByRole("button", { name: "New batch" }).click();
  await expect(page.getByText("Drop a CSV or Excel file here")).toBeVisible();
});

test("a file of 100,000 rows shows progress, and the page stays responsive", async ({ page }) => {
  test.slow();
  await openNewBatch(page);
  // Counts what the main thread still gets done. It would be blocked if the rows were checked there.
  await page.evaluate(() => {
    const state = window as unknown as { beats: number };
    state.beats = 0;
    const beat = () => {
      if (document.body.textContent?.includes("of 100,000 rows…")) state.beats++;
      setTimeout(beat, 5);
    };
    beat();
  });
  // From disk, because a file passed as bytes would be created on the main thread.
  const path = test.info().outputPath("large.csv");
  await writeFile(path, csvFile("large.csv", goodRows(100_000)).buffer);
  await chooseFile(page, path);
  await expect(page.getByText("100,000 rows are valid")).toBeVisible();
  await expect(page.getByText("submitted as 50 batches")).toBeVisible();
  expect(await page.evaluate(() => (window as unknown as { beats: number }).beats)).toBeGreaterThan(10);
});

test("leaving with unsubmitted rows needs confirmation", async ({ page }) => {
  await openNewBatch(page);
  await chooseFile(page, csvFile("asked.csv", goodRows(2)));
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Batches" }).click();
  expect(asked).toEqual(["These rows have not been submitted. Leave this page?"]);
  await expect(page).toHaveURL(/\/batches\/new$/);
});

test("a viewer sees an explanation instead of the form", async ({ page }) => {
  await signIn(page, VIEWER);
  await expect(page.getByRole("heading", { name: "Batches" })).toBeVisible();
  await expect(page.getByRole("link", { name: "New batch" })).toHaveCount(0);
  await page.goto("/batches/new");
  await expect(page.getByRole("heading", { name: "You need the operator role" })).toBeVisible();
  await expectNoViolation(page);
});

test("from the list to a submitted batch with the keyboard only", async ({ page }) => {
  const reference = `${newPrefix("keys")}1`;
  await signIn(page, ADMIN);
  await page.getByRole("link", { name: "New batch" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/batches/new");
  const tabTo = async (name: string) => {
    const isThere = () =>
      page.evaluate((wanted) => {
        const at = document.activeElement;
        const isField = at instanceof HTMLInputElement || at instanceof HTMLSelectElement;
        const label = isField ? at.labels?.[0]?.textContent : null;
        // Whole words: the sidebar has "Contracts".
        const begins = new RegExp(`^${wanted}(?!\\w)`);
        return [at?.getAttribute("aria-label"), label, at?.textContent].some((text) =>
          begins.test(text?.trim() ?? ""),
        );
      }, name);
    for (let tabs = 0; tabs < 40 && !(await isThere()); tabs++) await page.keyboard.press("Tab");
    expect(await isThere(), name).toBe(true);
  };
  // Input before hydration would be lost.
  await page.waitForLoadState("networkidle");
  await page.getByRole("heading", { name: "New batch" }).click();
  await tabTo("Contract");
  await page.keyboard.type("Journeys");
  await expect(page.getByRole("combobox", { name: "Contract" })).not.toHaveValue("");
  await tabTo("Paste");
  await page.keyboard.press("Space");
  await tabTo("Rows:");
  await page.keyboard.insertText(`${recipient(1)},3\n${recipient(2)},4\n`);
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await tabTo("Reference");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(reference);
  await page.keyboard.press("Enter");
  await confirmFindings(page);
  await expect(page.getByRole("button", { name: "Submit 1 batch" })).toBeEnabled();
  await tabTo("Submit 1 batch");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Batch submitted" })).toBeFocused();
});

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("no step of a new batch has accessibility violations", async ({ page }) => {
    test.slow();
    const reference = `${newPrefix("axe")}1`;
    await openNewBatch(page);
    await expectNoViolation(page);
    await chooseFile(page, csvFile("bad.csv", [`${recipient(1)},"1,0,0"`, `${recipient(1)},-1`, "x.eth,1"]));
    await expect(errors(page)).toHaveCount(4);
    await expectNoViolation(page);
    await chooseFile(page, csvFile("good.csv", goodRows(3)));
    await expect(page.getByText("3 rows are valid")).toBeVisible();
    await expectNoViolation(page);
    await reviewRows(page, reference);
    await confirmFindings(page);
    await expect(page.getByRole("button", { name: "Submit 1 batch" })).toBeEnabled();
    await expectNoViolation(page);
    await page.getByRole("button", { name: "Submit 1 batch" }).click();
    await expect(page.getByRole("heading", { name: "Batch submitted" })).toBeVisible();
    await expectNoViolation(page);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true });

  test("rows are pasted, fixed and submitted, and nothing is wider than the screen", async ({ page }) => {
    const reference = `${newPrefix("phone")}1`;
    const overflows = () => page.locator("main").evaluate((main) => main.scrollWidth > main.clientWidth);
    await openNewBatch(page);
    await page.getByRole("button", { name: "Paste" }).tap();
    const box = page.getByLabel(/^Rows: an address and an amount/);
    await box.fill(`${recipient(1)},1\n${recipient(2)},1e3\n`);
    await expect(errors(page)).toHaveCount(1);
    expect(await overflows()).toBe(false);
    await box.fill(`${recipient(1)},1\n${recipient(2)},1000\n`);
    await expect(page.getByText("2 rows are valid")).toBeVisible();
    await reviewRows(page, reference);
    await confirmFindings(page);
    await page.getByRole("button", { name: "Submit 1 batch" }).tap();
    await expect(page.getByRole("heading", { name: "Batch submitted" })).toBeVisible();
    expect(await overflows()).toBe(false);
    await expectNoViolation(page);
  });
});
