import { ApiProblem, ClientError, ConnectionFailure, UnexpectedReply } from "../src/client-error.ts";
import { BatchCancelled, BatchOverdue } from "../src/wait-until-finalized.ts";
import { EXIT, Failure } from "./terminal.ts";

const ERRORS_SHOWN = 5;

/** What to do about a refusal, beyond what its detail says. */
const HINTS: Partial<Record<ApiProblem["code"], string>> = {
  missing_token: "Set POINT_BATCHES_TOKEN.",
  invalid_token: "Check POINT_BATCHES_TOKEN, or sign in with: point-batches login",
  expired_token: "Use a new token, or sign in again with: point-batches login",
  batch_id_conflict:
    "To continue a payout, use the same file and options. To pay other rows, or these once more, add another --reference.",
  batch_cancelled: "To pay these rows after all, add another --reference.",
  insufficient_points: "Ask the service's staff to grant points, then repeat the command.",
};

/** How a command ends after this error, in words for a person; null for a mistake in this program. */
export function failureOf(error: unknown): Failure | null {
  if (error instanceof Failure) return error;
  if (error instanceof ApiProblem) {
    const { code, status, detail, requestId, errors, errorCount, extra } = error;
    const shown = errors.slice(0, ERRORS_SHOWN).map(({ pointer, detail }) => `  ${pointer}: ${detail}`);
    const more = errorCount > shown.length ? [`  … and ${errorCount - shown.length} more`] : [];
    const { batchId } = error;
    const isAboutIt = batchId !== null && ![401, 403].includes(status) && !detail.includes(batchId);
    const text = [
      `The service refused ${isAboutIt ? batchId : "it"}: ${detail} (${code}, request ${requestId})`,
      ...shown,
      ...more,
    ];
    const hint = HINTS[code];
    const facts = { code, status, requestId, batchId, errors, ...extra };
    return new Failure(EXIT.refused, [...text, ...(hint ? [hint] : [])].join("\n"), facts);
  }
  if (error instanceof ConnectionFailure || error instanceof UnexpectedReply)
    return new Failure(EXIT.noAnswer, `No answer from the service. ${error.message}`);
  if (error instanceof BatchCancelled) return new Failure(EXIT.refused, error.message);
  if (error instanceof BatchOverdue) return new Failure(EXIT.noAnswer, error.message);
  return error instanceof ClientError ? new Failure(EXIT.usage, error.message) : null;
}
