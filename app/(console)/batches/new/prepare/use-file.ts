import { useEffect, useMemo, useState } from "react";
import { problemOf } from "@/app/data/problem";
import { useTRPCClient } from "@/app/data/trpc";
import { type BatchRules, type Treatment, UNTREATED } from "@/terms/file/checked";
import { decodeFile, FileProblem } from "@/terms/file/decode-file";
import type { ColumnMap } from "@/terms/file/rank-columns";
import type { Answered, Calls, FileChoice, FileResult, Progress } from "./check-worker";
import { readNamed } from "./read-named";

/** Client of the worker that holds the rows. The first request starts the worker. */
export class Checker {
  #worker: Worker | undefined;
  #asks = 0;
  readonly #handlers = new Map<number, (answer: Answered) => void>();

  ask<Name extends keyof Calls>(
    name: Name,
    ...[given, onProgress]: Parameters<Calls[Name]>
  ): Promise<Awaited<ReturnType<Calls[Name]>>> {
    const ask = ++this.#asks;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#handlers.set(ask, (answer) => {
        if ("progress" in answer) return onProgress?.(answer.progress);
        this.#handlers.delete(ask);
        if ("refused" in answer) reject(new FileProblem(answer.refused));
        else resolve(answer.value as Awaited<ReturnType<Calls[Name]>>);
      });
      worker.postMessage({ ask, name, given });
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const worker = new Worker(new URL("./check-worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Answered>) => this.#handlers.get(data.ask)?.(data);
    worker.onerror = () => {
      for (const [ask, handle] of this.#handlers)
        handle({ ask, refused: "Could not start reading the file. Reload the page." });
      this.close();
    };
    return worker;
  }
}

/** Larger files are not worth editing by hand. */
const EDITABLE_BYTES_MAX = 1024 * 1024;
const NO_COLUMNS: ColumnMap = { toAddress: null, points: null, reference: null };

let fileIds = 0;
const chosen = (source: File | string, name: string, treatment: Treatment): FileChoice => ({
  file: { id: ++fileIds, source, name },
  map: null,
  treatment,
});

type Request = FileChoice & BatchRules;
/** Of the last file that could be read. */
type Last = { request?: Request; refused?: string; result: FileResult | null };

/** The result, once the rows of an export are compared with what their batches have paid. */
async function compared(
  checker: Checker,
  client: ReturnType<typeof useTRPCClient>,
  result: FileResult,
  onProgress: (progress: Progress) => void,
  signal: AbortSignal,
): Promise<FileResult> {
  if (!result.checked || signal.aborted) return result;
  const named = await checker.ask("named");
  if (named.length === 0) return result;
  let done = 0;
  try {
    for await (const stored of readNamed(client, named, signal)) {
      if (signal.aborted) return result;
      await checker.ask("compare", stored);
      done += stored.length;
      onProgress({ of: "batches", done, count: named.length });
    }
  } catch (error) {
    if (error instanceof FileProblem) throw error;
    const why = `Could not read the batches that the file names. ${problemOf(error).detail}`;
    throw new FileProblem(`${why} Choose the file again.`);
  }
  if (signal.aborted) return result;
  return { ...result, checked: (await checker.ask("compared")) ?? null };
}

const NOTHING: Last = { result: null };

/** After a sheet that is refused, another one can be chosen. */
function otherSheets({ result }: Last): Last {
  if (!result?.loaded.workbook) return NOTHING;
  const workbook = { ...result.loaded.workbook, sheet: null };
  return { result: { ...result, loaded: { ...result.loaded, rowCount: 0, workbook }, checked: null } };
}

/**
 * The file that the user chose and the result of its check. A worker reads it, and checks it again when a
 * choice changes.
 * @param first the file of a page that is opened with one, in the service's own format
 */
export function useFile({ contractAddress, pointType, limits }: BatchRules, first: File | null) {
  const [checker] = useState(() => new Checker());
  const client = useTRPCClient();
  const [choice, setChoice] = useState(
    () => first && chosen(first, first.name, { ...UNTREATED, format: "1,234.56" }),
  );
  const [last, setLast] = useState(NOTHING);
  const [progress, setProgress] = useState<Progress & { request: Request }>();
  const request = useMemo(
    () => choice && { ...choice, contractAddress, pointType, limits },
    [choice, contractAddress, pointType, limits],
  );
  useEffect(() => () => checker.close(), [checker]);
  useEffect(() => {
    if (!request) return;
    const outdated = new AbortController();
    const { signal } = outdated;
    const onProgress = (of: Progress) => !signal.aborted && setProgress({ request, ...of });
    const checking = checker
      .ask("check", request, onProgress)
      .then((result) => result && compared(checker, client, result, onProgress, signal));
    checking.then(
      (result) => !signal.aborted && result && setLast({ request, result }),
      ({ message: refused }: FileProblem) => {
        if (signal.aborted) return;
        const isSheet = request.file.sheet !== undefined;
        setLast((before) => ({ ...(isSheet ? otherSheets(before) : NOTHING), request, refused }));
      },
    );
    return () => outdated.abort();
  }, [checker, client, request]);

  const { loaded = null, choices = null, checked = null } = last.result ?? {};
  const map = choice?.map ?? loaded?.columns.map ?? NO_COLUMNS;
  const isCurrent = request !== null && last.request === request;
  const change = (of: (before: FileChoice) => FileChoice) => setChoice((before) => before && of(before));
  /** Decisions about other rows or amounts are no longer offered. */
  const forget = () =>
    setLast(({ result, ...before }) => ({ ...before, result: result && { ...result, checked: null } }));

  return {
    checker,
    /** Another one for each file, sheet and heading. */
    id: last.request?.file.id,
    loaded,
    map,
    /** Columns to choose from. */
    choices: isCurrent ? choices : null,
    treatment: choice?.treatment ?? UNTREATED,
    /** The last result, so that a choice stays on the page while it is applied. */
    known: checked,
    /** The result of what is chosen now. */
    checked: isCurrent ? checked : null,
    refused: isCurrent ? last.refused : undefined,
    /** Name of the file that is being read. */
    reading: isCurrent || last.request?.file === choice?.file ? undefined : choice?.file.name,
    isChecking: request !== null && !isCurrent,
    /** Of a check that takes long. */
    progress: !isCurrent && progress?.request === request ? progress : undefined,
    read: (source: File | string, name: string) => {
      const isTyped = typeof source === "string";
      if (!isTyped) forget();
      setChoice((before) => chosen(source, name, isTyped && before ? before.treatment : UNTREATED));
    },
    clear: () => {
      setLast(NOTHING);
      setChoice(null);
    },
    setHeader: (header: boolean) =>
      change((before) => ({ ...before, file: { ...before.file, id: ++fileIds, header }, map: null })),
    setSheet: (sheet: number) => {
      forget();
      change(({ file }) => ({
        file: { ...file, id: ++fileIds, sheet, header: undefined },
        map: null,
        treatment: UNTREATED,
      }));
    },
    setMap: (field: keyof ColumnMap, column: number | null) => {
      forget();
      change((before) => ({
        ...before,
        map: swapped(map, field, column),
        // The format of another column says nothing about this one.
        treatment: { ...before.treatment, format: null },
      }));
    },
    treat: (treatment: Partial<Treatment>) =>
      change((before) => ({ ...before, treatment: { ...before.treatment, ...treatment } })),
    /** Null when the file is too large to edit, or a workbook. */
    editableText: async (): Promise<string | null> => {
      if (!choice || loaded?.workbook) return null;
      const { source } = choice.file;
      if (typeof source === "string") return source;
      return source.size <= EDITABLE_BYTES_MAX ? decodeFile(await source.arrayBuffer()) : null;
    },
  };
}

export type FileUse = ReturnType<typeof useFile>;

/** Choosing a column that is already in use swaps the two. */
function swapped(before: ColumnMap, field: keyof ColumnMap, column: number | null): ColumnMap {
  const after = { ...before, [field]: column };
  for (const other of Object.keys(before) as (keyof ColumnMap)[])
    if (other !== field && column !== null && before[other] === column) after[other] = before[field];
  return after;
}
