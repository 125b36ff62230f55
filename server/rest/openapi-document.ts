import { generateOpenApiDocument } from "trpc-to-openapi";
import { PROBLEMS } from "../problems";
import { single } from "../single";
import { restRouter } from "../trpc/root";

/** The OpenAPI 3.1 document of `/v1` with the configured limits. */
export function openApiDocument() {
  return single("openapi", () =>
    generateOpenApiDocument(restRouter(), {
      title: "Point transfer batches",
      description: `Submit batches of point transfers for a contract, list, read and cancel them. Errors are application/problem+json with one of these codes: ${Object.keys(PROBLEMS).join(", ")}.`,
      version: "1.0.0",
      openApiVersion: "3.1.0",
      baseUrl: "/",
      securitySchemes: { accessToken: { type: "http", scheme: "bearer" } },
      tags: ["Batches", "Balances"],
    }),
  );
}

/** The document as it is served and committed. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}
