import type { Sql, TransactionSql } from "postgres";
import { dumpTable, type TableRow } from "./dump-table";

interface Line {
  line: string;
}

/** Objects that belong to an extension are not part of the schema. */
const notOfExtension = (tx: TransactionSql, catalog: string, oid: string) =>
  tx.unsafe(
    `not exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`,
  );

const typeLines = (tx: TransactionSql) => tx<Line[]>`
  select case t.typtype
      when 'e' then format('create type %I as enum (%s);', t.typname,
        (select string_agg(quote_literal(enumlabel), ', ' order by enumsortorder) from pg_enum where enumtypid = t.oid))
      when 'd' then format('create domain %I as %s%s%s%s;', t.typname, format_type(t.typbasetype, t.typtypmod),
        case when t.typnotnull then ' not null' end, ' default ' || t.typdefault,
        (select string_agg(format(' constraint %I %s', conname, pg_get_constraintdef(oid)), '' order by conname collate "C")
          from pg_constraint where contypid = t.oid and contype = 'c'))
      else format('create type %I as (%s);', t.typname,
        (select string_agg(format('%I %s', attname, format_type(atttypid, atttypmod)), ', ' order by attnum)
          from pg_attribute where attrelid = t.typrelid and attnum > 0 and not attisdropped))
    end as line
  from pg_type t left join pg_class c on c.oid = t.typrelid
  where t.typnamespace = 'public'::regnamespace and (t.typtype in ('e', 'd') or c.relkind = 'c')
    and ${notOfExtension(tx, "pg_type", "t.oid")}
  order by t.typname collate "C"`;

const sequenceLines = (tx: TransactionSql) => tx<Line[]>`
  select format('create sequence %I as %s increment %s minvalue %s maxvalue %s start %s cache %s%s;', c.relname,
    format_type(s.seqtypid, null), s.seqincrement, s.seqmin, s.seqmax, s.seqstart, s.seqcache,
    case when s.seqcycle then ' cycle' end) as line
  from pg_sequence s join pg_class c on c.oid = s.seqrelid
  where c.relnamespace = 'public'::regnamespace and ${notOfExtension(tx, "pg_class", "c.oid")}
  order by c.relname collate "C"`;

const functionLines = (tx: TransactionSql) => tx<Line[]>`
  select rtrim(pg_get_functiondef(p.oid), E'\n') || ';' as line from pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
    and ${notOfExtension(tx, "pg_proc", "p.oid")}
  order by p.proname collate "C", pg_get_function_identity_arguments(p.oid) collate "C"`;

const viewLines = (tx: TransactionSql) => tx<Line[]>`
  select format('create %s %I as%s%s', case relkind when 'm' then 'materialized view' else 'view' end, relname, E'\n',
    pg_get_viewdef(oid)) as line
  from pg_class c
  where relnamespace = 'public'::regnamespace and relkind in ('v', 'm') and ${notOfExtension(tx, "pg_class", "c.oid")}
  order by relname collate "C"`;

const tableRows = (tx: TransactionSql) => tx<TableRow[]>`
  select c.oid::text, quote_ident(c.relname) as name, c.relpersistence = 'u' as unlogged,
    pg_get_partkeydef(c.oid) as "partitionKey",
    case when c.relispartition then
      (select inhparent::regclass::text from pg_inherits where inhrelid = c.oid) || ' ' || pg_get_expr(c.relpartbound, c.oid)
    end as "partitionOf",
    array_to_string(c.reloptions, ', ') as options, array_to_string(toast.reloptions, ', ') as "toastOptions",
    c.relrowsecurity as "rowSecurity", c.relforcerowsecurity as "rowSecurityForced"
  from pg_class c left join pg_class toast on toast.oid = c.reltoastrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and ${notOfExtension(tx, "pg_class", "c.oid")}
  order by c.relname collate "C"`;

/**
 * Dumps the public schema as text: types, sequences, tables with their dependent objects, views and functions. The same
 * schema gives the same bytes on Postgres 15 to 18, except for views. For reading and comparing, not for restoring: it has
 * no owners, privileges or data, and sorts tables by name.
 * @throws database errors
 */
export async function dumpSchema(sql: Sql): Promise<string> {
  return await sql.begin("isolation level repeatable read read only", async (tx) => {
    // Catalog functions qualify names depending on the search path.
    await tx`select set_config('search_path', 'public', true)`;
    const sections: string[] = [];
    for (const read of [typeLines, sequenceLines]) {
      const lines = (await read(tx)).map(({ line }) => line);
      if (lines.length > 0) sections.push(lines.join("\n"));
    }
    for (const table of await tableRows(tx)) sections.push(await dumpTable(tx, table));
    for (const read of [viewLines, functionLines]) {
      sections.push(...(await read(tx)).map(({ line }) => line));
    }
    return `${sections.join("\n\n")}\n`;
  });
}
