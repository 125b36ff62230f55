import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { newAddress, newPrefix, openAs, signIn, submit, test } from "./journey";
import { ADMIN, BASE_URL, VIEWER } from "./people";
import { createContract } from "./setup";

const steps = (page: Page) => page.getByRole("region", { name: "First steps" });

async function addWebhook(page: Page, contractAddress: string): Promise<void> {
  await page.getByRole("link", { name: "Webhooks", exact: true }).last().click();
  await page.waitForURL(`**/webhooks`);
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  await page.getByLabel("URL").fill("http://127.0.0.1:9/hook");
  await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
  await expect(page.getByText(/whsec_/)).toBeVisible();
  await page.goto(`/contracts/${contractAddress}`);
}

test("a new contract lists its first steps, which are done as they are stored, until none is left", async ({
  page,
  request,
}) => {
  const address = newAddress();
  const token = createContract(address, "First steps");
  await signIn(page, ADMIN, `/contracts/${address}`);
  await expect(steps(page)).toContainText("3 of 5 done");
  await expect(steps(page).getByText(`curl -X POST ${BASE_URL}/v1/contracts/`)).toContainText(
    new RegExp(`contracts/${address}/batches`, "i"),
  );
  await expectNoViolation(page);
  await submit(request, { id: `${newPrefix("steps")}1`, contract: { address, token } });
  await expect(steps(page)).toContainText("4 of 5 done");
  await addWebhook(page, address);
  await expect(page.getByRole("heading", { name: "Access tokens" })).toBeVisible();
  await expect(steps(page)).toHaveCount(0);
});

test("the first steps can be hidden, by each person", async ({ page, browser }) => {
  const address = newAddress();
  createContract(address, "Hidden steps");
  await signIn(page, ADMIN, `/contracts/${address}`);
  await steps(page).getByRole("button", { name: "Hide first steps" }).click();
  await expect(steps(page)).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Access tokens" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(steps(page)).toHaveCount(0);
  const other = await openAs(browser, VIEWER, `/contracts/${address}`);
  await expect(steps(other)).toBeVisible();
  await other.context().close();
});
