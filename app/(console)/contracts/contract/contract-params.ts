import { createLoader, createSerializer, parseAsNumberLiteral, parseAsStringLiteral } from "nuqs/server";
import { contractPath } from "../paths";
import { DAY_SPANS } from "./day-span";

const params = {
  days: parseAsNumberLiteral(DAY_SPANS).withDefault(30),
  forecast: parseAsStringLiteral(["hours", "days"] as const).withDefault("hours"),
};

export type ContractParams = Awaited<ReturnType<typeof loadContractParams>>;
export const loadContractParams = createLoader(params);
const toQuery = createSerializer(params);
export const contractViewPath = (address: string, given: ContractParams) =>
  toQuery(contractPath(address), given);
