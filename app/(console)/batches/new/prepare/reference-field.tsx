import { Field, Input } from "../../../../ui/field";
import { partId } from "../csv/reference";

interface ReferenceFieldProps {
  label: string;
  reference: string;
  /** Shows the batch IDs of this many batches. */
  partCount?: number;
  error: string | null;
  onChange: (reference: string) => void;
}

export function ReferenceField({ label, reference, partCount, error, onChange }: ReferenceFieldProps) {
  const hint = partCount === undefined ? undefined : referenceHint(reference, partCount);
  return (
    <Field label={label} hint={hint} error={error ?? undefined}>
      {(control) => (
        <Input
          {...control}
          value={reference}
          onChange={(event) => onChange(event.target.value.trim())}
          autoComplete="off"
          spellCheck={false}
          className="font-mono text-mono!"
        />
      )}
    </Field>
  );
}

function referenceHint(reference: string, partCount: number): string {
  const same = "Submitting the same rows under the same reference again has no effect.";
  if (partCount === 1) return `Used as the batch ID. ${same}`;
  const [first, last] = [0, partCount - 1].map((part) => partId(reference, part, partCount));
  return `The batch IDs will be ${first} to ${last}. ${same}`;
}
