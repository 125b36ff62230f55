import type { generateOpenApiDocument } from "trpc-to-openapi";
import { POINT_TYPES } from "@/server/kernel/values/batch-terms";
import { legacyApiIsOn, legacyBalancesSchema, legacyPointTypes } from "../routes/legacy-api";
import type { OperationObject, Schema } from "./complete-operation";

type Document = ReturnType<typeof generateOpenApiDocument>;

/** Adds the legacy names to the document when `LEGACY_API` is on. */
export function addLegacyNames(document: Document): Document {
  if (!legacyApiIsOn()) return document;
  const schemas = document.components?.schemas as Record<string, Schema>;
  const page = schemas.BatchPage!;
  page.properties!.batches = { ...page.properties!.batch, description: "The same as `batch`." };
  page.required!.push("batches");
  for (const name of ["Batch", "DryRun", "Statement"])
    (schemas[name]!.properties!.pointType as Schema).enum = [...POINT_TYPES, ...legacyPointTypes];
  const balances = schemas.PointBalances!.properties!.balancesByPointType!;
  Object.assign(balances, legacyBalancesSchema(schemas.Balances!));
  const destination = schemas.Transfer!.properties!.toAddress!;
  destination.description = String(destination.description).replace("not the zero address, and", "and");
  for (const methods of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(methods)) takeLegacyPointTypes(operation as OperationObject);
  }
  return document;
}

function takeLegacyPointTypes({ parameters = [], requestBody }: OperationObject): void {
  const inQuery = parameters.find(({ name }) => name === "pointType")?.schema;
  const inBody = requestBody?.content["application/json"].schema.properties?.pointType;
  for (const schema of [inQuery, inBody]) {
    if (schema) schema.enum = [...POINT_TYPES, ...legacyPointTypes];
  }
}
