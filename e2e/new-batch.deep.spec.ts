import { expect, type Locator, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import {
  auth,
  batchPath,
  chooseContract,
  chooseFile,
  confirmFindings,
  csvFile,
  decide,
  download,
  expectFits,
  listedIds,
  newPrefix,
  openNewBatch,
  openSearch,
  reviewRows,
  signIn,
  storedBatch,
  submit,
  test,
} from "./journey";
import { ADMIN, CONTRACT } from "./people";

const recipient = (number: number) => `0x1${number.toString(16).padStart(39, "0")}`;

const goodRows = (count: number, start = 1) =>
  Array.from({ length: count }, (_, at) => `${recipient(start + at)},${at + 1}.5`);

const errors = (page: Page) => page.getByRole("region", { name: "Rows with errors" }).locator("tbody tr");

test("a file with errors in three rows is fixed, reviewed and submitted", async ({ page, request }) => {
  const reference = `${newPrefix("fix")}1`;
  await openNewBatch(page);
  await expectNoViolation(page);
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
  await expect(errors(page).nth(0)).toContainText(/Line 2.*10,5.*Write 10.5 instead\./);
  await expect(errors(page).nth(1)).toContainText(`Write ${recipient(3)} instead.`);
  await expect(errors(page).nth(2)).toContainText("Line 3 already pays this address");
  await expect(page.getByRole("button", { name: "Review" })).toHaveCount(0);
  await expectNoViolation(page);

  const text = await download(page, page.getByRole("button", { name: "Download rows with errors" }));
  expect(text.split("\r\n")).toHaveLength(5);
  expect(text).toContain(`${recipient(1)},"10,5",2,`);

  await errors(page).nth(0).getByRole("button").click();
  await page.getByLabel(/^Rows: an address/).fill([first!, second!, third!, ...others].join("\n"));
  await expect(page.getByText("8 rows are valid")).toBeVisible();
  await reviewRows(page, reference);
  await expect(page.getByText("Rows were edited in New payout.")).toBeVisible();
  await expect(page.getByText("Available after")).toBeVisible();
  await confirmFindings(page);
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByText(`Batch ${reference}.001 submitted`)).toBeVisible();
  await expect(page.getByRole("heading", { name: reference })).toBeVisible();
  expect(await storedBatch(request, `${reference}.001`)).toMatchObject({ points: "40", transferCount: 8 });
});

test("rows below the minimum are left out with their count and sum, and listed in a file", async ({
  page,
}) => {
  await openNewBatch(page);
  const small = [`${recipient(1)},0.001`, `${recipient(2)},0.002`];
  await chooseFile(page, csvFile("payout.csv", [...small, ...goodRows(2, 3)]));
  await expect(page.getByText("2 rows below the minimum, with 0.003 in all.")).toBeVisible();
  await page.getByRole("button", { name: "Leave out 2 rows" }).click();
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await expect(page.getByText("2 rows below the minimum left out, with 0.003 in all")).toBeVisible();
  const text = await download(page, page.getByRole("button", { name: "Download rows left out" }));
  expect(text).toContain(`${recipient(2)},0.002,3,Left out: below the minimum.`);
});

