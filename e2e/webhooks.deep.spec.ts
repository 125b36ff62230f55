import { expect, type Page } from "@playwright/test";
import { Webhook } from "standardwebhooks";
import { type Receiver, startReceiver } from "@/testing/webhook-receiver";
import { expectNoViolation } from "./axe";
import { expectFits, newAddress, newPrefix, openAs, signIn, submit, test } from "./journey";
import { ADMIN, VIEWER } from "./people";
import { createContract } from "./setup";

let receiver: Receiver;
let url: string;
test.beforeEach(async () => {
  receiver = await startReceiver();
  url = receiver.url;
});
test.afterEach(() => receiver.close());

const received = (text: string) => receiver.received.filter(({ body }) => body.includes(text));

/** A separate contract, because batches of other tests would fill the delivery log. */
const contract = { address: newAddress(), token: "" };
const PATH = `/contracts/${contract.address}/webhooks`;
test.beforeAll(() => {
  contract.token ||= createContract(contract.address, "Hooks");
});

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

async function remove(page: Page, url: string): Promise<void> {
  await cardOf(page, url).getByRole("button", { name: "Delete…" }).click();
  await page.getByRole("button", { name: "Delete webhook" }).click();
  // Before that, the dialog only hides the card, and leaving the page would abort the request.
  await expect(page.getByText("Webhook deleted")).toBeVisible();
  await expect(cardOf(page, url)).toHaveCount(0);
}

test("a webhook is added, receives and replays events, and is rotated, disabled, enabled and deleted", async ({
  page,
  request,
}) => {
  test.slow();
  await signIn(page, ADMIN, `/contracts/${contract.address}`);
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a webhook" });
  await dialog.getByLabel("URL").fill("https://user:secret@example.com/");
  await dialog.getByRole("button", { name: "Add webhook" }).click();
  await expect(dialog.getByText("Must not contain a user name or password.")).toBeVisible();
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
  await remove(page, url);

  await page.goto("/access/audit");
  for (const words of [
    "added the webhook",
    "replayed batch.created",
    "rotated the secret",
    "disabled the webhook",
    "deleted the webhook",
  ])
    await expect(page.getByText(words).filter({ hasText: url }).first()).toBeVisible();
});

test("a viewer sees webhooks but cannot change them", async ({ page, browser }) => {
  await signIn(page, ADMIN, PATH);
  await add(page, url);
  const viewer = await openAs(browser, VIEWER, PATH);
  await expect(cardOf(viewer, url)).toBeVisible();
  await expect(
    viewer.getByRole("button", { name: /Add webhook|Rotate|Delete|Disable|Send test/ }),
  ).toHaveCount(0);
  await remove(page, url);
});

test.describe("in both themes", () => {
  test.use({ reducedMotion: "reduce" });

  test("webhooks, their delivery log and dialogs have no accessibility violations, also on a phone", async ({
    page,
    request,
  }) => {
    test.slow();
    await signIn(page, ADMIN, PATH);
    await page.getByRole("button", { name: "Add webhook" }).click();
    await expect(page.getByRole("dialog", { name: "Add a webhook" })).toBeVisible();
    await expectNoViolation(page);
    await page.keyboard.press("Escape");
    await add(page, url);
    const id = `${newPrefix("hooks-axe")}1`;
    await submit(request, { id, contract });
    await expect(cardOf(page, url).getByText(id)).toBeVisible();
    await expectNoViolation(page);
    await cardOf(page, url).getByRole("button", { name: "Rotate secret…" }).click();
    await expect(page.getByRole("dialog", { name: "Rotate the signing secret?" })).toBeVisible();
    await expectNoViolation(page);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 800 });
    await expectNoViolation(page);
    await expectFits(page);
    await remove(page, url);
  });
});
