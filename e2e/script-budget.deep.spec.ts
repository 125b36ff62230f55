import { gzipSync } from "node:zlib";
import { expect, type Page, type Response } from "@playwright/test";
import { batchPath, newPrefix, signIn, submit, test } from "./journey";
import { ADMIN, CONTRACT } from "./people";

const BYTES_MAX = 200_000;
/** A link to the list with a batch open beside it: the list is at the budget, and the batch comes on top. */
const WITH_BATCH_BYTES_MAX = 212_000;

/** Gzipped bytes of script that a first visit loads. */
async function scriptBytes(page: Page, path: string): Promise<number> {
  const scripts: Promise<number>[] = [];
  const weighScript = (reply: Response) => {
    if (reply.request().resourceType() === "script")
      scripts.push(reply.body().then((body) => gzipSync(body).length));
  };
  page.on("response", weighScript);
  await page.goto(path);
  await page.waitForLoadState("load");
  await page.waitForTimeout(1500);
  // What comes after the load cannot be read once the page is closed.
  page.off("response", weighScript);
  return (await Promise.all(scripts)).reduce((sum, bytes) => sum + bytes, 0);
}

test("no page loads more than 200 kB of script initially, and a batch open beside the list adds 12 kB", async ({
  browser,
  request,
}) => {
  test.slow();
  const id = `${newPrefix("size")}1`;
  await submit(request, { id });
  const person = await browser.newContext();
  await signIn(await person.newPage(), ADMIN);
  const storageState = await person.storageState();
  const open = ["/sign-in", "/welcome", "/docs", "/docs/errors"];
  const ofContracts = [
    "/contracts",
    `/contracts/${CONTRACT}`,
    `/contracts/${CONTRACT}/webhooks`,
    `/contracts/${CONTRACT}/statements?month=${new Date().toISOString().slice(0, 7)}`,
    `/recipients/${CONTRACT}`,
  ];
  const forStaff = [
    "/batches",
    "/batches/new",
    "/batches/jobs",
    batchPath(id),
    `${batchPath(id)}/compare`,
    `/batches?id=${id}&open=${CONTRACT}/${id}`,
    ...ofContracts,
    "/operations",
    "/inbox",
    "/access",
    "/access/audit",
    "/recipients",
    "/profile",
  ];
  const sizes: Record<string, number> = {};
  const weigh = async (path: string) => {
    const visitor = await browser.newContext(forStaff.includes(path) ? { storageState } : {});
    sizes[path] = await scriptBytes(await visitor.newPage(), path);
    await visitor.close();
  };
  const paths = [...open, ...forStaff];
  while (paths.length > 0) await Promise.all(paths.splice(0, 5).map(weigh));
  const most = (path: string) => (path.includes("open=") ? WITH_BATCH_BYTES_MAX : BYTES_MAX);
  expect(Object.entries(sizes).filter(([path, bytes]) => bytes > most(path))).toEqual([]);
});
