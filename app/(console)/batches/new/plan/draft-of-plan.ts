import { waitOf } from "../../wait";
import { fileOf } from "../prepare/draft-of-correction";
import type { Draft } from "../prepare/prepare-form";
import type { Plan } from "./plan";
import { readPart } from "./plan-store";

/** Rebuilds the form from a saved plan. @throws NoStore when its rows are gone */
export async function draftOfPlan(plan: Plan): Promise<Draft> {
  const { owner, parts, contractAddress, pointType, secondsToFinalize, reference, corrects, fileName } = plan;
  const rows = await Promise.all(parts.map((_, part) => readPart(owner, part)));
  return {
    options: { contractAddress, pointType, wait: waitOf(secondsToFinalize) },
    reference,
    corrects,
    file: fileOf(rows.flat(), fileName),
  };
}
