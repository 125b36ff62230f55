import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { type BuiltApp, startBuiltApp } from "@/testing/launch-app";
import { pageOf, test } from "./journey";

/** Each has a list of what is where on it. `npm run pictures` makes both. */
const PICTURES = [{ name: "batches-light", path: "/batches", sign: /^Very unusual batch of Rewards/ }];
const FOLDER = "docs/screens";
const BYTES_MAX = 250_000;
/** The wallet with the most transfers. */
const BUSIEST = "0x05467cfc72e4cdc05251f5f2c583443c10510ad9";

type Place = [what: string, x: number, y: number];

let app: BuiltApp;
test.beforeAll(async () => {
  app = await startBuiltApp({ environment: { PUBLIC_RECEIPTS: "on" } });
  await app.ops(["seed-demo", "--batches", "3000"]);
});
test.afterAll(() => app?.stop());
test.describe.configure({ mode: "default" });

const digestOf = (picture: Buffer) => createHash("sha256").update(picture).digest("hex");

/** What is on the screen, without rows, numbers and IDs. */
const layoutOf = (page: Page) =>
  page.locator("h1, h2, a, button, input, th").evaluateAll((elements) =>
    elements.flatMap((element): Place[] => {
      const { x, y, width } = element.getBoundingClientRect();
      const isSeen = width > 1 && x < innerWidth && y < innerHeight && !element.closest("tbody");
      const name = (element.getAttribute("aria-label") || element.textContent).replaceAll(/\S*\d\S*/g, "0");
      return isSeen ? [[`${element.localName} ${name}`, Math.round(x), Math.round(y)]] : [];
    }),
  );

test("pictures in README and docs show the screens as they are", async ({ browser }, { config }) => {
  for (const { name, path, sign } of PICTURES) {
    const page = await pageOf(browser, app.admin, path, app.url);
    await page.setViewportSize({ width: 1200, height: 750 });
    await expect(page.getByRole("link", { name: sign })).toBeVisible();
    const [list, picture] = [`${FOLDER}/${name}.json`, `${FOLDER}/${name}.png`];
    if (config.updateSnapshots === "changed") {
      await page.waitForLoadState("networkidle");
      const digest = digestOf(await page.screenshot({ path: picture, animations: "disabled" }));
      const layout = (await layoutOf(page)).map(
        ([what, x, y]) => `    [${JSON.stringify(what)}, ${x}, ${y}]`,
      );
      writeFileSync(list, `{\n  "digest": "${digest}",\n  "layout": [\n${layout.join(",\n")}\n  ]\n}\n`);
    }
    const taken: { digest: string; layout: Place[] } = JSON.parse(readFileSync(list, "utf8"));
    expect(digestOf(readFileSync(picture)), "made with the list beside it").toBe(taken.digest);
    expect(readFileSync(picture).length).toBeLessThan(BYTES_MAX);
    // Counts have more or fewer digits: within 50 pixels.
    const places = taken.layout.map(([what, ...at]) => [
      what,
      ...at.map((pixel) => expect.closeTo(pixel, -2)),
    ]);
    await expect.poll(() => layoutOf(page), "run `npm run pictures`").toEqual(places);
  }
  const files = PICTURES.flatMap(({ name }) => [`${name}.json`, `${name}.png`]);
  expect(readdirSync(FOLDER).sort()).toEqual(files);
});

test("the page of a wallet with a thousand transfers is less than 250 kB of HTML", async ({ request }) => {
  const page = await request.get(`${app.url}/r/${BUSIEST}`);
  expect(await page.text()).toContain("Older transfers");
  expect((await page.body()).length).toBeLessThan(BYTES_MAX);
});
