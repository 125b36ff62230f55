import { fieldError, type ShownProblem } from "../../../data/problem";
import { ReasonField } from "./reason-field";

/** In a dialog whose change another admin must approve. */
export function SecondAdmin({
  isOnlyAdmin,
  problem,
}: {
  isOnlyAdmin: boolean;
  problem: ShownProblem | null;
}) {
  return (
    <>
      <p className="rounded-control border border-line bg-ground px-3 py-2 text-table">
        Needs a second admin’s approval, because this contract has an approval rule. Nothing changes until
        then.
        {isOnlyAdmin && " You are the only admin: invite another one under Team first."}
      </p>
      <ReasonField error={fieldError(problem, "reason")} />
    </>
  );
}
