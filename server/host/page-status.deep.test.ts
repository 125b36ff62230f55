import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { signIn } from "@/testing/sign-in";
import { useBuiltApp } from "@/testing/use-built-app";

const app = useBuiltApp();
const CONTRACT = wallet(0xc0de);
let cookie: string;

beforeAll(async () => {
  await app.ops(["contract", "create", "--address", CONTRACT, "--label", "Known contract"]);
  ({ cookie } = await signIn(app.url, app.admin));
});

async function openAs(headers: HeadersInit, path: string): Promise<{ status: number; text: string }> {
  const reply = await fetch(`${app.url}${path}`, { headers, redirect: "manual" });
  return { status: reply.status, text: await reply.text() };
}
const open = (path: string) => openAs({ Cookie: cookie }, path);
const openSignedOut = (path: string) => openAs({}, path);

/** The sidebar's property in the data of the page: Next answers these with what the browser draws. */
const SIDEBAR = '\\"chosen\\"';

test.each([
  ["an unknown path", "/no/such/page", "Page not found", "View all batches"],
  ["a path below a page", "/access/nobody", "Page not found", "View all batches"],
  ["an unknown batch", `/batches/${CONTRACT}/none`, "Batch not found", "View all batches"],
  ["a batch ID that cannot be decoded", `/batches/${CONTRACT}/%25E0%25A4%25A`, "Batch not found", "View all"],
  ["an unknown contract", `/contracts/${wallet(0xbad)}`, "Contract not found", "View all contracts"],
  ["its webhooks", `/contracts/${wallet(0xbad)}/webhooks`, "Contract not found", "View all contracts"],
  ["an invalid recipient", "/recipients/0xbad", "Invalid address", "View all batches"],
])("%s is 404 for staff, with the sidebar and a way back", async (_what, path, title, wayBack) => {
  const { status, text } = await open(path);
  expect(status).toBe(404);
  for (const part of [title, wayBack, SIDEBAR]) expect(text).toContain(part);
});

test.each([
  ["a contract", `/contracts/${CONTRACT}`],
  ["its webhooks", `/contracts/${CONTRACT}/webhooks`],
  ["a recipient that was never paid", `/recipients/${wallet(0xf00)}`],
])("%s is 200, and its title has its label or address", async (_what, path) => {
  const { status, text } = await open(path);
  expect(status).toBe(200);
  expect(text).toMatch(/<title>[^<]*(?:Known contract|0x0000…000f00)[^<]*<\/title>/);
});

test("without PUBLIC_RECEIPTS, a wallet's page and receipts are not found, signed in or not", async () => {
  const page = `/r/${wallet(0xf00)}`;
  for (const { status, text } of [await open(page), await openSignedOut(page)]) {
    expect(status).toBe(404);
    expect(text).toContain("Page not found");
    expect(text).not.toContain("Wallet");
  }
  const receipt = await fetch(`${app.url}${page}/${CONTRACT}/some-batch`);
  expect([receipt.status, await receipt.json()]).toMatchObject([404, { code: "not_found" }]);
  expect(receipt.headers.get("cache-control")).toBe("no-store");
});

test("a page whose data cannot be read is 500, with the sidebar and no database message", async () => {
  const sql = postgres(app.databaseUrl(), { max: 1 });
  await sql`alter table batches rename column digest to other_digest`;
  try {
    const { status, text } = await open(`/batches/${CONTRACT}/none`);
    expect(status).toBe(500);
    expect(text).toContain(SIDEBAR);
    expect(text).not.toMatch(/column|does not exist|postgres/i);
  } finally {
    await sql`alter table batches rename column other_digest to digest`;
    await sql.end();
  }
});

test("a visitor who is not signed in learns nothing about what exists", async () => {
  const statuses = await Promise.all(
    [`/contracts/${CONTRACT}`, `/contracts/${wallet(0xbad)}`].map(async (path) => {
      const reply = await fetch(`${app.url}${path}`, { redirect: "manual" });
      return [reply.status, (await reply.text()).includes("Known contract")];
    }),
  );
  expect(statuses[0]).toEqual(statuses[1]);
});
