import type { BatchKey } from "@/server/kernel/values/batch-schema";
import { Button } from "../../../ui/button";
import { Field, Input } from "../../../ui/field";
import { comparePath } from "../paths";

interface ChooseBatchProps {
  batchKey: BatchKey;
  withId: string;
  error: string | undefined;
}

/** A plain form: the chosen batch is in the URL, which can be shared. */
export function ChooseBatch({ batchKey, withId, error }: ChooseBatchProps) {
  return (
    <form action={comparePath(batchKey)} className="max-w-[520px]">
      <Field
        label="Compare with"
        error={error}
        hint="ID of another batch of the same contract and point type."
      >
        {(control) => (
          <span className="flex gap-2">
            <Input
              {...control}
              name="with"
              defaultValue={withId}
              autoComplete="off"
              spellCheck={false}
              maxLength={64}
              required
              className="min-w-0 font-mono text-mono!"
            />
            <Button type="submit" className="h-9!">
              Compare
            </Button>
          </span>
        )}
      </Field>
    </form>
  );
}
