import { useState } from "react";
import { PASTED, Source, type SourceState } from "@/app/(console)/batches/new/prepare/source";
import { Alert } from "@/app/ui/alert";
import { counted, formatCount } from "@/app/ui/amount";
import { visible } from "@/terms/file/file-words";
import type { AddressesUse } from "./use-addresses";

const SHOWN_MAX = 100;

const WORDS = {
  pasted: "Addresses that get nothing, one on each line",
  placeholder: "0x…\n0x…",
  file: "One address on each line, or a table with a column named address.",
};

interface ExcludedFieldProps {
  list: AddressesUse;
  /** From the server. */
  error: string | undefined;
}

/** Addresses that get nothing, such as those of the team or of exchanges. */
export function ExcludedField({ list, error }: ExcludedFieldProps) {
  const [source, setSource] = useState<SourceState>({ way: "paste", text: "", name: PASTED });
  const { errors, refused } = list;
  return (
    <details open={errors.length > 0 || Boolean(refused ?? error) || undefined}>
      <summary className="mb-1.5 cursor-pointer rounded-badge font-medium text-label">
        Leave out addresses (optional)
      </summary>
      <div className="flex flex-col gap-2">
        <Source file={list} source={source} onSource={setSource} words={WORDS} rows={4} />
        {refused && <Alert>{refused}</Alert>}
        {error && <p className="text-danger text-label">{error}</p>}
        {errors.length > 0 && (
          <>
            <p role="status" className="font-medium text-danger text-table">
              {counted(errors.length, "line is not an address", "lines are not addresses")}. Fix every line to
              continue.
            </p>
            <ul aria-label="Lines that are not addresses" className="card p-3 text-table">
              {errors.slice(0, SHOWN_MAX).map(({ line, value, message }) => (
                <li key={line} className="wrap-anywhere">
                  Line {formatCount(line)}: <span className="mono">{visible(value) || "Empty"}</span>{" "}
                  {message}
                </li>
              ))}
            </ul>
            {errors.length > SHOWN_MAX && <p className="hint">The first {SHOWN_MAX} are shown.</p>}
          </>
        )}
      </div>
    </details>
  );
}
