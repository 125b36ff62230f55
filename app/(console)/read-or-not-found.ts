import "server-only";
import { notFound } from "next/navigation";
import { toDomainError } from "@/server/kernel/to-domain-error";
import { PROBLEMS, type ProblemCode } from "@/server/kernel/values/problems";

/**
 * For layouts. Under a `loading.tsx`, a page cannot answer 404 or 500, because the status 200 was already sent. Other errors
 * are left to the page.
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
