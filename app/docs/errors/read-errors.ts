import { DomainError, PROBLEMS, type ProblemCode, toProblem } from "@/server/problems";
import type { OpenApi } from "../document/openapi";
import { type OperationView, readOperations } from "../document/read-operations";
import { type ApiCode, CONSOLE_ONLY, EXPLANATIONS, type Explanation } from "./explanations";

export interface ErrorView {
  code: ApiCode;
  status: number;
  title: string;
  when: string;
  remedy: string;
  /** A whole body, as text. */
  example: string;
  /** The operations that the document says answer it. */
  operations: Pick<OperationView, "id" | "method" | "summary">[];
}

const REQUEST_ID = "7c9f2a52-8a0e-4c55-9a3d-3b1d2f6f0e11";

const isApiCode = (code: ProblemCode): code is ApiCode => !CONSOLE_ONLY.includes(code);

/** Every problem that callers can meet, in the order of its status. */
export function readErrors(document: OpenApi): ErrorView[] {
  const operations = readOperations(document);
  return (Object.keys(PROBLEMS) as ProblemCode[])
    .filter(isApiCode)
    .map((code) => readError(code, operations))
    .sort((a, b) => a.status - b.status);
}

function readError(code: ApiCode, operations: OperationView[]): ErrorView {
  const { when, detail, ...options }: Explanation = EXPLANATIONS[code];
  const { status, title, remedy } = PROBLEMS[code];
  const problem = toProblem(new DomainError(code, detail, options), REQUEST_ID);
  return {
    code,
    status,
    title,
    when,
    remedy,
    example: givenExample(code, operations) ?? JSON.stringify(problem, null, 2),
    operations: operations
      .filter(({ replies }) => replies.some(({ codes }) => codes.includes(code)))
      .map(({ id, method, summary }) => ({ id, method, summary })),
  };
}

/** The document's own example of a code comes first: it is tested against real replies. */
function givenExample(code: string, operations: OperationView[]): string | undefined {
  for (const { replies } of operations) {
    for (const { samples = [] } of replies) {
      const sample = samples.find(({ name }) => name === code);
      if (sample) return sample.text;
    }
  }
  return undefined;
}
