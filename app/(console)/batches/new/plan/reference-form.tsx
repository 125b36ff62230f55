"use client";
import { type SubmitEvent, useState } from "react";
import { Button } from "../../../../ui/button";
import { Field, Input } from "../../../../ui/field";
import { nextReference, referenceFault } from "../csv/reference";
import type { PartState } from "./part-state";
import type { Plan } from "./plan";

interface ReferenceFormProps {
  plan: Plan;
  states: readonly PartState[];
  onReference: (reference: string) => void;
}

/** The way out of a conflict: the same rows under another reference. */
export function ReferenceForm({ plan, states, onReference }: ReferenceFormProps) {
  const [reference, setReference] = useState(nextReference(plan.reference, plan.parts.length));
  const fault = referenceFault(reference, plan.parts.length);
  const stored = states.filter(({ kind }) => kind === "stored").length;
  const use = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!fault) onReference(reference);
  };
  return (
    <form
      onSubmit={use}
      noValidate
      className="flex flex-col gap-3 rounded-card border border-danger bg-danger-ground p-4"
    >
      <div role="alert" className="text-table">
        <p className="font-medium text-danger">The reference {plan.reference} holds other batches</p>
        <p className="mt-1">
          Other rows, or another wait, were sent under it before. If this file is meant to be sent besides
          them, send it under another reference; if it was meant instead of them, cancel them first.
        </p>
        {stored > 0 && (
          <p className="mt-1">
            {stored === 1 ? "One batch of this file is" : `${stored} batches of this file are`} stored under
            it already, and under another reference the same rows would be sent once more. Cancel what is
            stored, or take those rows out of the file; then discard this and begin again.
          </p>
        )}
      </div>
      {stored === 0 && (
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-60">
            <Field label="Another reference" error={fault ?? undefined}>
              {(control) => (
                <Input
                  {...control}
                  value={reference}
                  onChange={(event) => setReference(event.target.value.trim())}
                  autoComplete="off"
                  spellCheck={false}
                  className="font-mono text-mono!"
                />
              )}
            </Field>
          </div>
          <Button type="submit" size="large" disabled={fault !== null} className="h-9!">
            Try it out
          </Button>
        </div>
      )}
    </form>
  );
}
