import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { batchPath, confirmFindings, decide, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

test("a cancelled batch is corrected and sent again, and its page lists what changed", async ({
  page,
  request,
  browser,
}) => {
  test.slow();
  const id = `${newPrefix("correct")}march`;
  await submit(request, { id, transfers: 3 });
  await signIn(page, ADMIN, batchPath(id));
  await decide(page, "Cancel batch", "Cancel this batch?", "Wrong amounts");
  await page.getByRole("link", { name: "Correct and resend" }).click();
  await expect(page.getByText("Correction of the cancelled batch")).toBeVisible();
  await expect(page.getByLabel("Contract", { exact: true }).getByRole("option")).toHaveCount(1);
  await expect(page.getByLabel("Reference")).toHaveValue(`${id}-2`);
  await expectNoViolation(page);

  // The same content is the correction, and still has to be confirmed.
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("which it corrects")).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Paste" }).click();
  await page
    .getByLabel("Rows: an address and an amount on each line")
    .fill(
      [
        "to_address,points",
        `0x${"a".repeat(39)}1,1.5`,
        `0x${"a".repeat(39)}2,20.25`,
        `0x${"b".repeat(39)}1,4`,
      ].join("\n"),
    );
  await page.getByRole("button", { name: "Review" }).click();
  await expect(page.getByText("Correction of the cancelled batch")).toBeVisible();
  await confirmFindings(page);
  await page.getByRole("button", { name: "Submit 1 batch" }).click();
  await page.getByRole("link", { name: "View batch" }).click();
  const links = page.getByRole("region", { name: "Correction" });
  await expect(links).toContainText(`Corrects ${id}`);
  await links.getByRole("link", { name: id, exact: true }).click();
  await expect(links).toContainText(`Corrected by ${id}-2`);
  await expectNoViolation(page);
  await links.getByRole("link", { name: `${id}-2` }).click();

  await links.getByRole("button", { name: "View differences" }).click();
  const found = links.getByRole("region", { name: `Differences from ${id}` });
  await expect(found).toContainText("1 added, 1 removed, 1 changed, 1 unchanged. Total +18.25.");
  const differences = found.getByRole("table").getByRole("row");
  await expect(differences).toHaveCount(4);
  await expect(differences.nth(1)).toContainText(/2\.5.*20\.25.*\+17\.75/);
  await expect(differences.nth(2)).toContainText(/Added.*4.*\+4/);
  await expect(differences.nth(3)).toContainText(/3\.5.*Removed.*−3\.5/);
  await expectNoViolation(page);

  const shared = await browser.newPage();
  await signIn(shared, VIEWER, batchPath(id));
  await expect(shared.getByRole("heading", { name: "Timeline" })).toBeVisible();
  await expect(shared.getByRole("link", { name: "Correct and resend" })).toHaveCount(0);
  await shared.close();
});

test("a batch that is not cancelled cannot be corrected, and the page says so", async ({ page, request }) => {
  const id = `${newPrefix("open")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, batchPath(id));
  await expect(page.getByRole("button", { name: "Cancel batch…" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Correct and resend" })).toHaveCount(0);
  await page.goto(`/batches/new?corrects=${CONTRACT}/${id}`);
  await expect(
    page.getByText(`The batch ${id} is PENDING. Only a cancelled batch can be corrected.`),
  ).toBeVisible();
});

test("a note is added to a batch, read by a viewer, and deleted by its author", async ({
  page,
  request,
  browser,
}) => {
  const id = `${newPrefix("note")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, batchPath(id));
  await page.getByRole("button", { name: "Add note…" }).click();
  const dialog = page.getByRole("dialog", { name: "Add note" });
  await expectNoViolation(page);
  await dialog.getByRole("button", { name: "Add note" }).click();
  await expect(dialog.getByLabel("Note")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Note").fill("Called the client.\nThey confirm on Monday.");
  await dialog.getByRole("button", { name: "Add note" }).click();
  await expect(dialog).toBeHidden();
  const timeline = page.getByRole("region", { name: "Timeline" });
  await expect(timeline).toContainText(`Note by ${ADMIN.email}`);
  await expect(timeline).toContainText("They confirm on Monday.");
  await expectNoViolation(page);

  const other = await browser.newPage();
  await signIn(other, VIEWER, batchPath(id));
  await expect(other.getByText("They confirm on Monday.")).toBeVisible();
  await expect(other.getByRole("button", { name: /note/ })).toHaveCount(0);
  await other.close();

  await timeline.getByRole("button", { name: "Delete note" }).click();
  const question = page.getByRole("dialog", { name: "Delete this note?" });
  await question.getByRole("button", { name: "Delete note" }).click();
  await expect(question).toBeHidden();
  await expect(timeline).not.toContainText("They confirm on Monday.");
  await page.goto("/access/audit");
  await expect(page.getByText("deleted their note on the batch").first()).toBeVisible();
  await expect(page.getByText("added a note to the batch").first()).toBeVisible();
});
