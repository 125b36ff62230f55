import { PROBLEMS } from "@/server/problems";
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
  /** A whole body, as text. */
  example: string;
  /** The operations that the document says answer it. */
  operations: Pick<OperationView, "id" | "method" | "summary">[];
}

/** Every problem that callers of `/v1` can meet, in the order of its status. */
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
