import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { expectLedgerToBalance } from "@/testing/expect-ledger-to-balance";
import { times } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { settleClaim } from "./settle";

const { db, newContract, submit } = useLedger();

const CLAIMS = 6;
const RECIPIENTS = 400;

/** The claims pay mostly the same wallets, in different orders. Settling in any order except by address would deadlock. */
test("claims that pay the same wallets and each other's contracts settle concurrently without a deadlock", async () => {
  const contracts = await times(CLAIMS, () => newContract());
  const strides = [7, 9, 11, 13, 17, 19];
  for (let round = 0; round < 4; round++) {
    await times(CLAIMS * 4, (i) => {
      const sender = i % CLAIMS;
      const rows = Array.from({ length: RECIPIENTS / 2 }, (_, n) => {
        const recipient = (n * strides[sender]! + i * 31 + round) % RECIPIENTS;
        return [0x50_0000 + recipient, "1"] as const;
      });
      const others = contracts.filter((_, at) => at !== sender).map((to) => [to, "2"] as const);
      return submit(contracts[sender]!, [...others, ...rows]);
    });
    const claims = contracts.map((contract) => ({ id: randomUUID(), contracts: [addressToBytes(contract)] }));
    for (const claim of claims) {
      await db.sql`
        update batches set status = 'FINALIZING', claim_id = ${claim.id}, claimed_at = now(), updated_at = now(),
          lease_until = now() + interval '1 minute'
        where status = 'PENDING' and contract_address = ${claim.contracts[0]!}`;
    }
    const settled = await times(CLAIMS, (at) => settleClaim(db, claims[at]!));
    expect(settled.map(({ batches }) => batches)).toEqual(Array(CLAIMS).fill(4));
    await expectLedgerToBalance(db);
  }
});
