import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { type BuiltApp, startBuiltApp } from "@/testing/launch-app";
import { pageOf, test } from "./journey";

/** Of README and docs, made by `npm run pictures`, each with what was where on it. */
const PICTURES = [
  { name: "batches-light", path: "/batches", sign: /^Very unusual batch of Rewards/ },
] as const;
const BYTES_MAX = 250_000;
/** Between pictures of the same screen, whose counts have more or fewer digits. */
const DISTANCE_MAX = 40;

/** Of all in the demo's data, it has the most transfers. */
const BUSIEST = "0x05467cfc72e4cdc05251f5f2c583443c10510ad9";

type Place = [what: string, x: number, y: number];

let app: BuiltApp;
test.beforeAll(async () => {
  app = await startBuiltApp({ environment: { PUBLIC_RECEIPTS: "on" } });
  await app.ops(["seed-demo", "--batches", "3000"]);
});
test.afterAll(() => app?.stop());

const fileOf = (name: string, ending: string) => `docs/screens/${name}.${ending}`;
const digestOf = (picture: Buffer) => createHash("sha256").update(picture).digest("hex");

/** What is on the screen, without rows, numbers and IDs. */
const layoutOf = (page: Page) =>
  page.locator("h1, h2, a, button, input, th").evaluateAll((elements) =>
    elements.flatMap((element): Place[] => {
      const { x, y, width } = element.getBoundingClientRect();
      const isSeen = width > 1 && x < innerWidth && y < innerHeight && !element.closest("tbody, .sr-only");
      const name = (element.getAttribute("aria-label") || element.textContent).replaceAll(/\S*\d\S*/g, "0");
      return isSeen ? [[`${element.localName} ${name}`, Math.round(x), Math.round(y)]] : [];
    }),
  );

test("README and docs show the screens as they are", async ({ browser }, { config }) => {
  const shown = ["README.md", ...readdirSync("docs").map((file) => `docs/${file}`)].flatMap((file) =>
    file.endsWith(".md")
      ? [...readFileSync(file, "utf8").matchAll(/screens\/([\w-]+)\.png/g)].map(([, name]) => name)
      : [],
  );
  expect(new Set(shown)).toEqual(new Set(PICTURES.map(({ name }) => name)));
  for (const { name, path, sign } of PICTURES) {
    const page = await pageOf(browser, app.admin, path, app.url);
    await page.setViewportSize({ width: 1200, height: 750 });
    await expect(page.getByRole("link", { name: sign })).toBeVisible();
    if (config.updateSnapshots === "changed") {
      await page.waitForLoadState("networkidle");
      const digest = digestOf(await page.screenshot({ path: fileOf(name, "png"), animations: "disabled" }));
      const layout = (await layoutOf(page)).map((place) => `    ${JSON.stringify(place)}`).join(",\n");
      writeFileSync(fileOf(name, "json"), `{\n  "digest": "${digest}",\n  "layout": [\n${layout}\n  ]\n}\n`);
    }
    const picture = readFileSync(fileOf(name, "png"));
    const taken: { digest: string; layout: Place[] } = JSON.parse(readFileSync(fileOf(name, "json"), "utf8"));
    expect(picture.length).toBeLessThan(BYTES_MAX);
    expect(digestOf(picture), "made with the list beside it").toBe(taken.digest);
    const near = (now: number, then: number) => (Math.abs(now - then) <= DISTANCE_MAX ? then : now);
    await expect(async () => {
      const layout = (await layoutOf(page)).map(([what, x, y], at) => {
        const [, oldX, oldY] = taken.layout[at] ?? [];
        return [what, near(x, oldX), near(y, oldY)];
      });
      expect(layout, "run `npm run pictures`").toEqual(taken.layout);
    }).toPass({ timeout: 30_000 });
  }
});

test("the page of a wallet with a thousand transfers is less than 250 kB of HTML", async ({ request }) => {
  const page = await request.get(`${app.url}/r/${BUSIEST}`);
  expect(await page.text()).toContain("Older transfers");
  expect((await page.body()).length).toBeLessThan(BYTES_MAX);
});
