import { existsSync } from "node:fs";
import type { Browser } from "@playwright/test";
import { startBuiltApp } from "@/testing/built-app";
import { signInTo } from "@/testing/sign-in";
import { short, spreadOf, table, withSpread } from "../measure";
import type { BenchOptions, PartReport } from "../report";
import { seedBatches } from "../seed";
import { makeCallers, type World } from "../world";

/** The one without windows first, as in the journeys: the other draws with the processor where there is no graphics card. */
const CHROMIUM = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find((path) => existsSync(path));
const RUNS_PER_ROUND = 3;
const DAY_MS = 86_400_000;
const USABLE_MS_MAX = 1000;

/** The list's orders and time filters: those that are ranges of an index, and those that sort the latest batches that match. */
const lists = (): [name: string, path: string][] => [
  ["newest first", "/batches"],
  ["largest amount first", "/batches?sort=AMOUNT_DESC"],
  ["earliest due first", "/batches?sort=DUE"],
  ["pending, earliest due first", "/batches?status=PENDING&sort=DUE"],
  ["finalized on a day", finalizedOn(new Date(Math.floor(Date.now() / DAY_MS - 30) * DAY_MS))],
  ["of one submitter", "/batches?by=token:seed"],
  ["most transfers first, of the newest 10,000", "/batches?sort=TRANSFERS_DESC"],
  [
    "gold, largest amount first, of the newest 10,000",
    "/batches?type=PHASE2_GOLD&status=FINALIZED&sort=AMOUNT_DESC",
  ],
];

const finalizedOn = (day: Date) =>
  `/batches?finalizedFrom=${day.toISOString()}&finalizedTo=${new Date(day.getTime() + DAY_MS).toISOString()}`;

/** The console's batch list in several orders: server time, bytes, and the time until it is usable. */
export async function benchConsolePage(
  { rounds, batchesMax: batches, wants }: BenchOptions,
  world: World,
): Promise<PartReport> {
  const { db, url } = await world.newDatabase("console");
  const callers = await makeCallers(db, 16);
  await seedBatches(db, { callers, batches, transfersEach: 4, recipients: 10_000, due: false });
  const app = await startBuiltApp({
    environment: {
      DATABASE_URL: url,
      AUTH_SECRET: "auth-secret-of-this-bench-run",
      FINALIZER: "off",
      SELF_CHECK_EVERY_HOURS: "0",
      PAGE_RATE_LIMIT_PER_MINUTE: "0",
      CONSOLE_RATE_LIMIT_PER_MINUTE: "0",
    },
  });
  world.atEnd(() => app.stop());
  const { chromium } = await import("@playwright/test");
  const browser = await chromium.launch({
    ...(CHROMIUM && { executablePath: CHROMIUM }),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  world.atEnd(() => browser.close());
  const { cookie } = await signInTo(app);
  const measured = lists()
    .filter(([name]) => wants(name))
    .map(([name, path]) => ({ name, path, visits: [] as Visit[] }));
  for (let round = 0; round < rounds * RUNS_PER_ROUND; round++) {
    for (const { path, visits } of measured)
      visits.push(await visit(browser, { url: `${app.url}${path}`, cookie, origin: app.url }));
  }
  const rows = measured.map(({ name, visits }) => {
    const spread = (of: keyof Visit) => spreadOf(visits.map((one) => one[of]));
    return {
      name,
      first: spread("first"),
      html: spread("html"),
      sent: spread("sent"),
      usable: spread("usable"),
    };
  });
  for (const { name, first, usable } of rows)
    console.log(`  ${name}: server ${short(first.median)} ms, usable ${short(usable.median)} ms`);
  return {
    title: `The console's batch list, ${batches.toLocaleString("en")} batches stored`,
    text: table(
      [
        "list",
        "time to first byte, ms",
        "HTML, KiB",
        "transferred with an empty cache, KiB",
        "usable in Chromium, ms",
      ],
      rows.map(({ name, first, html, sent, usable }) => [
        name,
        withSpread(first),
        html.median.toFixed(0),
        withSpread(sent),
        withSpread(usable),
      ]),
    ),
    figures: rows.flatMap(({ name, first, sent, usable }, index) => {
      const key = index === 0 ? "console" : `console.${name}`;
      const what = `console page, ${name}`;
      return [
        { key: `${key}.first-byte`, what: `${what}, ms to first byte`, worse: "higher" as const, ...first },
        ...(index === 0
          ? [{ key: `${key}.bytes`, what: `${what}, KiB`, worse: "higher" as const, ...sent }]
          : []),
        {
          key: `${key}.usable`,
          what: `${what}, ms until usable`,
          worse: "higher" as const,
          target: { atMost: USABLE_MS_MAX },
          ...usable,
        },
      ];
    }),
  };
}

interface Visit {
  first: number;
  html: number;
  sent: number;
  usable: number;
}

/** One visit with an empty cache: milliseconds and KiB. */
async function visit(
  browser: Browser,
  { url, cookie, origin }: { url: string; cookie: string; origin: string },
): Promise<Visit> {
  const startedAt = performance.now();
  const reply = await fetch(url, { headers: { Cookie: cookie } });
  const first = performance.now() - startedAt;
  const html = (await reply.text()).length / 1024;
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies(
    cookie.split("; ").map((pair) => ({
      name: pair.slice(0, pair.indexOf("=")),
      value: pair.slice(pair.indexOf("=") + 1),
      url: origin,
    })),
  );
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "load" });
  await page.locator("tbody tr, [role=row]").nth(5).waitFor();
  // Usable after hydration, when keys and clicks work.
  await page.waitForFunction(() =>
    Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")),
  );
  const usable = await page.evaluate(() => performance.now());
  const sent =
    (await page.evaluate(() =>
      [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
        (bytes, entry) => bytes + (entry as PerformanceResourceTiming).transferSize,
        0,
      ),
    )) / 1024;
  await context.close();
  return { first, html, sent, usable };
}
