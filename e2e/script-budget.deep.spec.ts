import { gzipSync } from "node:zlib";
import { expect, type Page, type Response } from "@playwright/test";
import { batchPath, newPrefix, signIn, submit, takeSnapshot, test, untilFinalized } from "./journey";
import { ADMIN, CONTRACT } from "./people";

/** As the browser receives them, also with a batch open next to the list. */
const BYTES_MAX = 200_000;
/** Brotli hides growth in repetitive code, so the gzip size is bounded too. */
const GZIPPED_MAX = 200_000;
const GZIPPED_WITH_BATCH_MAX = 212_000;

interface Size {
  bytes: number;
  gzipped: number;
}

/** What a first visit loads of scripts. */
async function scriptSize(page: Page, path: string): Promise<Size> {
  const scripts: Promise<Size>[] = [];
  const weigh = async (reply: Response) => ({
    bytes: (await reply.request().sizes()).responseBodySize,
    gzipped: gzipSync(await reply.body()).length,
  });
  const weighScript = (reply: Response) => {
    if (reply.request().resourceType() === "script") scripts.push(weigh(reply));
  };
  page.on("response", weighScript);
  await page.goto(path);
  await page.waitForLoadState("load");
  await page.waitForTimeout(1500);
  // Later responses could not be read once the page is closed.
  page.off("response", weighScript);
  return (await Promise.all(scripts)).reduce((sum, size) => ({
    bytes: sum.bytes + size.bytes,
    gzipped: sum.gzipped + size.gzipped,
  }));
}

test("no page loads more than 200 kB of script initially", async ({ browser, request }) => {
  test.slow();
  const id = `${newPrefix("size")}1`;
  await submit(request, { id, seconds: 1 });
  await submit(request, { id: `${id}.1`, payoutId: id });
  await untilFinalized(request, id);
  const person = await browser.newContext();
  const page = await person.newPage();
  await signIn(page, ADMIN);
  const snapshotId = await takeSnapshot(page);
  const storageState = await person.storageState();
  const open = ["/sign-in", "/welcome", "/docs", "/docs/reference/batches", "/docs/api", "/docs/errors"];
  const ofContracts = [
    "/contracts",
    `/contracts/${CONTRACT}`,
    ...["tokens", "webhooks", "requests", "approvals"].map((tab) => `/contracts/${CONTRACT}/${tab}`),
    `/contracts/statements?month=${new Date().toISOString().slice(0, 7)}`,
    `/contracts/${CONTRACT}/statements?month=${new Date().toISOString().slice(0, 7)}`,
    `/recipients/${CONTRACT}`,
    "/recipients",
    "/snapshots",
    `/snapshots/allocations/new?snapshot=${snapshotId}`,
  ];
  const forStaff = [
    "/batches",
    "/batches/new",
    batchPath(id),
    `/payouts/${CONTRACT}/${id}`,
    `/batches?id=${id}&open=${CONTRACT}/${id}.1`,
    ...ofContracts,
    "/operations",
    "/inbox",
    "/access",
    "/access/audit",
    "/profile",
  ];
  const sizes: Record<string, Size> = {};
  const weigh = async (path: string) => {
    const visitor = await browser.newContext(forStaff.includes(path) ? { storageState } : {});
    sizes[path] = await scriptSize(await visitor.newPage(), path);
    await visitor.close();
  };
  const paths = [...open, ...forStaff];
  while (paths.length > 0) await Promise.all(paths.splice(0, 5).map(weigh));
  const isOver = (path: string, { bytes, gzipped }: Size) =>
    bytes > BYTES_MAX || gzipped > (path.includes("open=") ? GZIPPED_WITH_BATCH_MAX : GZIPPED_MAX);
  expect(Object.entries(sizes).filter(([path, size]) => isOver(path, size))).toEqual([]);
});
