import type { Database } from "@/db/client";
import { byPointType, type PointType } from "@/server/kernel/values/batch-terms";
import { shortestPoints } from "../kernel/values/points";

/** The balances of an address in one point type, as decimal strings (docs/api.md, "Balances"). */
export interface AccountBalances {
  available: string;
  pendingSent: string;
  earnedCumulative: string;
  receivedCumulative: string;
  finalizedSentCumulative: string;
}

const NOTHING: AccountBalances = {
  available: "0",
  pendingSent: "0",
  earnedCumulative: "0",
  receivedCumulative: "0",
  finalizedSentCumulative: "0",
};

interface AccountRow {
  address: Buffer;
  point_type: PointType;
  available: string;
  pending: string;
  earned: string;
  received: string;
  sent: string;
}

/** Balances of an address in every point type. Zero if it never had any. */
export async function readBalances(
  db: Database,
  address: Buffer,
): Promise<Record<PointType, AccountBalances>> {
  return (await balancesOf(db, [address]))(address);
}

/** Reads the balances of several addresses in one query. Zero if an address never had any. */
export async function balancesOf(
  db: Database,
  addresses: readonly Buffer[],
): Promise<(address: Buffer) => Record<PointType, AccountBalances>> {
  const rows = await db.sql<AccountRow[]>`
    select address, point_type, earned + received - sent - pending as available, pending, earned, received, sent
    from accounts where address in ${db.sql(addresses.length ? [...addresses] : [Buffer.alloc(0)])}`;
  const known = new Map(rows.map((row) => [accountKey(row.address, row.point_type), toBalances(row)]));
  return (address) => byPointType((type) => known.get(accountKey(address, type)) ?? NOTHING);
}

const accountKey = (address: Buffer, type: PointType) => `${address.toString("hex")} ${type}`;

/** Balances of an address in one point type. */
export async function readAccount(
  db: Database,
  address: Buffer,
  pointType: PointType,
): Promise<AccountBalances> {
  return (await readBalances(db, address))[pointType];
}

function toBalances(row: AccountRow): AccountBalances {
  return {
    available: shortestPoints(row.available),
    pendingSent: shortestPoints(row.pending),
    earnedCumulative: shortestPoints(row.earned),
    receivedCumulative: shortestPoints(row.received),
    finalizedSentCumulative: shortestPoints(row.sent),
  };
}
