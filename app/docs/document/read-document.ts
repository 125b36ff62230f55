import { openApiText } from "@/server/rest/document/openapi-document";
import type { OpenApi } from "./openapi";

/** The document served at `/v1/openapi.json`, with this host's limits. */
export function readDocument(): OpenApi {
  return JSON.parse(openApiText()) as OpenApi;
}
