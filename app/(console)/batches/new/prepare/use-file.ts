"use client";
import { useCallback, useEffect, useRef, useState } from "react";
import {
  type Answered,
  type Checked,
  type Loaded,
  type Requests,
  type Treatment,
  UNTREATED,
} from "@/app/(console)/batches/new/csv/checked";
import type { ColumnMap } from "@/app/(console)/batches/new/csv/map-columns";
import type { BatchLimits } from "@/server/kernel/batch-limits";
import type { PointType } from "@/server/kernel/values/batch-terms";
import { decodeFile, FileProblem } from "../csv/decode-file";

/** What the user chose; otherwise it is detected. */
interface LoadChoice {
  header?: boolean;
  sheet?: number;
}

type Handler = (answer: Answered) => void;

/** Client of the worker that holds the rows. The first request starts the worker. */
export class Checker {
  #worker: Worker | undefined;
  #asks = 0;
  readonly #handlers = new Map<number, Handler>();

  /** Never resolves once a newer request has cancelled it. */
  ask<Kind extends keyof Requests>(
    kind: Kind,
    given: Requests[Kind]["given"],
    onProgress?: (progress: { done: number; total: number }) => void,
  ): Promise<Requests[Kind]["reply"]> {
    const ask = ++this.#asks;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#handlers.set(ask, (answer) => {
        if ("progress" in answer) return onProgress?.(answer.progress);
        this.#handlers.delete(ask);
        if ("refused" in answer) reject(new FileProblem(answer.refused));
        else if (answer.value !== undefined) resolve(answer.value as Requests[Kind]["reply"]);
      });
      worker.postMessage({ kind, ...given, ask });
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #start(): Worker {
    const worker = new Worker(new URL("../csv/check-worker.ts", import.meta.url), { type: "module" });
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

interface FileState {
  reading: string | null;
  loaded: Loaded | null;
  map: ColumnMap;
  treatment: Treatment;
  /** The last result, so that a choice stays on the page while it is applied. */
  known: Checked | null;
  /** Whether it is the result of what is chosen now. */
  isCurrent: boolean;
  progress: { done: number; total: number } | null;
  refused: string | null;
}

const NOTHING: FileState = {
  reading: null,
  loaded: null,
  map: { toAddress: null, points: null },
  treatment: UNTREATED,
  known: null,
  isCurrent: false,
  progress: null,
  refused: null,
};

interface FileRules {
  /** Empty until one is chosen. Until then, no row is an error for paying the contract itself. */
  contractAddress: string;
  pointType: PointType;
  limits: BatchLimits;
}

/** Rows are read and checked in a worker, and checked again when an option changes. */
export function useFile({ contractAddress, pointType, limits }: FileRules) {
  const [state, setState] = useState<FileState>(NOTHING);
  const source = useRef<{ source: File | string; name: string } | null>(null);
  const [checker] = useState(() => new Checker());
  const newest = useRef(0);
  useEffect(() => () => checker.close(), [checker]);

  const read = useCallback(
    async (given: File | string, name: string, choice?: LoadChoice, format: Treatment["format"] = null) => {
      const turn = ++newest.current;
      source.current = { source: given, name };
      setState((before) => ({
        ...before,
        reading: name,
        refused: null,
        isCurrent: false,
        known: choice === undefined && typeof given !== "string" ? null : before.known,
      }));
      try {
        const loaded = await checker.ask("load", { source: given, name, ...choice });
        if (turn !== newest.current) return;
        // The same rows are read again with each key in the text area, and with another header.
        const isKept = typeof given === "string" || choice?.header !== undefined;
        setState((before) => ({
          ...NOTHING,
          loaded,
          map: loaded.columns.map,
          // Other rows may have other amounts in doubt.
          treatment: isKept ? { ...before.treatment, pieces: "ask" } : { ...UNTREATED, format },
          known: isKept ? before.known : null,
        }));
      } catch (error) {
        if (turn === newest.current) setState({ ...NOTHING, refused: messageOf(error) });
      }
    },
    [checker],
  );

  const { loaded, map, treatment } = state;
  const { toAddress, points } = map;
  useEffect(() => {
    if (!loaded || toAddress === null || points === null) return;
    let wanted = true;
    const columns = { ...loaded.columns, map: { toAddress, points } };
    setState((before) => ({ ...before, isCurrent: false, progress: { done: 0, total: loaded.rowCount } }));
    const options = { contractAddress, pointType, limits, columns, treatment };
    checker
      .ask("check", { options }, (progress) => {
        if (wanted) setState((before) => ({ ...before, progress }));
      })
      .then(
        (known) => wanted && setState((before) => ({ ...before, known, isCurrent: true, progress: null })),
        (error) => wanted && setState({ ...NOTHING, refused: messageOf(error) }),
      );
    return () => {
      wanted = false;
    };
  }, [checker, loaded, contractAddress, pointType, limits, toAddress, points, treatment]);

  const readAgain = (choice: LoadChoice) => {
    if (source.current) void read(source.current.source, source.current.name, choice);
  };

  return {
    ...state,
    checked: state.isCurrent ? state.known : null,
    checker,
    read,
    setHeader: (header: boolean) => readAgain({ header, sheet: loaded?.workbook?.sheet ?? undefined }),
    setSheet: (sheet: number) => readAgain({ sheet }),
    setMap: (change: Partial<ColumnMap>) =>
      setState((before) => ({
        ...before,
        isCurrent: false,
        known: null,
        map: swapped(before.map, change),
        // The format of another column says nothing about this one.
        treatment: { ...before.treatment, format: null, pieces: "ask" },
      })),
    treat: (change: Partial<Treatment>) =>
      setState((before) => ({
        ...before,
        isCurrent: false,
        treatment: { ...before.treatment, ...change },
      })),
    /** Null when the file is too large to edit, or a workbook. */
    editableText: async (): Promise<string | null> => {
      if (loaded?.workbook) return null;
      const given = source.current?.source ?? "";
      if (typeof given === "string") return given;
      return given.size <= EDITABLE_BYTES_MAX ? decodeFile(await given.arrayBuffer()) : null;
    },
    clear: () => {
      newest.current++;
      setState(NOTHING);
    },
  };
}

export type FileUse = ReturnType<typeof useFile>;

/** Choosing a column that is already in use swaps the two. */
function swapped(before: ColumnMap, change: Partial<ColumnMap>): ColumnMap {
  const after = { ...before, ...change };
  if (after.toAddress !== after.points || after.points === null) return after;
  return change.toAddress === undefined
    ? { ...after, toAddress: before.points }
    : { ...after, points: before.toAddress };
}

const messageOf = (error: unknown) =>
  error instanceof FileProblem ? error.message : "Could not read the file. Try again.";
