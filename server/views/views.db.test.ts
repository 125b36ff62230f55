import { beforeEach, expect, test } from "vitest";
import { newPerson, staffContext } from "@/testing/factories";
import { useDatabase } from "@/testing/test-database";
import { deleteView, listViews, saveView, VIEWS_MAX } from "./saved-views";

const db = useDatabase();
const UNKNOWN = "0d5e0f56-7c3c-4b0e-9a51-0e1f2a3b4c5d";
const as = (email: string) => ({
  ...staffContext(db, email),
  staff: { email, role: "viewer" as const, sessionId: UNKNOWN },
});
const ANN = "ann@example.com";
const BEN = "ben@example.com";
const names = async (email: string) => (await listViews(as(email))).map(({ name }) => name);
const audited = async () =>
  (await db.sql`select actor, action, target, detail from audit_log order by id`).map((row) => ({ ...row }));

beforeEach(async () => {
  await db.sql`truncate staff, staff_invitations, staff_sessions, saved_views, audit_log`;
  for (const email of [ANN, BEN]) await newPerson(db, { email, role: "viewer" });
});

test("a view keeps its name and query, is listed by name, and its changes are audited", async () => {
  const saved = await saveView(as(ANN), { name: "Large gold", query: "type=PHASE2_GOLD&min=1000" });
  await saveView(as(ANN), { name: "alerts", query: "" });
  expect(await listViews(as(ANN))).toEqual([
    { id: expect.any(String), name: "alerts", query: "" },
    { id: saved.id, name: "Large gold", query: "type=PHASE2_GOLD&min=1000" },
  ]);
  await deleteView(as(ANN), { viewId: saved.id });
  expect(await names(ANN)).toEqual(["alerts"]);
  const target = `staff:${ANN}`;
  expect(await audited()).toEqual([
    { actor: target, action: "view.create", target, detail: { name: "Large gold" } },
    { actor: target, action: "view.create", target, detail: { name: "alerts" } },
    { actor: target, action: "view.delete", target, detail: { name: "Large gold" } },
  ]);
});

test("people neither see nor change each other's views, and may use the same names", async () => {
  const { id: viewId } = await saveView(as(ANN), { name: "Mine", query: "" });
  await saveView(as(BEN), { name: "Mine", query: "min=1" });
  await expect(deleteView(as(BEN), { viewId })).rejects.toMatchObject({ code: "not_found" });
  expect(await listViews(as(ANN))).toEqual([{ id: viewId, name: "Mine", query: "" }]);
  expect(await audited()).toHaveLength(2);
});

test("the name of another of the person's views, in any letter case, is refused, and nothing is audited", async () => {
  const refusal = { code: "validation_failed", options: { errors: [{ pointer: "/name" }] } };
  await saveView(as(ANN), { name: "Gold", query: "" });
  await expect(saveView(as(ANN), { name: "GOLD", query: "" })).rejects.toMatchObject(refusal);
  expect(await names(ANN)).toEqual(["Gold"]);
  expect(await audited()).toHaveLength(1);
});

test("nobody can save more than the maximum, even many at the same time", async () => {
  for (let n = 0; n < VIEWS_MAX - 2; n++) await saveView(as(ANN), { name: `view ${n}`, query: "" });
  const results = await Promise.allSettled(
    Array.from({ length: 6 }, (_, n) => saveView(as(ANN), { name: `more ${n}`, query: "" })),
  );
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  expect(await names(ANN)).toHaveLength(VIEWS_MAX);
  await expect(saveView(as(ANN), { name: "one more", query: "" })).rejects.toMatchObject({
    code: "validation_failed",
    message: expect.stringContaining(String(VIEWS_MAX)),
  });
  await saveView(as(BEN), { name: "theirs", query: "" });
});
