import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { appOfTwo, newPrefix, submit, test } from "./journey";
import { FIRST, SECOND } from "./people";

/** The other journeys need a single admin. */
const { signedIn, newContract } = appOfTwo("admin");

test("a rule takes two admins, and then a large batch takes a second person", async ({ browser }) => {
  test.slow();
  const contract = await newContract();
  const { address, token } = contract;

  const page = await signedIn(browser, FIRST, `/contracts/${address}/approvals`);
  const { request } = page.context();
  const approvals = page.getByRole("region", { name: "Approvals", exact: true });
  await expect(approvals.getByText("No approval needed")).toHaveCount(2);
  await approvals.getByRole("button", { name: "Propose a rule…" }).click();
  const proposing = page.getByRole("dialog", { name: "Propose an approval rule" });
  await proposing.getByLabel("Approval threshold").fill("10");
  await proposing.getByLabel("Reason").fill("Large batches need two people");
  await proposing.getByRole("button", { name: "Propose rule" }).click();
  await expect(approvals.getByText("Another admin must approve it.")).toBeVisible();
  await expect(approvals.getByRole("button", { name: "Approve…" })).toHaveCount(0);
  await expectNoViolation(page);

  const other = await signedIn(browser, SECOND, `/contracts/${address}/approvals`);
  const theirs = other.getByRole("region", { name: "Approvals", exact: true });
  await theirs.getByRole("button", { name: "Approve…" }).click();
  const approvingRule = other.getByRole("dialog", { name: "Approve this rule?" });
  await approvingRule.getByLabel("Reason").fill("Agreed");
  await approvingRule.getByRole("button", { name: "Approve rule" }).click();
  await expect(theirs.getByText("Batches of 10 Points or more")).toBeVisible();
  await expect(theirs.getByRole("list", { name: "Proposed changes" })).toHaveCount(0);

  const prefix = newPrefix("approve");
  const path = (id: string) => `/batches/${address}/${id}`;
  // 1.5 + 2.5 + 3.5 + 4.5 points.
  await submit(request, { id: `${prefix}1`, seconds: 1, transfers: 4, contract });
  await submit(request, { id: `${prefix}2`, transfers: 4, contract });
  const get = async (id: string) => {
    const reply = await request.get(`/v1/contracts/${address}/batches/${id}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    return (await reply.json()).batch;
  };
  expect(await get(`${prefix}1`)).toMatchObject({ status: "PENDING", awaitingApproval: true });

  await page.goto(`/batches?status=AWAITING_APPROVAL&id=${prefix}`);
  await expect(page.getByRole("row", { name: `${prefix}1` })).toContainText("PendingAwaiting approval");
  await page.goto(path(`${prefix}1`));
  await expect(page.getByRole("main").getByText("Operators and admins can approve or reject")).toBeVisible();
  await expectNoViolation(page);
  await page.getByRole("button", { name: "Approve…" }).click();
  const approving = page.getByRole("dialog", { name: "Approve this batch?" });
  await approving.getByLabel("Reason").fill("Checked with the client");
  await approving.getByRole("button", { name: "Approve batch" }).click();
  await expect(page.getByText("“Checked with the client”")).toBeVisible();
  await expect(page.getByText("Finalized, recipients credited")).toBeVisible();
  expect(await get(`${prefix}1`)).not.toHaveProperty("awaitingApproval");

  await page.goto(path(`${prefix}2`));
  await page.getByRole("button", { name: "Reject…" }).click();
  const rejecting = page.getByRole("dialog", { name: "Reject this batch?" });
  await rejecting.getByLabel("Reason").fill("Not ours");
  await rejecting.getByRole("button", { name: "Reject batch" }).click();
  await expect(page.getByText("Rejected, points returned")).toBeVisible();
  expect((await get(`${prefix}2`)).status).toBe("CANCELLED");
});
