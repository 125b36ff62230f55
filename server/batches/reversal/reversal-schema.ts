import { z } from "zod";
import type { BatchLimits } from "../../kernel/batch-limits";
import { AwaitingApprovalField } from "../../kernel/values/batch-schema";
import { AddressField, BatchIdField, textField } from "../../kernel/values/fields";
import { dryRunField, dryRunFields, waitField } from "../submit/submit-schema";

const reversalFields = (limits: BatchLimits) => ({
  contractAddress: AddressField,
  batchId: BatchIdField.meta({ description: "ID of the FINALIZED batch to take back." }),
  toAddresses: z
    .array(AddressField)
    .min(1)
    .max(limits.transfersMax)
    .meta({ description: "Recipients whose transfers to take back. All of them when absent." })
    .optional(),
  secondsToFinalize: waitField(limits, "reversal"),
  reason: textField(1, 500)
    .meta({
      description: "Why the points are taken back. Stored with the reversal.",
      pattern: "^[^\\x00]*[^\\x00\\s][^\\x00]*$",
    })
    .optional(),
});

const ReversalIdField = BatchIdField.meta({
  description:
    "Your own ID for the reversal, which makes the call safe to retry. The service generates one when absent.",
});

export const reverseBatchInput = (limits: BatchLimits) =>
  z.strictObject({
    ...reversalFields(limits),
    reversalId: ReversalIdField.optional(),
    dryRun: dryRunField("reversal"),
  });

/** The console always sends an ID, so that sending the form again is safe. */
export const consoleReverseInput = (limits: BatchLimits) =>
  z.strictObject({ ...reversalFields(limits), reversalId: ReversalIdField });

export type ReverseBatchInput = Omit<z.output<ReturnType<typeof reverseBatchInput>>, "dryRun">;

/** What a reversal would do if it were submitted now. */
export const ReversalDryRunReply = z
  .strictObject({
    ...dryRunFields("reversal"),
    reverses: BatchIdField.meta({ description: "ID of the batch that it takes back." }),
    awaitingApproval: AwaitingApprovalField,
  })
  .meta({ id: "ReversalDryRun" });
