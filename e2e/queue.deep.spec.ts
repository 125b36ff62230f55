import { expect, type Page } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { appOfTwo, decide, submit, test, untilFinalized, walletOf } from "./journey";
import { FIRST, SECOND } from "./people";

/** The other journeys leave unusual batches in the shared app. */
const { signedIn, newContract } = appOfTwo("operator");

const cardOf = (page: Page, title: string | RegExp) =>
  page.getByRole("list", { name: "Alerts" }).getByRole("listitem").filter({ hasText: title });

const UNUSUAL = /Very unusual batch of .*: eighty/;
const HOLD = "Put this batch on hold?";

async function decideByKey(page: Page, key: string, title: string, reason: string, button: string) {
  await page.keyboard.press(key);
  const dialog = page.getByRole("dialog", { name: title });
  await dialog.getByLabel("Reason").fill(reason);
  await dialog.getByRole("button", { name: button }).click();
  return dialog;
}

test("two people empty the queue: what one decides is gone on the other's screen, and who comes second learns why", async ({
  browser,
}) => {
  test.slow();
  const contract = await newContract();
  const { address } = contract;
  const first = await signedIn(browser, FIRST, "/batches");
  const { request } = first.context();
  await submit(request, { id: "usual", seconds: 1, contract });
  await untilFinalized(request, "usual", contract);
  await expect(first.getByText("Nothing needs you. No batch is due.")).toBeVisible();

  const rows: [string, string][] = [1, 2].map((wallet) => [walletOf(wallet), "300"]);
  await submit(request, { id: "eighty", rows, contract });
  const banner = first.getByRole("status", { name: "Alerts", exact: true });
  await expect(banner.getByRole("link", { name: UNUSUAL })).toHaveAttribute(
    "href",
    new RegExp(`^/batches/${address}/eighty$`, "i"),
  );
  await expect(first.getByText("Nothing needs you.")).toHaveCount(0);
  await first.getByRole("link", { name: "View alert" }).click();

  const second = await signedIn(browser, SECOND, "/inbox");
  for (const page of [first, second]) {
    await expect(cardOf(page, UNUSUAL)).toContainText("The total is 600, 80 times the most that 95%");
    await expect(cardOf(page, UNUSUAL)).toContainText("Its total against the contract’s last 1 finalized");
    await expect(cardOf(page, UNUSUAL).getByText("From the smallest: 7.5.")).toBeAttached();
  }
  await expectNoViolation(first);

  await test.step("the second person has the same decision open", async () => {
    await second.keyboard.press("h");
    const theirs = second.getByRole("dialog", { name: HOLD });
    await theirs.getByLabel("Reason").fill("Too much");
    const mine = await decideByKey(first, "h", HOLD, "Looks odd", "Put on hold");
    await expect(mine).toBeHidden();
    await theirs.getByRole("button", { name: "Put on hold" }).click();
    await expect(theirs.getByRole("alert")).toContainText(
      /^The batch is already on hold\. first@example\.com put it on hold at .* UTC: “Looks odd”\./,
    );
    await theirs.getByRole("button", { name: "Not now" }).click();
  });

  await test.step("a hold needs neither its author nor, for a day, anyone else", async () => {
    for (const page of [first, second]) await expect(page.getByText("No open alerts")).toBeVisible();
    await expect(first.getByText("Nothing needs you. 1 on hold. No batch is due.")).toBeVisible();
    const page = await signedIn(browser, SECOND, `/batches/${address}/eighty`);
    await decide(page, "Release", "Release this batch?", "Is right");
    for (const one of [first, second]) await expect(cardOf(one, UNUSUAL)).toBeVisible();
  });

  await test.step("what is checked stays in its place, still critical, and says by whom", async () => {
    await first.keyboard.press("s");
    await cardOf(first, UNUSUAL).getByRole("button", { name: "Let it be paid" }).press("Enter");
    await expect(first.getByText("Checked. It is paid when it is due.")).toBeVisible();
    await expect(cardOf(second, UNUSUAL)).toContainText("Checked by first@example.com");
    await expect(first).toHaveTitle("Alerts · Point transfer batches");
    await expect(first.getByText("1 critical", { exact: true })).toBeVisible();
    await expect(first.getByRole("link", { name: "1 critical" })).toHaveCount(0);
    await expect(first.getByText("Nothing needs you.")).toHaveCount(0);
  });
  const cancel = "Cancel this batch?";
  await expect(await decideByKey(second, "c", cancel, "A zero too many", "Cancel batch")).toBeHidden();
  for (const page of [first, second]) {
    await expect(page.getByText("No open alerts")).toBeVisible();
    await expect(page.getByText("Nothing needs you. No batch is due.")).toBeVisible();
  }

  await test.step("a payout that repeats it has it beside it", async () => {
    await submit(request, { id: "again", rows, contract });
    const card = cardOf(second, /Very unusual batch of .*: again/);
    await expect(card.getByRole("paragraph").filter({ hasText: "Repeats" })).toHaveText(
      /^Repeatseighty600.*Cancelled$/,
    );
    await expectNoViolation(second);
  });

  await test.step("a more urgent card does not take the keys; a check chooses the next one", async () => {
    const again = cardOf(second, /Very unusual batch of .*: again/);
    const sooner = cardOf(second, /Very unusual batch of .*: sooner/);
    const titles = second.getByRole("list", { name: "Alerts" }).locator("li > div:first-child > a");
    await second.mouse.move(0, 0);
    await submit(request, { id: "sooner", seconds: 600, rows: [[walletOf(3), "123456.75"]], contract });
    await expect(sooner).toBeVisible();
    await expect(titles).toHaveText([/sooner/, /again/]);
    await expect(again).toHaveAttribute("aria-current", "true");
    await again.getByRole("button", { name: "Let it be paid" }).press("Enter");
    await expect(again).toContainText(`Checked by ${SECOND.email}`);
    await expect(sooner).toHaveAttribute("aria-current", "true");
    await expect(sooner.getByRole("link").first()).toBeFocused();
    const pay = sooner.getByRole("button", { name: "Let it be paid" });
    await expect(pay).toBeVisible();
    await expect(titles.first()).toHaveText(/sooner/);

    // While the pointer is on a button, what arrives above it waits below.
    await pay.hover();
    await submit(request, { id: "soonest", seconds: 300, rows: [[walletOf(4), "900"]], contract });
    await expect(titles).toHaveText([/sooner/, /soonest/, /again/]);
    await second.mouse.move(0, 0);
    await expect(titles).toHaveText([/soonest/, /sooner/, /again/]);
    await expect(second.getByRole("button", { name: /^Mark (?!as not checked)/ })).toHaveCount(0);
    await pay.click();
    await expect(sooner).toContainText(`Checked by ${SECOND.email}`);
    await expect(titles).toHaveText([/soonest/, /sooner/, /again/]);
    await expectNoViolation(second, ["light", "dark"]);
  });

  await test.step("what a card decides about several batches is a bulk action", async () => {
    const payoutId = "both";
    for (const wallet of [5, 6])
      await submit(request, { id: `both.${wallet}`, payoutId, rows: [[walletOf(wallet), "5000"]], contract });
    const card = cardOf(second, /both/);
    await expect(card).toContainText("10,000 Points in 2 transfers");
    await card.getByRole("button", { name: "Hold" }).click();
    const dialog = second.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("Both are odd");
    await dialog.getByRole("button", { name: "Put 2 batches on hold" }).click();
    await expect(dialog).toContainText("Put on hold: 2 batches");
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(card).toHaveCount(0);
    await cardOf(second, "soonest").getByRole("button", { name: "Hold" }).focus();
    await decideByKey(second, "h", HOLD, "Odd", "Put on hold");
    await expect(cardOf(second, "sooner").getByRole("link").first()).toBeFocused();
  });

  await test.step("on a phone, the list shows the whole amount beside the flag", async () => {
    await second.setViewportSize({ width: 390, height: 800 });
    await second.goto("/batches");
    const amount = second.getByRole("cell").filter({ hasText: "123,456.75" });
    await expect(amount).toBeVisible();
    expect(await amount.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0);
  });
});