test("metadata of a new batch finds it from its page and by search, and stays when it is corrected", async ({
  page,
  request,
}) => {
  const reference = `${newPrefix("tagged")}1`;
  await openNewBatch(page);
  await page.getByRole("button", { name: "Add metadata" }).click();
  await page.getByLabel("Key 1").fill("sum mer");
  await expect(page.getByText("as the key.")).toBeVisible();
  await page.getByLabel("Key 1").fill("campaign");
  await page.getByLabel("Value 1").fill(`${reference} & more`);
  await expect(page.getByText("as the key.")).toBeHidden();
  await expectNoViolation(page);
  await chooseFile(page, csvFile("payout.csv", goodRows(2, 700)));
  await reviewRows(page, reference);
  await expect(page.getByText(`${reference} & more`)).toBeVisible();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: reference })).toBeVisible();
  const metadata = { campaign: `${reference} & more` };
  expect(await storedBatch(request, `${reference}.001`)).toMatchObject({ metadata });

  await page.getByRole("link", { name: metadata.campaign }).click();
  await expect.poll(async () => listedIds(page)).toEqual([`${reference}.001`]);
  await expect(page.getByRole("button", { name: `Metadata campaign:${metadata.campaign}` })).toBeVisible();
  await page.goto("/batches");
  await (await openSearch(page)).fill(`campaign:${metadata.campaign}`);
  await page.getByRole("option", { name: "View batches with the metadata" }).click();
  await expect.poll(async () => listedIds(page)).toEqual([`${reference}.001`]);

  await page.goto(batchPath(`${reference}.001`));
  await decide(page, "Cancel batch", "Cancel this batch?", "Wrong amounts");
  await page.getByRole("link", { name: "Correct and resend" }).click();
  await expect(page.getByLabel("Value 1")).toHaveValue(metadata.campaign);
});

test("4,500 rows become 3 batches, of which none is paid before all are stored", async ({
  page,
  request,
}) => {
  test.slow();
  const reference = newPrefix("parts").slice(0, -1);
  const file = csvFile("big.csv", goodRows(4500));
  await openNewBatch(page);
  await page.getByText("Gold", { exact: true }).click();
  await chooseFile(page, file);
  await expect(page.getByText("4,500 rows are valid")).toBeVisible();
  await reviewRows(page, reference);
  const parts = page.getByRole("region", { name: "Batches to submit" }).locator("tbody tr");
  await expect(parts.getByText("Ready", { exact: true })).toHaveCount(3);
  const partOf = (part: string) =>
    request.get(`/v1/contracts/${CONTRACT}/batches/${reference}.${part}`, auth());
  expect((await partOf("001")).status()).toBe(404);

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
  await expect.poll(async () => (await partOf("002")).status()).toBe(200);
  await page.goto("/batches/new");
  const note = page.locator("p", { hasText: /^Your payout big\.csv of .* has 2 of 3 batches submitted\./ });
  await note.getByRole("link", { name: "Continue or cancel it" }).click();
  const progress = page.getByRole("list", { name: "Progress" });
  await expect(progress).toContainText(/Submitted 2 of 3 batches.*Submitting was interrupted/);
  await expect(page.getByText("0 of 10,129,500", { exact: true })).toBeVisible();
  const next = page.getByRole("region", { name: "Next step" });
  await expect(next).toContainText("1 batch of this payout is not submitted. Nothing is paid until all are.");
  await expectNoViolation(page, ["light", "dark"]);
  await next.getByRole("link", { name: "Choose the same file again" }).click();

  await expect(page.getByText("Choose big.csv again to submit the rest of it.")).toBeVisible();
  await chooseFile(page, csvFile("big.csv", goodRows(4499)));
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("It has 10,124,999.5 in all, and the list of this payout had")).toBeVisible();
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByLabel("Submit the other rows as they are now")).toBeFocused();
  await page.getByRole("button", { name: "Back" }).click();
  await chooseFile(page, file);
  await expect(page.getByLabel("Payout ID")).toHaveValue(reference);
  await expect(page.getByLabel("Finalize after")).toHaveValue("1");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(parts.getByText("Already submitted")).toHaveCount(2);
  await expect(page.getByText(/^Due/).locator("..")).toContainText(", and the rest ");
  await expect(page.getByText("This is the same list as before.")).toBeVisible();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page).toHaveURL(/\/payouts\//);
  await expect(progress).toContainText("Submitted 3 of 3");

  const stored = await Promise.all(
    ["001", "002", "003"].map((part) => storedBatch(request, `${reference}.${part}`)),
  );
  expect(stored.map(({ transferCount }) => transferCount)).toEqual([2000, 2000, 500]);
  expect(stored.reduce((sum, { points }) => sum + Number(points), 0)).toBe((4500 * 4501) / 2 + 4500 * 0.5);

  await openNewBatch(page);
  await page.getByText("Gold", { exact: true }).click();
  await chooseFile(page, file);
  await reviewRows(page, reference);
  await expect(page.getByText("These 3 batches were submitted before. All are pending.")).toBeVisible();
  await page.getByRole("link", { name: "View the payout" }).click();
  await expect(page.getByRole("heading", { name: "Payout big.csv" })).toBeVisible();
});

