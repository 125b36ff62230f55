import { clsx } from "clsx";
import { FileText, Upload, X } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { counted } from "@/app/ui/amount";
import { Button, DownloadLink } from "@/app/ui/button";
import { buttonLook } from "@/app/ui/button-look";
import { TextArea } from "@/app/ui/fields";
import type { LoadedFile } from "@/terms/file/checked";

interface GivenRows {
  loaded: Pick<LoadedFile, "name" | "rowCount" | "workbook"> | null;
  read: (source: File | string, name: string) => void;
  clear: () => void;
}

/** What the rows are, for the user. */
interface RowWords {
  /** The accessible name of the pasted text. */
  pasted: string;
  placeholder: string;
  file: string;
  template?: string;
}

const TRANSFERS: RowWords = {
  pasted: "Rows: an address and an amount on each line",
  placeholder: "to_address,points\n0x…,10.5",
  file:
    "A row per recipient, with columns such as to_address, points and reference. " +
    "They can have other names.",
  template: `data:text/csv;charset=utf-8,${encodeURIComponent(
    "to_address,points\r\n0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,10.5\r\n",
  )}`,
};

const PASTED_ROWS_ID = "pasted-rows";
const ACCEPTED =
  ".csv,.tsv,.txt,.json,.xlsx,.xlsm,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet," +
  "text/csv,text/tab-separated-values,text/plain,application/json";

export const PASTED = "Pasted rows";
const TYPING_MS = 300;
const LINES_ABOVE = 3;
export interface SourceState {
  way: "file" | "paste";
  text: string;
  /** The file name, when the text came from a file. */
  name: string;
  /** The file's own text. */
  original?: string;
}

interface SourceProps {
  file: GivenRows;
  source: SourceState;
  onSource: (source: SourceState) => void;
  words?: RowWords;
  /** Height of the pasted text. */
  rows?: number;
}

export function Source({ file, source, onSource, words = TRANSFERS, rows = 9 }: SourceProps) {
  const typing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const write = (text: string) => {
    onSource({ ...source, text });
    clearTimeout(typing.current);
    typing.current = setTimeout(() => (text.trim() ? file.read(text, source.name) : file.clear()), TYPING_MS);
  };
  const go = (way: SourceState["way"]) => {
    if (way === source.way) return;
    onSource({ ...source, way });
    file.clear();
    if (way === "paste" && source.text.trim()) file.read(source.text, source.name);
  };
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-1.5">
        {(["file", "paste"] as const).map((way) => (
          <Button
            key={way}
            size="small"
            aria-pressed={source.way === way}
            onClick={() => go(way)}
            className={source.way === way ? "border-accent! bg-selected!" : undefined}
          >
            {way === "file" ? "File" : "Paste"}
          </Button>
        ))}
        {words.template && (
          <DownloadLink
            href={words.template}
            download="transfers-template.csv"
            size="small"
            className="ml-auto"
          >
            Download template
          </DownloadLink>
        )}
      </div>
      {source.way === "file" ? (
        <DropZone file={file} hint={words.file} />
      ) : (
        <TextArea
          id={PASTED_ROWS_ID}
          aria-label={words.pasted}
          placeholder={words.placeholder}
          value={source.text}
          onChange={(event) => write(event.target.value)}
          rows={rows}
          spellCheck={false}
          autoComplete="off"
          wrap="off"
          className="mono!"
        />
      )}
    </div>
  );
}

function DropZone({ file, hint }: { file: GivenRows; hint: string }) {
  const [over, setOver] = useState(false);
  const { loaded } = file;
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [dropped] = event.dataTransfer.files;
    if (dropped) file.read(dropped, dropped.name);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping needs a mouse; the input works for all
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={clsx(
        "flex min-h-32 flex-col items-center justify-center gap-2",
        "rounded-card border border-dashed px-4 py-5 text-center",
        over ? "border-accent bg-selected" : "border-input-line bg-surface",
      )}
    >
      {loaded ? (
        <p className="flex max-w-full items-center gap-2 text-body">
          <FileText size={16} className="shrink-0 text-muted" />
          <span className="truncate font-medium">{loaded.name}</span>
          <Button variant="ghost" size="icon" icon={X} aria-label="Remove file" onClick={file.clear} />
        </p>
      ) : (
        <>
          <p className="text-body text-muted">Drop a CSV, Excel or JSON file here</p>
          <p className="hint">{hint}</p>
        </>
      )}
      {loaded && loaded.workbook?.sheet !== null && (
        <p className="hint tabular-nums">{counted(loaded.rowCount, "row", "rows")}</p>
      )}
      <label className={clsx(buttonLook({ size: "small" }), "cursor-pointer has-focus-visible:outlined")}>
        <Upload size={13} className="text-muted" />
        {loaded ? "Choose another file" : "Choose a file"}
        <input
          type="file"
          accept={ACCEPTED}
          className="sr-only"
          onChange={(event) => {
            const [chosen] = event.target.files ?? [];
            // So that the same file can be chosen again after it was fixed.
            event.target.value = "";
            if (chosen) file.read(chosen, chosen.name);
          }}
        />
      </label>
    </div>
  );
}

/** Scrolls to a pasted line, counted from 1, and selects the value in it, or the line if it is not unique. */
export function selectLine(line: number, value: string): void {
  const box = document.getElementById(PASTED_ROWS_ID);
  if (!(box instanceof HTMLTextAreaElement)) return;
  const given = box.value.split("\n");
  // The rows of JSON on one line are counted instead.
  const lines = line > given.length ? [box.value] : given;
  const before = lines.slice(0, Math.min(line, lines.length) - 1);
  const start = before.reduce((chars, text) => chars + text.length + 1, 0);
  const text = lines[before.length] ?? "";
  const isOnce = value !== "" && text.split(value).length === 2;
  const from = isOnce ? start + text.indexOf(value) : start;
  box.focus();
  box.setSelectionRange(from, from + (isOnce ? value.length : text.length));
  box.scrollTop = (box.scrollHeight * Math.max(0, before.length + 1 - LINES_ABOVE)) / lines.length;
}
