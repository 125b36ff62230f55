import type { Draft } from "../prepare/prepare-form";
import { waitOf } from "../prepare/wait";
import type { Plan } from "./plan";
import { readPart } from "./plan-store";

/** Rebuilds the form from a saved plan. @throws NoStore when its rows are gone */
export async function draftOfPlan(plan: Plan): Promise<Draft> {
  const { owner, parts, contractAddress, pointType, secondsToFinalize, reference, fileName } = plan;
  const rows = await Promise.all(parts.map((_, part) => readPart(owner, part)));
  const lines = rows.flat().map(({ toAddress, points }) => `${toAddress},${points}\n`);
  return {
    options: { contractAddress, pointType, wait: waitOf(secondsToFinalize) },
    reference,
    file: new File(["to_address,points\n", ...lines], fileName),
  };
}
