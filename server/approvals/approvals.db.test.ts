import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { proposalConditions } from "@/server/alerts/conditions";
import { acceptInvitation } from "@/server/staff/links";
import { batchOf, LIMITS, newPerson, storedPerson } from "@/testing/factories";
import { callerOf } from "@/testing/staff-caller";
import { useLedger } from "@/testing/use-ledger";
import { approveBatch } from "../batches/change/approve-batch";
import { findBatch } from "../batches/list/get-batch";
import { submitBatch } from "../batches/submit/submit-batch";
import { createConsoleCaller } from "../trpc/root";
import { decideChange, proposeChange } from "./changes";
import { readApprovals } from "./read-approvals";
import type { ProposeChangeInput } from "./schema";

const { db, context, newContract, submit } = useLedger();

const ann = () => context("staff:ann@example.com");
const bob = () => context("staff:bob@example.com");
const RULE = {
  kind: "RULE",
  pointType: "PHASE2_POINTS",
  threshold: "10",
  onUnusual: false,
  dayThreshold: null,
  reason: "large",
} as const;

type Rule = Extract<ProposeChangeInput, { kind: "RULE" }>;

async function proposal(change: Partial<Omit<Rule, "kind">> = {}) {
  const contractAddress = change.contractAddress ?? (await newContract());
  const { changeId } = await proposeChange(ann(), { ...RULE, contractAddress, ...change });
  return { contractAddress, changeId, reason: "agreed" };
}
const inForce = async (contractAddress: string) => (await readApprovals(ann(), { contractAddress })).rules[0];
const NONE = { pointType: "PHASE2_POINTS", threshold: null, onUnusual: false, dayThreshold: null };

describe("a proposed rule", () => {
  test("applies to new batches only", async () => {
    const change = await proposal();
    const { contractAddress } = change;
    const submitted = (batchId: string) =>
      submit(contractAddress, [[1, "10"]], { batchId, secondsToFinalize: 3600 });
    await submitted("before");
    await decideChange(bob(), "approve", change);
    await submitted("after");
    for (const [batchId, awaitsApproval] of [
      ["before", false],
      ["after", true],
    ] as const)
      expect(await findBatch(ann(), contractAddress, batchId)).toMatchObject({ awaitsApproval });
  });

  test("that loosens or ends the rule in force needs another admin too", async () => {
    const first = await proposal();
    await decideChange(bob(), "approve", first);
    const { contractAddress } = first;
    const looser = await proposal({ contractAddress, threshold: null });
    await expect(decideChange(ann(), "approve", looser)).rejects.toMatchObject({ code: "not_allowed" });
    expect(await inForce(contractAddress)).toMatchObject({ threshold: "10" });
    await decideChange(bob(), "approve", looser);
    expect(await inForce(contractAddress)).toEqual(NONE);
  });

  test("does not exist for an unknown contract or ID", async () => {
    const unknown = `0x${"ee".repeat(20)}`;
    await expect(proposal({ contractAddress: unknown })).rejects.toMatchObject({
      code: "contract_not_found",
    });
    const change = await proposal();
    const other = { ...change, contractAddress: await newContract() };
    await expect(decideChange(bob(), "approve", other)).rejects.toMatchObject({ code: "not_found" });
  });
});

test("a viewer or operator reads rules and changes none, and only from operator on batches are approved or rejected", async () => {
  const contractAddress = await newContract();
  await decideChange(bob(), "approve", await proposal({ contractAddress }));
  const change = { contractAddress, changeId: "00000000-0000-4000-8000-000000000000", reason: "because" };
  for (const role of ["viewer", "operator"] as const) {
    const { approvals } = callerOf(db, role);
    expect((await approvals.get({ contractAddress })).rules).toHaveLength(2);
    const refused = "requires the role admin";
    await expect(approvals.propose({ ...RULE, contractAddress })).rejects.toThrow(refused);
    for (const decide of ["approve", "reject", "withdraw"] as const)
      await expect(approvals[decide](change)).rejects.toThrow(refused);
  }
  for (const decide of ["approve", "reject"] as const) {
    const key = { contractAddress, batchId: decide, reason: "because" };
    await submit(contractAddress, [[1, "10"]], { batchId: decide, secondsToFinalize: 3600 });
    await expect(callerOf(db, "viewer").batches[decide](key)).rejects.toThrow("requires the role operator");
    await callerOf(db, "operator").batches[decide](key);
  }
  expect((await findBatch(ann(), contractAddress, "approve")).approvedBy).toBe("staff:operator@example.com");
  expect((await findBatch(ann(), contractAddress, "reject")).status).toBe("CANCELLED");
});

