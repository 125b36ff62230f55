import { expect } from "@playwright/test";
import { auth, batchPath, decide, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN, CONTRACT, VIEWER } from "./people";

test("a suspicious batch is reviewed, put on hold past its due time, and released", async ({
  page,
  request,
}) => {
  const prefix = newPrefix("hold");
  const id = `${prefix}2`;
  await submit(request, { id: `${prefix}1`, seconds: 3600 });
  await signIn(page, ADMIN);
  await submit(request, { id, seconds: 30 });
  const dueMs = Date.now() + 30_000;
  await page.goto(batchPath(id));
  await expect(page.getByRole("region", { name: "Review" })).toContainText("The total is 7.5");
  await decide(page, "Put on hold", "Put this batch on hold?", "Amounts to be checked");
  await expect(page.getByText("On hold", { exact: true })).toBeVisible();
  await expect(page.getByText("Pending", { exact: true })).toBeVisible();
  await expect(page.getByText("“Amounts to be checked”")).toBeVisible();
  await expect(page.getByText(`Put on hold by ${ADMIN.email}`)).toBeVisible();
  await expect(page.getByText("Reason: Amounts to be checked")).toBeVisible();
  await page.waitForTimeout(Math.max(0, dueMs + 2_000 - Date.now()));
  await expect(page.getByText("On hold", { exact: true })).toBeVisible();
  const own = await request.get(`/v1/contracts/${CONTRACT}/batches/${id}`, auth());
  expect((await own.json()).batch.status).toBe("PENDING");

  await page.goto(`/batches?status=HELD&id=${prefix}`);
  await expect(page.getByRole("row", { name: id })).toContainText("PendingOn hold");
  await page.goto(batchPath(id));
  await page.getByRole("button", { name: "Release…" }).click();
  const release = page.getByRole("dialog", { name: "Release this batch?" });
  await expect(release.getByText("Reason for the hold: Amounts to be checked")).toBeVisible();
  await release.getByLabel("Reason").fill("They are right");
  await release.getByRole("button", { name: "Release batch" }).click();
  await expect(page.getByText("Finalized, recipients credited")).toBeVisible();
  await expect(page.getByText("“They are right”")).toBeVisible();
  await expect(page.getByText(/^Put on hold by/)).toHaveCount(0);
});

test("a viewer sees the review of a batch but cannot put it on hold", async ({ page, request }) => {
  const id = `${newPrefix("seen")}1`;
  await submit(request, { id });
  await signIn(page, VIEWER, batchPath(id));
  await expect(page.getByRole("heading", { name: "Review" })).toBeVisible();
  await expect(page.getByRole("button", { name: /hold/i })).toHaveCount(0);
});
