import { badBodies } from "./bad-bodies";
import { badFields } from "./bad-fields";
import { badJson } from "./bad-json";
import { badPaths } from "./bad-paths";
import { badQueries } from "./bad-queries";
import { type BadInputWorld, type BadRequest, toRequest } from "./bad-request";
import { badRows } from "./bad-rows";
import { badSignIns } from "./bad-sign-ins";
import { badTokens } from "./bad-tokens";

/** Every bad request. None may get a 5xx or store anything. */
export function badRequests(world: BadInputWorld): BadRequest[] {
  const rows = [badRows, badFields, badJson, badBodies, badQueries, badPaths, badTokens, badSignIns];
  return rows.flatMap((make) => make(world)).map((row) => toRequest(world, row));
}
