import { expect, test } from "vitest";
import { wallet } from "@/testing/factories";
import { useLedger } from "@/testing/use-ledger";
import { addressToBytes } from "../kernel/values/addresses";
import { balancesOf, readAccount, readBalances } from "./accounts";

const { db, newContract, submit, finalize } = useLedger();

const NOTHING = {
  available: "0",
  pendingSent: "0",
  earnedCumulative: "0",
  receivedCumulative: "0",
  finalizedSentCumulative: "0",
};
const received = (points: string) => ({ ...NOTHING, available: points, receivedCumulative: points });

test("balances are read per address and point type, and are zero for unknown addresses", async () => {
  const contract = await newContract();
  await submit(contract, [
    [1, "1.5"],
    [2, "20"],
  ]);
  await submit(contract, [[2, "0.25"]], { pointType: "PHASE2_GOLD" });
  await finalize();
  const [one, two, stranger] = [1, 2, 3].map((n) => addressToBytes(wallet(n))) as [Buffer, Buffer, Buffer];
  const balances = await balancesOf(db, [one, two, stranger]);
  expect(balances(one)).toEqual({ PHASE2_POINTS: received("1.5"), PHASE2_GOLD: NOTHING });
  expect(balances(two)).toEqual({ PHASE2_POINTS: received("20"), PHASE2_GOLD: received("0.25") });
  expect(balances(stranger)).toEqual({ PHASE2_POINTS: NOTHING, PHASE2_GOLD: NOTHING });
  expect(await readBalances(db, two)).toEqual(balances(two));
  expect(await readAccount(db, two, "PHASE2_GOLD")).toEqual(received("0.25"));
  expect((await balancesOf(db, []))(one)).toEqual(balances(stranger));
});

test("available is earned plus received, minus sent and pending", async () => {
  const contract = await newContract({ issuance: "PREFUNDED", granted: "100" });
  await submit(await newContract(), [[contract, "10"]]);
  await submit(contract, [[1, "30"]]);
  await finalize();
  await submit(contract, [[1, "5.5"]], { secondsToFinalize: 3600 });
  expect(await readAccount(db, addressToBytes(contract), "PHASE2_POINTS")).toEqual({
    available: "74.5",
    pendingSent: "5.5",
    earnedCumulative: "100",
    receivedCumulative: "10",
    finalizedSentCumulative: "30",
  });
});