test("a taken ID and a lost connection stop submitting, which resumes", async ({ page, request }) => {
  const id = `${newPrefix("taken")}a`;
  await submit(request, { id: `${id}.001` });
  await signIn(page, ADMIN, "/batches/new");
  await chooseFile(page, csvFile("taken.csv", goodRows(2)));
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await page.getByRole("button", { name: "Review" }).click();
  // With several contracts, none is preselected.
  await expect(page.getByText("Choose a contract.")).toBeVisible();
  await expect(page.getByLabel("Contract", { exact: true })).toBeFocused();

  await chooseContract(page, "Journeys");
  await reviewRows(page, id);
  await expect(page.getByText(`The ID ${id} is already in use`)).toBeVisible();
  await expect(page.getByText("ID in use", { exact: true })).toBeVisible();
  const inUse = page.getByRole("link", { name: "View the batch" });
  await expect(inUse).toHaveAttribute("href", new RegExp(`/${id}.001$`));
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Back" }).click();
  await reviewRows(page, `${id}-2`);
  await confirmFindings(page);
  await page.route("**/console.batches.submit*", (route) => route.abort());
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByText("Cannot reach the service")).toBeVisible();
  const part = page.getByRole("region", { name: "Batches to submit" }).locator("tbody tr");
  await expect(part).toContainText("Not confirmed");
  await expect(part).toContainText("Sending again is safe.");
  await page.unroute("**/console.batches.submit*");
  await page.getByRole("button", { name: "Submit 1 remaining batch" }).click();
  await expect(page.getByRole("heading", { name: `${id}-2` })).toBeVisible();
  expect((await storedBatch(request, `${id}.001`)).transferCount).toBe(3);
  expect((await storedBatch(request, `${id}-2.001`)).transferCount).toBe(2);
});

test("an export that a spreadsheet saved is compared with what it paid", async ({ page, request }) => {
  const id = `${newPrefix("saved")}a`;
  const digits = String(Date.now());
  const references = [`00${digits}`, `${id}:7`];
  const rows = references.map((reference, row): [string, string, string] => [
    recipient(row + 1),
    "5",
    reference,
  ]);
  await submit(request, { id, pointType: "PHASE2_GOLD", rows });
  const savedAs = (first: string, others: string[] = []) => {
    const saved = rows.map(
      ([address, points], row) => `${address},${points},PHASE2_GOLD,${id},${row === 0 ? first : ""}`,
    );
    return csvFile("saved.csv", [...saved, ...others], "to_address,points,point_type,batch_id,reference");
  };
  // Of more batches than one request takes, which are not there.
  const others = Array.from(
    { length: 600 },
    (_, at) => `${recipient(at + 3)},5,PHASE2_GOLD,${id}.gone-${at},`,
  );
  await openNewBatch(page);
  await chooseFile(page, savedAs(digits, others));
  await expect(page.getByRole("radio", { name: /^Gold/ })).toBeChecked();
  const errors = page.getByRole("region", { name: "Errors", exact: true });
  await expect(errors).toContainText(`${id} has the reference 00${digits} here; a spreadsheet changed it.`);
  await expect(errors.locator("tbody tr")).toHaveCount(1);
  await expect(page.getByText("600 rows name batches that could not be compared")).toBeVisible();

  await chooseFile(page, savedAs(`00${digits}`));
  await expect(page.getByText(`PAID ALREADY: 2 of 2 rows. Line 2: batch ${id} (PENDING)`)).toBeVisible();
  await expect(page.getByRole("button", { name: "Review" })).toBeHidden();
  await page.getByRole("button", { name: "Pay 2 rows again" }).click();
  await expect(page.getByRole("button", { name: "Review" })).toBeVisible();
});

