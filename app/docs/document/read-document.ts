import { openApiText } from "@/server/rest/document/openapi-document";
import type { OpenApi } from "./openapi";

/** The document that `/v1/openapi.json` serves, with the limits of this process's settings. */
export function readDocument(): OpenApi {
  return JSON.parse(openApiText()) as OpenApi;
}
