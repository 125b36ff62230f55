import { expect, test } from "vitest";
import { createAccessToken, revokeToken } from "@/server/auth/tokens";
import { createStaff } from "@/server/staff/people";
import { useLedger } from "@/testing/use-ledger";
import { checksumAddress } from "../kernel/values/address-text";
import { describeSetup } from "./read-contracts";

const { db, context, newContract, submit } = useLedger();
const admin = () => context("staff:admin@example.com");

test("each first step is done as soon as it is stored, and undone when a token is revoked", async () => {
  expect(await describeSetup(admin(), {})).toMatchObject({ contractAddress: null, hasTeam: false });
  const contractAddress = checksumAddress((await newContract()).slice(2).toLowerCase());
  const other = await newContract();
  const setup = () => describeSetup(admin(), { contractAddress });
  expect(await setup()).toMatchObject({
    contractAddress,
    hasToken: false,
    hasBatch: false,
    hasWebhook: false,
  });
  expect((await describeSetup(admin(), {})).contractAddress).toBe(contractAddress);

  const { id } = await createAccessToken(admin(), {
    contractAddress,
    name: "backend",
    scopes: ["batches:write"],
    expiresAt: null,
  });
  expect(await setup()).toMatchObject({ hasToken: true, hasBatch: false });
  await submit(contractAddress, [[1, "1"]]);
  expect(await setup()).toMatchObject({ hasToken: true, hasBatch: true, hasWebhook: false });
  await db.sql`insert into webhook_endpoints (contract_address, url, events, secret_sealed, created_by)
    select contract_address, 'https://example.com/', array['batch.finalized'], '\\x00', 'test' from batches`;
  expect(await setup()).toMatchObject({ hasWebhook: true, hasTeam: false });
  const join = (email: string) =>
    createStaff(admin(), { email, role: "viewer", password: "correct horse battery" });
  await join("a@example.com");
  expect(await setup(), "one person is no team").toMatchObject({ hasTeam: false });
  await join("b@example.com");
  expect(await setup()).toMatchObject({ hasTeam: true });

  await revokeToken(admin(), { contractAddress, tokenId: id });
  expect(await setup()).toMatchObject({ hasToken: false, hasBatch: true });
  expect(await describeSetup(admin(), { contractAddress: other })).toMatchObject({
    hasToken: false,
    hasBatch: false,
    hasWebhook: false,
  });
});
