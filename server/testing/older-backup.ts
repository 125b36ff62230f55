/** A backup as an earlier version would have written it: with fewer migrations, without the tables and columns that came later. */
export function olderBackup(text: string[], migrations: string[], leftOut: string[]): string {
  const out: string[] = [];
  let tables = 0;
  let rows = 0;
  for (let at = 0; at < text.length; ) {
    const line = JSON.parse(text[at] || "{}") as { table?: string; columns?: string[]; end?: true };
    if (line.table === undefined) {
      if (line.end) out.push(JSON.stringify({ ...line, tables, rows }));
      else if (text[at]) out.push(JSON.stringify({ ...line, migrations }));
      at++;
      continue;
    }
    const end = text.indexOf("\\.", at);
    if (!leftOut.includes(line.table)) {
      const kept = line.columns!.map(
        (name) =>
          !["batches_finalized", "transfers_settled", "reach", "token_end"].includes(name) ||
          line.table === "finalizer_runs",
      );
      const pick = (values: string[]) => values.filter((_, index) => kept[index]);
      out.push(JSON.stringify({ ...line, columns: pick(line.columns!) }));
      out.push(...text.slice(at + 1, end).map((row) => pick(row.split("\t")).join("\t")));
      out.push("\\.", text[end + 1]!);
      tables++;
      rows += end - at - 1;
    }
    at = end + 2;
  }
  return `${out.join("\n")}\n`;
}
