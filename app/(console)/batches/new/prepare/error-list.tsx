import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { csvStart, saveCsv } from "@/app/data/csv";
import { formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { DataTable, ROW_LINK } from "@/app/ui/data-table";
import { Section } from "@/app/ui/section";
import type { Checked, FileError } from "@/terms/file/checked";
import { visible } from "@/terms/file/file-words";
import { KIND_LABELS, type RowCode } from "@/terms/file/row-errors";
import type { FileUse } from "./use-file";

const SHOWN_MAX = 100;

interface ErrorListProps {
  file: FileUse;
  checked: Checked;
  onLine: ((error: FileError) => void) | undefined;
}

export default function ErrorList({ file, checked: { errors }, onLine }: ErrorListProps) {
  const [kind, setKind] = useState<RowCode | null>(null);
  const counts = useMemo(() => countByCode(errors), [errors]);
  const found = useMemo(() => errors.filter(({ code }) => kind === null || code === kind), [errors, kind]);
  return (
    <Section
      title="Errors"
      actions={
        <Button size="small" icon={Download} onClick={() => void download(file)}>
          Download rows with errors
        </Button>
      }
    >
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">Error type</legend>
        {counts.map(([code, count]) => (
          <Button
            key={code}
            size="small"
            aria-pressed={kind === code}
            onClick={() => setKind(kind === code ? null : code)}
            className={kind === code ? "border-accent! bg-selected!" : undefined}
          >
            {KIND_LABELS[code]} <span className="text-muted tabular-nums">{formatCount(count)}</span>
          </Button>
        ))}
      </fieldset>
      <DataTable
        label="Rows with errors"
        linked
        rows={found.slice(0, SHOWN_MAX)}
        keyOf={({ line, column, code }) => `${line} ${column} ${code}`}
        columns={[
          { name: "Line", render: (error) => <Line error={error} onLine={onLine} /> },
          { name: "Column", render: ({ column }) => column || "Whole row" },
          {
            name: "Value",
            render: ({ value }) => <span className="break-all mono">{visible(value) || "Empty"}</span>,
          },
          {
            name: "How to fix it",
            render: ({ message }) => <span className="wrap-anywhere">{message}</span>,
          },
        ]}
      />
      {found.length > SHOWN_MAX && (
        <p className="text-center hint tabular-nums">
          The first {SHOWN_MAX} of {formatCount(found.length)}. The file with errors has all of them.
        </p>
      )}
    </Section>
  );
}

function Line({ error, onLine }: { error: FileError; onLine: ErrorListProps["onLine"] }) {
  const line = formatCount(error.line);
  return (
    <span className="tabular-nums">
      <span className="md:hidden">Line </span>
      {onLine ? (
        <button
          type="button"
          onClick={() => onLine(error)}
          className={`rounded-badge text-accent underline ${ROW_LINK}`}
        >
          {line}
        </button>
      ) : (
        line
      )}
    </span>
  );
}

function countByCode(errors: readonly FileError[]): [RowCode, number][] {
  const counts = new Map<RowCode, number>();
  for (const { code } of errors) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** Of rows with errors and of rows that were left out. */
export async function download({ checker, loaded }: FileUse): Promise<void> {
  const name = loaded?.name.replace(/\.[A-Za-z0-9]{1,5}$/, "") ?? "rows";
  await saveCsv(`${name}-errors.csv`, [csvStart(document.cookie), await checker.ask("badRows")]);
}
