import { problemOf } from "../../../data/problem";

/** Why a change was rejected. Expected errors need no title and no request ID. */
export function ChangeFailure({ error }: { error: unknown }) {
  if (!error) return null;
  const problem = problemOf(error);
  const expected = problem.code === "validation_failed" || problem.code === "not_allowed";
  return (
    <div role="alert" className="rounded-control bg-danger-ground px-3 py-2 text-danger text-table">
      {!expected && <p className="font-medium">{problem.title}</p>}
      <p>{problem.detail}</p>
      {!expected && problem.requestId && <p className="mt-1 font-mono text-label">{problem.requestId}</p>}
    </div>
  );
}
