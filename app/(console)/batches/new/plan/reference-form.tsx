"use client";
import { type SubmitEvent, useState } from "react";
import { Button } from "../../../../ui/button";
import { nextReference, referenceError } from "../csv/reference";
import { ReferenceField } from "../prepare/reference-field";
import { isStored, type PartState, type Plan } from "./plan";

interface ReferenceFormProps {
  plan: Plan;
  states: readonly PartState[];
  onReference: (reference: string) => void;
}

/** Resolves a conflict by submitting the same rows under another reference. */
export function ReferenceForm({ plan, states, onReference }: ReferenceFormProps) {
  const [reference, setReference] = useState(nextReference(plan.reference, plan.parts.length));
  const error = referenceError(reference, plan.parts.length);
  const stored = states.filter(isStored).length;
  const use = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!error) onReference(reference);
  };
  return (
    <form
      onSubmit={use}
      noValidate
      className="flex flex-col gap-3 rounded-card border border-danger bg-danger-ground p-4"
    >
      <div role="alert" className="text-table">
        <p className="font-medium text-danger">Reference {plan.reference} is already in use</p>
        <p className="mt-1">
          Batches with different content were already submitted under this reference. To submit this file as
          well, use another reference. To replace those batches, cancel them first.
        </p>
        {stored > 0 && (
          <p className="mt-1">
            {stored === 1 ? "1 batch" : `${stored} batches`} of this file {stored === 1 ? "was" : "were"}{" "}
            already submitted under this reference, so another reference would pay the same rows twice. Cancel{" "}
            {stored === 1 ? "that batch" : "those batches"} or remove the rows from the file. Then discard
            these rows and start again.
          </p>
        )}
      </div>
      {stored === 0 && (
        <div className="flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-60">
            <ReferenceField
              label="New reference"
              reference={reference}
              error={error}
              onChange={setReference}
            />
          </div>
          <Button type="submit" size="large" disabled={error !== null} className="h-9!">
            Use this reference
          </Button>
        </div>
      )}
    </form>
  );
}
