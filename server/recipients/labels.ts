import type { Database } from "@/db/client";
import { audited } from "@/server/audit/audited";
import { addressFromBytes, addressToBytes } from "@/server/kernel/address-bytes";
import type { ServiceContext } from "@/server/kernel/context";
import { isDatabaseUnavailable } from "@/server/kernel/database-errors";
import { invalidField } from "@/server/kernel/to-domain-error";
import { addressKey } from "@/terms/address-text";
import type { SetLabelInput } from "./schema";

/** A null removes the label. A contract's is changed on its page. @throws DomainError `validation_failed` */
export async function setLabel(ctx: ServiceContext, { address, label }: SetLabelInput): Promise<void> {
  const { sql } = ctx.db;
  const bytes = addressToBytes(address);
  const contracts = await sql`select 1 from contracts where address = ${bytes}`;
  if (contracts.length > 0)
    throw invalidField(
      "The address is a registered contract.",
      "/address",
      "is a registered contract. Rename the contract instead",
    );
  // Both read `before`, so that it is read and locked first.
  const changed =
    label === null
      ? sql`delete from recipient_labels l using before b where l.address = ${bytes} returning 1`
      : sql`
        insert into recipient_labels (address, label)
        select ${bytes}::bytea, ${label}::text where (select count(*) from before) >= 0
        on conflict (address) do update set label = excluded.label
          where recipient_labels.label <> excluded.label
        returning 1`;
  const target = `recipient:${addressKey(address)}`;
  const detail = sql`jsonb_build_object('from', (select label from before), 'to', ${label}::text)`;
  await sql`
    with before as materialized (
      select label from recipient_labels where address = ${bytes} for update
    ), changed as (${changed}),
    ${audited(ctx, { action: "recipient.label", target, detail, of: "changed" })}
    select 1 from changed`;
}

type Labelled = { address: string } | { toAddress: string };
const addressOf = (row: Labelled) => ("address" in row ? row.address : row.toAddress);

/** A contract's own label comes first. If a Citus worker does not answer, its contracts have none. */
export async function withLabels<Row extends Labelled>(
  db: Database,
  rows: readonly Row[],
): Promise<(Row & { label: string | null })[]> {
  if (rows.length === 0) return [];
  const packed = `\\x${rows.map((row) => addressOf(row).slice(2)).join("")}`;
  const among = (table: "recipient_labels" | "contracts") => db.sql<{ address: Buffer; label: string }[]>`
    with asked as materialized (
      select distinct substring(addresses from from_byte for 20) as address
      from (select ${packed}::text::bytea as addresses) as packed,
        generate_series(1, length(addresses), 20) as from_byte
    )
    select l.address, l.label from asked a join ${db.sql(table)} l on l.address = a.address`;
  const none = (error: unknown) => {
    if (isDatabaseUnavailable(error)) return [];
    throw error;
  };
  const [given, registered] = await Promise.all([among("recipient_labels"), among("contracts").catch(none)]);
  const labels = new Map(
    [...given, ...registered].map((row) => [addressKey(addressFromBytes(row.address)), row.label]),
  );
  return rows.map((row) => ({ ...row, label: labels.get(addressKey(addressOf(row))) ?? null }));
}
