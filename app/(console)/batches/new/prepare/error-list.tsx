"use client";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { KIND_LABELS, type RowCode, visible } from "@/app/(console)/batches/new/csv/row-errors";
import { saveCsv } from "@/app/data/csv";
import { formatCount } from "@/app/ui/amount";
import { Button } from "@/app/ui/button";
import { Input } from "@/app/ui/fields";
import type { Checked, FileError } from "../csv/checked";
import type { FileUse } from "./use-file";

const SHOWN_FIRST = 100;
const COLUMNS = "sm:grid sm:grid-cols-[64px_minmax(80px,140px)_minmax(0,2fr)_minmax(0,3fr)] sm:gap-x-4";

interface ErrorListProps {
  file: FileUse;
  checked: Checked;
  onLine: ((error: FileError) => void) | undefined;
}

export function ErrorList({ file, checked, onLine }: ErrorListProps) {
  const [kind, setKind] = useState<RowCode | null>(null);
  const [search, setSearch] = useState("");
  const [shownMax, setShownMax] = useState(SHOWN_FIRST);
  const counts = useMemo(() => countByCode(checked.errors), [checked]);
  const wanted = search.trim().toLowerCase();
  const found = useMemo(
    () =>
      checked.errors.filter(
        (error) =>
          (kind === null || error.code === kind) &&
          (wanted === "" || `${error.line} ${error.value} ${error.message}`.toLowerCase().includes(wanted)),
      ),
    [checked, kind, wanted],
  );
  return (
    <section aria-labelledby="errors" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <h2 id="errors" className="font-semibold text-body">
          Errors
        </h2>
        <Input
          type="search"
          aria-label="Search errors"
          placeholder="Line, value or text"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="ml-auto h-7! w-48! text-label!"
        />
        <Button size="small" onClick={() => void download(file)}>
          <Download aria-hidden size={13} className="text-muted" />
          Download rows with errors
        </Button>
      </div>
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
      <div className="rounded-card border border-line bg-surface">
        <div aria-hidden className={`max-sm:hidden px-4 py-2 font-medium text-label text-muted ${COLUMNS}`}>
          <span className="text-right">Line</span>
          <span>Column</span>
          <span>Value</span>
          <span>How to fix it</span>
        </div>
        <ul aria-label="Errors">
          {found.slice(0, shownMax).map((error, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: errors have no identity of their own, and the list is rebuilt
            <ErrorItem key={index} error={error} onLine={onLine} />
          ))}
        </ul>
        {found.length === 0 && (
          <p className="flex items-center justify-center gap-3 border-line border-t p-4 text-muted text-table">
            No results
            <Button
              size="small"
              onClick={() => {
                setKind(null);
                setSearch("");
              }}
            >
              Clear filters
            </Button>
          </p>
        )}
        {found.length > shownMax && (
          <p className="flex items-center justify-center gap-3 border-line border-t p-3 text-label text-muted tabular-nums">
            {formatCount(shownMax)} of {formatCount(found.length)} shown
            <Button size="small" onClick={() => setShownMax(shownMax * 2)}>
              Show more
            </Button>
          </p>
        )}
      </div>
    </section>
  );
}

function ErrorItem({ error, onLine }: { error: FileError; onLine: ErrorListProps["onLine"] }) {
  const line = formatCount(error.line);
  return (
    <li
      className={`relative flex flex-col gap-0.5 border-line px-4 py-2 text-table max-sm:not-first:border-t sm:border-t ${onLine ? "hover:bg-hover" : ""} ${COLUMNS}`}
    >
      <span className="text-muted tabular-nums sm:text-right">
        <span className="sm:sr-only">Line </span>
        {onLine ? (
          <button
            type="button"
            onClick={() => onLine(error)}
            className="rounded-badge text-accent underline after:absolute after:inset-0"
          >
            {line}
          </button>
        ) : (
          line
        )}
      </span>
      <span className="break-words text-muted">{error.column || "Whole row"}</span>
      <span className="break-all font-mono text-mono">{visible(error.value) || "Empty"}</span>
      <span>
        {error.message}
        {error.fix && (
          <span className="block break-all text-muted">
            Suggestion: <span className="font-mono text-mono text-text">{error.fix.value}</span>
          </span>
        )}
      </span>
    </li>
  );
}

function countByCode(errors: readonly FileError[]): [RowCode, number][] {
  const counts = new Map<RowCode, number>();
  for (const { code } of errors) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

async function download({ checker, loaded }: FileUse): Promise<void> {
  const name = loaded?.name.replace(/\.[A-Za-z0-9]{1,5}$/, "") ?? "rows";
  await saveCsv(`${name}-errors.csv`, [await checker.badRows()]);
}
