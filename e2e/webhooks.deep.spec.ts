import { expect, type Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { type Receiver, startReceiver } from "@/testing/local-servers";
import { expectNoViolation } from "./axe";
import { newAddress, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN } from "./people";
import { createContract } from "./setup";

let receiver: Receiver;
test.beforeAll(async () => {
  receiver = await startReceiver();
});
test.afterAll(() => receiver.close());

const received = (text: string) => receiver.received.filter(({ body }) => body.includes(text));

test.use({ reducedMotion: "reduce" });

const cardOf = (page: Page, url: string) => page.getByRole("region", { name: `Webhook ${url}`, exact: true });

/** @returns the signing secret */
async function add(page: Page, url: string): Promise<string> {
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a webhook" });
  await dialog.getByLabel("URL").fill(url);
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  return keepSecret(page);
}

async function keepSecret(page: Page): Promise<string> {
  const shown = page.getByRole("dialog", { name: "Signing secret created" });
  const secret = /whsec_[A-Za-z0-9+/=]{44}/.exec((await shown.textContent()) ?? "")![0];
  await page.keyboard.press("Escape");
  await shown.getByRole("button", { name: "Done" }).click();
  await expect(page.getByText(secret)).toHaveCount(0);
  return secret;
}

test("a webhook is added, replays events, and is rotated, disabled and deleted", async ({
  page,
  request,
}) => {
  test.slow();
  // Batches of other tests would fill the delivery log of the shared contract.
  const address = newAddress();
  const contract = { address, token: createContract(address, "Hooks") };
  const { url } = receiver;
  await signIn(page, ADMIN, `/contracts/${address}`);
  await page.getByRole("link", { name: "Webhooks" }).first().click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a webhook" });
  await dialog.getByLabel("URL").fill("https://user:secret@example.com/");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByText("Must not contain a user name or password.")).toBeVisible();
  await expectNoViolation(page);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  const secret = await add(page, url);
  const card = cardOf(page, url);
  await expect(card.getByText("Never used")).toBeVisible();

  receiver.answerWith((response) => response.writeHead(500).end());
  const id = `${newPrefix("hook")}1`;
  await submit(request, { id, contract });
  const row = card.getByRole("row").filter({ hasText: id });
  await expect(row).toContainText("Retrying");
  await expect(row).toContainText("500");
  await expect(card.getByText("Failing")).toBeVisible();
  receiver.answerWith((response) => response.writeHead(204).end());
  await page.getByRole("button", { name: `Replay batch.created for ${id}` }).click();
  await expect(row).toContainText("Delivered");
  await expect(card.getByText("Active")).toBeVisible();
  const ofBatch = received(id);
  expect(new Set(ofBatch.map(({ id }) => id)).size).toBe(1);
  expect(new Webhook(secret).verify(ofBatch[0]!.body, ofBatch[0]!.headers)).toMatchObject({
    type: "batch.created",
    data: { batchId: id, status: "PENDING", points: "7.5" },
  });

  await expectNoViolation(page);
  await card.getByRole("button", { name: "Rotate secret…" }).click();
  await page.getByRole("button", { name: "Rotate secret", exact: true }).click();
  const rotated = await keepSecret(page);
  await expect(card.getByText("Previous secret valid until")).toBeVisible();
  await card.getByRole("button", { name: "Send test event" }).click();
  await expect.poll(() => received("webhook.test").length).toBe(1);
  const { body, headers } = received("webhook.test")[0]!;
  for (const one of [secret, rotated]) new Webhook(one).verify(body, headers);

  await card.getByRole("button", { name: "Disable…" }).click();
  await page.getByRole("button", { name: "Disable webhook" }).click();
  await expect(card.getByText("Disabled")).toBeVisible();
  await card.getByRole("button", { name: "Enable" }).click();
  await expect(card.getByText("Active")).toBeVisible();
  await card.getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  await expect(page.getByText("Webhook deleted")).toBeVisible();
  await expect(card).toHaveCount(0);

  await page.goto("/access/audit");
  for (const words of [
    "added the webhook",
    "replayed batch.created",
    "rotated the secret",
    "deleted the webhook",
  ])
    await expect(page.getByText(words).filter({ hasText: url }).first()).toBeVisible();
});