test("a reference in a file is paid once, also when the file is submitted under another ID", async ({
  page,
  request,
}) => {
  const id = `${newPrefix("refs")}a`;
  const rows = [1, 2].map((row) => `${recipient(row)},${row},${id}:${row}`);
  const file = csvFile("refs.csv", rows, "to,points,reference");
  await openNewBatch(page);
  await chooseFile(page, file);
  await expect(page.getByLabel("Reference column")).toHaveValue("3");
  await expect(page.getByText("2 rows have references")).toBeVisible();
  await reviewRows(page, id);
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: id })).toBeVisible();
  expect((await storedBatch(request, `${id}.001`)).transfers[1]).toMatchObject({ reference: `${id}:2` });

  await openNewBatch(page);
  await chooseFile(page, file);
  await reviewRows(page, `${id}-2`);
  const parts = page.getByRole("region", { name: "Batches to submit" });
  await expect(parts).toContainText("2 references are already paid, or about to be.");
  await expect(parts.getByRole("link", { name: `${id}.001`, exact: true })).toHaveCount(2);
  await expect(page.getByRole("button", { name: "Submit 1 batch" })).toBeDisabled();
  await expectNoViolation(page);
});

test("pasted rows are checked while typing, and an error links to its line", async ({ page }) => {
  await openNewBatch(page);
  await page.getByRole("button", { name: "Paste" }).click();
  const box = page.getByLabel(/^Rows: an address and an amount/);
  const rows = Array.from({ length: 1200 }, (_, row) => `${recipient(row + 1)},${row === 1100 ? "two" : 1}`);
  await box.fill(rows.join("\n"));
  await expect(page.getByText("1 of 1,200 rows has errors")).toBeVisible();
  await page.getByRole("button", { name: "1,101", exact: true }).click();
  await expect(box).toBeFocused();
  // It scrolls to the line.
  await expect.poll(() => box.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
  // The wrong amount is selected.
  await page.keyboard.type("1000");
  await expect(page.getByText("1,200 rows are valid")).toBeVisible();
});

test("the proposed ID of pasted rows is the same for the same rows, and another one for others", async ({
  page,
}) => {
  await openNewBatch(page);
  await page.getByRole("button", { name: "Paste" }).click();
  const idOf = async (row: string) => {
    await page.getByLabel(/^Rows: an address and an amount/).fill(row);
    await expect(page.getByRole("status").getByText(row.split(",")[1]!, { exact: true })).toBeVisible();
    return await page.getByLabel("Payout ID").inputValue();
  };
  const first = await idOf(`${recipient(1)},1.5`);
  expect(first).toMatch(/^Pasted-rows-\d{4}-\d{2}-\d{2}-\w+$/);
  expect(await idOf(`${recipient(1)},2.5`)).not.toBe(first);
  expect(await idOf(`${recipient(1)},1.5`)).toBe(first);
});

test("unknown columns are chosen, and going back or leaving loses nothing", async ({ page }) => {
  const reference = newPrefix("back").slice(0, -1);
  await signIn(page, ADMIN);
  await page.getByRole("link", { name: "New payout" }).click();
  await chooseContract(page, "Journeys");
  await chooseFile(page, {
    ...csvFile("x.csv", []),
    buffer: Buffer.from(`${recipient(1)};7;10.5\n${recipient(2)};8;1\n`),
  });
  await expect(page.getByText("Choose the amount column.")).toBeVisible();
  await page.getByLabel("Amount column").selectOption("Column 3");
  await expect(page.getByLabel("Payout ID")).toHaveValue(/^x-\d{4}-\d{2}-\d{2}$/);
  await reviewRows(page, reference);
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  const unread = page.getByText("Not read: the numbers in column 2.");
  await expect(unread.filter({ visible: true })).toHaveCount(1);
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("button", { name: "Review" })).toBeFocused();
  await expect(page.getByLabel("Amount column")).toHaveValue("2");
  await expect(page.getByRole("status").getByText("11.5", { exact: true })).toBeVisible();
  await expect(page.getByLabel("Payout ID")).toHaveValue(reference);
  await page.getByRole("link", { name: "Skip to content" }).press("Enter");
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  await page.goBack();
  await page.goForward();
  await expect(page.getByText("Ready", { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("button", { name: "Review" })).toBeFocused();

  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Batches" }).click();
  await page.evaluate(() => history.back());
  await expect
    .poll(() => asked)
    .toEqual(Array(2).fill("These rows have not been submitted. Leave this page?"));
  await expect(page).toHaveURL(/\/batches\/new$/);
  await expect(page.getByLabel("Payout ID")).toHaveValue(reference);
});

test("from the list to a submitted batch with the keyboard only", async ({ page }) => {
  const reference = `${newPrefix("keys")}1`;
  await signIn(page, ADMIN);
  await page.getByRole("link", { name: "New payout" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/batches/new");
  const tabTo = async (target: Locator) => {
    const isThere = () => target.evaluate((element) => element === document.activeElement);
    for (let tabs = 0; tabs < 40 && !(await isThere()); tabs++) await page.keyboard.press("Tab");
    await expect(target).toBeFocused();
  };
  // Input before hydration would be lost.
  await page.waitForLoadState("networkidle");
  await page.getByRole("heading", { name: "New payout" }).click();
  const contract = page.getByRole("combobox", { name: "Contract" });
  await tabTo(contract);
  await page.keyboard.type("Journeys");
  await expect(contract).not.toHaveValue("");
  await tabTo(page.getByRole("button", { name: "Paste" }));
  await page.keyboard.press("Space");
  await tabTo(page.getByLabel(/^Rows: an address and an amount/));
  await page.keyboard.insertText(`${recipient(1)},3\n${recipient(2)},4\n`);
  await expect(page.getByText("2 rows are valid")).toBeVisible();
  await tabTo(page.getByLabel("Payout ID"));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(reference);
  await page.keyboard.press("Enter");
  await confirmFindings(page);
  await expect(page.getByRole("button", { name: "Submit 1 batch" })).toBeEnabled();
  await tabTo(page.getByRole("button", { name: "Submit 1 batch" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: reference })).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true });

  test("rows are pasted, fixed and submitted, and everything fits", async ({ page, request }) => {
    const reference = `${newPrefix("phone")}1`;
    await openNewBatch(page);
    const rows = [`${recipient(1)};1,234`, `${recipient(2)};12345678901234567890`, `${recipient(2)};1`];
    await chooseFile(page, csvFile("p.csv", rows, "to_address;points"));
    await expect(page.getByText("can be read in more than one way")).toBeVisible();
    await expectFits(page);
    await page.getByRole("radio", { name: /^1,234\.56/ }).check();
    await expect(page.getByRole("button", { name: "Add up 1 duplicate" })).toBeVisible();
    await expectFits(page);

    await page.getByRole("button", { name: "Paste" }).tap();
    const box = page.getByLabel(/^Rows: an address and an amount/);
    await box.fill(`${recipient(1)},1\n${recipient(2)},1e3\n`);
    await expect(errors(page)).toHaveCount(1);
    await expectFits(page);
    await box.fill(`${recipient(1)},10.5\n${recipient(2)},1000\n`);
    await expect(page.getByText("2 rows are valid")).toBeVisible();
    await reviewRows(page, reference);
    await confirmFindings(page);
    await page.getByRole("button", { name: "Submit 1 batch" }).tap();
    await expect(page.getByRole("heading", { name: reference })).toBeVisible();
    await expectFits(page);
    await expectNoViolation(page);
    expect((await storedBatch(request, `${reference}.001`)).points).toBe("1010.5");
  });
});
