import { PROBLEMS } from "@/server/kernel/values/problems";
import { API_PROBLEM_CODES, type ApiProblemCode } from "@/server/rest/document/operation-problems";
import { exampleProblem } from "@/server/rest/document/problem-examples";
import type { OpenApi } from "../document/openapi";
import { type OperationView, readOperations } from "../document/read-operations";
import { WHEN } from "./when";

export interface ErrorView {
  code: ApiProblemCode;
  status: number;
  title: string;
  when: string;
  remedy: string;
  /** A complete body, as JSON text. */
  example: string;
  /** The operations that document this error. */
  operations: Pick<OperationView, "id" | "method" | "summary">[];
}

/** Every problem of `/v1`, sorted by status. */
export function readErrors(document: OpenApi): ErrorView[] {
  const operations = readOperations(document);
  return API_PROBLEM_CODES.map((code) => ({
    ...PROBLEMS[code],
    code,
    when: WHEN[code],
    example: JSON.stringify(exampleProblem(code), null, 2),
    operations: operations
      .filter(({ replies }) => replies.some(({ codes }) => codes.includes(code)))
      .map(({ id, method, summary }) => ({ id, method, summary })),
  })).sort((a, b) => a.status - b.status);
}