describe("one admin alone, while a rule is in force,", () => {
  const root = (email: string, role: "admin" | "operator" = "admin") => ({
    ...context(`staff:${email}`),
    staff: { email, role, sessionId: randomUUID() },
  });
  const consoleOf = (email: string, role: "admin" | "operator" = "admin") =>
    createConsoleCaller({
      ...root(email, role),
      limits: LIMITS,
      authorization: null,
      clientAddress: "console",
      replyHeaders: new Headers(),
    }).console;
  const accept = (url: string | null) =>
    acceptInvitation(
      { db, requestId: "r", clientAddress: "192.0.2.1" },
      { token: url!.split("#")[1]!, password: "a password that is long" },
    );
  /** What `accept` changes, without the time that hashing a password takes. */
  const comesIn = (email: string) => db.sql`
    with used as (
      update staff_invitations set ended = 'used' from staff
      where staff.id = staff_id and email = ${email} and ended is null returning staff_id
    )
    update staff set password_hash = 'x', session_epoch = session_epoch + 1 from used where id = staff_id`;
  const confirmed = { message: expect.stringContaining("another admin confirms") };

  beforeAll(async () => {
    vi.stubEnv("PUBLIC_URL", "https://points.example.com");
    for (const email of ["ann@example.com", "bob@example.com", "cem@example.com"])
      await newPerson(db, { email, role: "admin", password: "a password that is long" });
    const rule = await proposal();
    await decideChange(bob(), "approve", rule);
  });
  afterAll(() => vi.unstubAllEnvs());

  const idOf = async (email: string) => (await storedPerson(db, email)).id;
  /** Each gives an account to Ann, and returns its email. */
  const WAYS: Record<string, () => Promise<string>> = {
    "invites an admin": async () => {
      const { url, email } = await consoleOf("ann@example.com").staff.invite({
        email: "new@example.com",
        role: "admin",
      });
      await accept(url);
      return email;
    },
    "invites a viewer and raises them": async () => {
      const { email, personId } = await consoleOf("ann@example.com").staff.invite({
        email: "raised@example.com",
        role: "viewer",
      });
      await comesIn(email);
      await consoleOf("ann@example.com").staff.changeRole({ personId, role: "admin" });
      return email;
    },
    "takes a new link of an admin": async () => {
      await newPerson(db, { email: "dee@example.com", role: "admin", password: "a password that is long" });
      const id = await idOf("dee@example.com");
      await accept((await consoleOf("ann@example.com").staff.newLink({ personId: id })).url);
      return "dee@example.com";
    },
    "enables a disabled admin": async () => {
      await newPerson(db, { email: "eve@example.com", role: "admin", password: "a password that is long" });
      const id = await idOf("eve@example.com");
      await consoleOf("ann@example.com").staff.disable({ personId: id });
      await consoleOf("ann@example.com").staff.enable({ personId: id });
      return "eve@example.com";
    },
    "lets an admin whom they invited invite another one": async () => {
      for (const [by, email] of [
        ["ann@example.com", "first@example.com"],
        ["first@example.com", "second@example.com"],
      ] as const) {
        await consoleOf(by).staff.invite({ email, role: "admin" });
        await comesIn(email);
      }
      return "second@example.com";
    },
  };

  test.each(Object.keys(WAYS))(
    "approves nothing when that admin %s, until another one confirms it",
    async (way) => {
      const email = await WAYS[way]!();
      const puppet = () => context(`staff:${email}`);
      const personId = await idOf(email);
      const rule = await proposal();
      await expect(decideChange(puppet(), "approve", rule)).rejects.toMatchObject(confirmed);
      // Nor does Ann approve what that account proposes or submits.
      const contractAddress = await newContract();
      const own = await proposeChange(puppet(), { ...RULE, contractAddress });
      await expect(
        decideChange(ann(), "approve", { contractAddress, changeId: own.changeId, reason: "agreed" }),
      ).rejects.toThrow(`You gave ${email} their access`);
      await decideChange(bob(), "approve", { contractAddress, changeId: own.changeId, reason: "agreed" });
      const key = { contractAddress, batchId: "b", reason: "checked" };
      for (const [ctx, batchId] of [
        [ann(), "b"],
        [puppet(), "c"],
      ] as const) {
        const options = { batchId, secondsToFinalize: 3600 };
        await submitBatch(ctx, LIMITS, batchOf(contractAddress, [[1, "10"]], options));
      }
      await expect(approveBatch(puppet(), key)).rejects.toMatchObject(confirmed);
      await expect(approveBatch(ann(), { ...key, batchId: "c" })).rejects.toThrow(
        `You gave ${email} their access`,
      );
      // Nor is it confirmed by either of the two.
      for (const by of ["ann@example.com", email])
        await expect(consoleOf(by).staff.confirm({ personId })).rejects.toThrow(
          /You gave|is not confirmed yet/,
        );
      expect(await proposalConditions(ann())).toContainEqual(
        expect.objectContaining({ subject: email, title: `Access of ${email} as admin awaits confirmation` }),
      );
      await expect(consoleOf("cem@example.com", "operator").staff.confirm({ personId })).rejects.toThrow(
        "requires the role admin",
      );
      await consoleOf("cem@example.com").staff.confirm({ personId });
      await decideChange(puppet(), "approve", rule);
      await approveBatch(puppet(), key);
      await approveBatch(ann(), { ...key, batchId: "c" });
    },
  );

  test("does not confirm whom they invited as a viewer and another admin raised", async () => {
    const { email, personId } = await consoleOf("ann@example.com").staff.invite({
      email: "seen@example.com",
      role: "viewer",
    });
    await comesIn(email);
    await consoleOf("bob@example.com").staff.changeRole({ personId, role: "operator" });
    for (const by of ["ann@example.com", "bob@example.com"])
      await expect(consoleOf(by).staff.confirm({ personId })).rejects.toThrow("You gave");
    await consoleOf("cem@example.com").staff.confirm({ personId });
  });

  test("keeps no link to an account that another one confirms", async () => {
    const { id: personId } = await newPerson(db, { email: "fay@example.com", role: "admin" });
    const { url } = await consoleOf("ann@example.com").staff.newLink({ personId });
    await consoleOf("bob@example.com").staff.confirm({ personId });
    await expect(accept(url)).rejects.toThrow("not valid");
    const invited = await consoleOf("ann@example.com").staff.invite({
      email: "gil@example.com",
      role: "operator",
    });
    const confirm = () => consoleOf("bob@example.com").staff.confirm({ personId: invited.personId });
    await expect(confirm()).rejects.toThrow("has not signed in yet");
    await accept(invited.url);
    await confirm();
  });

  test("does not count an admin who is not confirmed among those who could approve", async () => {
    const contractAddress = await newContract();
    const others = async () => (await readApprovals(ann(), { contractAddress })).otherAdmins;
    const before = await others();
    const { id: personId } = await newPerson(db, { email: "hal@example.com", role: "admin" });
    expect(await others()).toBe(before + 1);
    await consoleOf("ann@example.com").staff.newLink({ personId });
    expect(await others()).toBe(before);
  });

  test("limits neither viewers, nor operators whom nobody else gave access, nor one's own link", async () => {
    const { personId } = await consoleOf("ann@example.com").staff.invite({
      email: "viewer@example.com",
      role: "viewer",
    });
    const id = await idOf("ann@example.com");
    await consoleOf("ann@example.com").staff.newLink({ personId: id });
    await consoleOf("ann@example.com").staff.newLink({ personId });
    const people = await consoleOf("bob@example.com").staff.list();
    const limited = people.filter(({ unconfirmedBy }) => unconfirmedBy.length > 0).map(({ email }) => email);
    const alerted = (await proposalConditions(ann())).map(({ subject }) => subject);
    for (const email of ["viewer@example.com", "ann@example.com"])
      expect([...limited, ...alerted]).not.toContain(email);
  });
});
