import { existsSync } from "node:fs";
import { startBuiltApp } from "@/testing/built-app";
import { signInTo } from "@/testing/sign-in";
import { median, spreadOf, table, withSpread } from "../measure";
import type { BenchOptions, PartReport } from "../report";
import { seedBatches } from "../seed";
import { makeCallers, openWorld } from "../world";

const CHROMIUM = "/usr/bin/chromium";
const BATCHES = 100_000;
const RUNS_PER_ROUND = 3;

/** The console's batch list: server time, bytes, and the time until it is usable. */
export async function benchConsolePage({ rounds, batchesMax }: BenchOptions): Promise<PartReport> {
  const world = await openWorld();
  const { db, url } = await world.newDatabase("console");
  const callers = await makeCallers(db, 16);
  const batches = Math.min(BATCHES, batchesMax);
  await seedBatches(db, { callers, batches, transfersEach: 4, recipients: 10_000, due: false });
  const app = await startBuiltApp({
    environment: {
      DATABASE_URL: url,
      AUTH_SECRET: "auth-secret-of-this-bench-run",
      FINALIZER: "off",
      SELF_CHECK_EVERY_HOURS: "0",
    },
  });
  const { chromium } = await import("@playwright/test");
  const browser = await chromium.launch({
    ...(existsSync(CHROMIUM) && { executablePath: CHROMIUM }),
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const { cookie } = await signInTo(app);
    const first: number[] = [];
    const html: number[] = [];
    const sent: number[] = [];
    const usable: number[] = [];
    for (let round = 0; round < rounds * RUNS_PER_ROUND; round++) {
      const startedAt = performance.now();
      const reply = await fetch(`${app.url}/batches`, { headers: { Cookie: cookie } });
      first.push(performance.now() - startedAt);
      html.push((await reply.text()).length / 1024);
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
      await context.addCookies(
        cookie.split("; ").map((pair) => ({
          name: pair.slice(0, pair.indexOf("=")),
          value: pair.slice(pair.indexOf("=") + 1),
          url: app.url,
        })),
      );
      const page = await context.newPage();
      await page.goto(`${app.url}/batches`, { waitUntil: "load" });
      await page.locator("tbody tr, [role=row]").nth(5).waitFor();
      // Usable after hydration, when keys and clicks work.
      await page.waitForFunction(() =>
        Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")),
      );
      usable.push(await page.evaluate(() => performance.now()));
      sent.push(
        (await page.evaluate(() =>
          [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce(
            (bytes, entry) => bytes + (entry as PerformanceResourceTiming).transferSize,
            0,
          ),
        )) / 1024,
      );
      await context.close();
    }
    console.log(
      `  console page: server ${median(first).toFixed(0)} ms, ${median(html).toFixed(0)} KiB of HTML, ${median(sent).toFixed(0)} KiB in all, usable ${median(usable).toFixed(0)} ms`,
    );
    const spread = { first: spreadOf(first), sent: spreadOf(sent), usable: spreadOf(usable) };
    return {
      title: `The console's batch list, ${batches.toLocaleString("en")} batches stored`,
      text: table(
        [
          "time to first byte, ms",
          "HTML, KiB",
          "transferred with an empty cache, KiB",
          "usable in Chromium, ms",
        ],
        [
          [
            withSpread(spread.first),
            median(html).toFixed(0),
            withSpread(spread.sent),
            withSpread(spread.usable),
          ],
        ],
      ),
      figures: [
        {
          key: "console.first-byte",
          what: "console page, ms to first byte",
          worse: "higher",
          ...spread.first,
        },
        { key: "console.bytes", what: "console page, KiB", worse: "higher", ...spread.sent },
        { key: "console.usable", what: "console page, ms until usable", worse: "higher", ...spread.usable },
      ],
    };
  } finally {
    await browser.close();
    await app.stop();
    await world.close();
  }
}
