import "server-only";
import { notFound } from "next/navigation";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { PROBLEMS, type ProblemCode } from "@/server/kernel/values/problems";

/**
 * For layouts: below a `loading.tsx` the status 200 has been sent before a page can answer 404 or 500. The page itself
 * redirects to sign-in, and explains a limit.
 */
export async function readOrNotFound(read: Promise<unknown>, missing: ProblemCode): Promise<void> {
  try {
    await read;
  } catch (error) {
    const { code } = toDomainError(error);
    if (code === missing || code === "validation_failed") notFound();
    if (PROBLEMS[code].status >= 500) throw error;
  }
}
