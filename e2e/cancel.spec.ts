import { expect } from "@playwright/test";
import { auth, batchPath, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

test("a PENDING batch is cancelled with a reason", async ({ page, request }) => {
  const id = `${newPrefix("cancel")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, `/batches?id=${id}`);
  await page.getByRole("link", { name: id }).click();
  const sheet = page.getByRole("dialog", { name: "Batch" });
  await sheet.getByRole("button", { name: "Cancel batch…" }).click();
  const question = page.getByRole("dialog", { name: "Cancel this batch?" });
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(question.getByText("Enter a reason of at least 3 characters.")).toBeVisible();
  await expect(question.getByLabel("Reason")).toBeFocused();
  await question.getByLabel("Reason").fill("Wrong list of recipients");
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(question).toBeHidden();
  await expect(sheet.getByText("“Wrong list of recipients”")).toBeVisible();
  await expect(sheet.getByText(`staff:${ADMIN.email}`)).toBeVisible();
  await expect(sheet.getByRole("button", { name: "Cancel batch…" })).toHaveCount(0);
  await expect(page.getByRole("row", { name: id }).getByText("Cancelled")).toBeVisible();
});

for (const { button, title, confirm, late } of [
  {
    button: "Cancel batch…",
    title: "Cancel this batch?",
    confirm: "Cancel batch",
    late: "Too late to cancel",
  },
  {
    button: "Put on hold…",
    title: "Put this batch on hold?",
    confirm: "Put on hold",
    late: "Too late to put on hold",
  },
])
  test(`“${confirm}” after somebody cancelled the batch says who did, and when`, async ({
    page,
    request,
  }) => {
    const id = `${newPrefix("late")}1`;
    await submit(request, { id });
    await signIn(page, ADMIN, batchPath(id));
    await page.getByRole("button", { name: button }).click();
    const question = page.getByRole("dialog", { name: title });
    await question.getByLabel("Reason").fill("Too late");
    const cancelled = await request.delete(`/v1/contracts/${CONTRACT}/batches/${id}`, auth());
    expect(cancelled.status()).toBe(200);
    await question.getByRole("button", { name: confirm }).click();
    await expect(question.getByText(late)).toBeVisible();
    await expect(question.getByRole("alert")).toContainText(/Cancelled \d{4}-.* \(.*\) by token:e2e/);
  });

test("a change without a network fails immediately, and is not sent later", async ({ page, request }) => {
  const id = `${newPrefix("offline")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, batchPath(id));
  await page.getByRole("button", { name: "Cancel batch…" }).click();
  const question = page.getByRole("dialog", { name: "Cancel this batch?" });
  await question.getByLabel("Reason").fill("Wrong list");
  await page.context().setOffline(true);
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(question.getByRole("alert")).toContainText("Cannot reach the service");
  await question.getByRole("button", { name: "Keep batch" }).click();
  await expect(question).toBeHidden();
  await page.context().setOffline(false);
  await page.reload();
  await expect(page.getByRole("button", { name: "Cancel batch…" })).toBeVisible();
});

test("a reason that cannot be stored is refused by name, and can be corrected", async ({ page, request }) => {
  const id = `${newPrefix("reason")}1`;
  await submit(request, { id });
  await signIn(page, ADMIN, batchPath(id));
  await page.getByRole("button", { name: "Cancel batch…" }).click();
  const question = page.getByRole("dialog", { name: "Cancel this batch?" });
  await question.getByLabel("Reason").evaluate((box: HTMLTextAreaElement) => {
    box.value = "Wrong\0amounts";
  });
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(question.getByRole("alert")).toContainText("contains a character that cannot be stored");
  await question.getByLabel("Reason").fill("Wrong amounts");
  await question.getByRole("button", { name: "Cancel batch" }).click();
  await expect(question).toBeHidden();
});

test("a viewer can see a batch but not cancel it", async ({ page, request }) => {
  const id = `${newPrefix("viewer")}1`;
  await submit(request, { id });
  await signIn(page, VIEWER, batchPath(id));
  await expect(page.getByRole("heading", { name: id })).toBeVisible();
  await expect(page.getByRole("button", { name: /Cancel batch/ })).toHaveCount(0);
  const [, , contractAddress, batchId] = new URL(page.url()).pathname.split("/");
  const refused = await page.evaluate(
    async (input) =>
      (
        await fetch("/api/trpc/console.batches.cancel", {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(input),
        })
      ).status,
    { contractAddress, batchId, reason: "I may not" },
  );
  expect(refused).toBe(403);
});
