import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { type SheetSpec, writeWorkbook } from "@/testing/write-workbook";
import { expectNoViolation } from "./axe";
import {
  chooseFile,
  confirmFindings,
  csvFile,
  newPrefix,
  openNewBatch,
  reviewRows,
  storedBatch,
  test,
} from "./journey";

const recipient = (number: number) => `0x2${number.toString(16).padStart(39, "0")}`;

const xlsx = (name: string, sheets: SheetSpec[]) => ({
  name,
  mimeType: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  buffer: Buffer.from(writeWorkbook(sheets)),
});
const csv = (name: string, rows: readonly string[]) => csvFile(name, rows, "to_address;points");

async function submit(page: Page, reference: string): Promise<void> {
  await reviewRows(page, reference);
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await expect(page.getByRole("heading", { name: reference })).toBeVisible();
}

async function amountsOf(request: APIRequestContext, id: string) {
  const { points, transfers } = await storedBatch(request, id);
  return { points, amounts: transfers.map((transfer) => transfer.points) };
}

test("suggestions, duplicates and the total row are settled with a click each", async ({ page, request }) => {
  test.slow();
  const reference = newPrefix("click").slice(0, -1);
  await openNewBatch(page);
  const rows = Array.from({ length: 2001 }, (_, at) => `${recipient(at + 1)};1.5`);
  const twice = Array.from({ length: 60 }, (_, at) => `${recipient(at + 1)};0.25`);
  const bare = Array.from({ length: 39 }, (_, at) => `${recipient(5000 + at).slice(2)};2`);
  await chooseFile(page, csv("clicks.csv", [...rows, ...twice, ...bare, "Total;3094.5"]));
  await expect(page.getByText("100 of 2,101 rows have errors")).toBeVisible();
  await expect(page.getByText("It equals the sum of the rows above, 3,094.5.")).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Apply all 39 suggestions" }).click();
  await page.getByRole("button", { name: "Leave out the total row" }).click();
  await page.getByRole("button", { name: "Keep the first" }).dblclick();
  const left = page.locator("div", { hasText: "60 duplicates left out" }).last();
  await left.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Add up 60 duplicates" }).click();
  await expect(page.getByText("Total in line 2,102 left out.")).toBeVisible();
  await reviewRows(page, reference);
  await expect(page.getByRole("heading", { name: "Not submitted yet" })).toBeVisible();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 2 batches" }).click();
  await expect(page.getByText("Submitted 2 of 2")).toBeVisible();
  const first = await amountsOf(request, `${reference}.001`);
  const second = await amountsOf(request, `${reference}.002`);
  expect(first.amounts).toHaveLength(2000);
  expect(first.amounts.slice(59, 61)).toEqual(["1.75", "1.5"]);
  expect(second.amounts).toEqual(["1.5", ...Array.from({ length: 39 }, () => "2")]);
  expect([first.points, second.points]).toEqual(["3015", "79.5"]);
});

test("a sheet of an Excel workbook is chosen, and its amounts stay exact", async ({ page, request }) => {
  const reference = `${newPrefix("xlsx")}1`;
  await openNewBatch(page);
  const old: SheetSpec = {
    name: "October",
    rows: [["to_address", "points"], { cells: [recipient(9), { stored: "9" }], hidden: true }],
  };
  const november: SheetSpec = {
    name: "November",
    rows: [
      ["Payouts November"],
      ["to_address", "points"],
      [recipient(1), { stored: "0.30000000000000004" }],
      [recipient(2), "12345678901234567890.000001"],
      [recipient(4), { xml: "<c><f>A1+1</f><v>2.5</v></c>" }],
    ],
  };
  await chooseFile(page, xlsx("payouts.xlsx", [old, november]));
  const sheet = page.getByLabel("Sheet");
  await expect(sheet).toHaveValue("");
  await expectNoViolation(page);
  await sheet.selectOption("October");
  await expect(page.getByText("The sheet “October” has 1 hidden row")).toBeVisible();
  await sheet.selectOption("November");
  await expect(page.getByText("3 rows are valid")).toBeVisible();
  await expect(page.getByText("0.30000000000000004 is 0.3")).toBeVisible();
  await expect(page.getByText("1 amount is the result of a formula, as last saved.")).toBeVisible();
  await expect(page.getByText("1 title row skipped: “Payouts November”.")).toBeVisible();
  await submit(page, reference);
  expect(await amountsOf(request, `${reference}.001`)).toEqual({
    points: "12345678901234567892.800001",
    amounts: ["0.3", "12345678901234567890.000001", "2.5"],
  });
});
