import { generateOpenApiDocument } from "trpc-to-openapi";
import { single } from "../../kernel/single";
import { restRouter } from "../../trpc/root";
import { RouteTable } from "../routes/route-table";
import { completeOperation, type OperationObject } from "./complete-operation";
import { addLegacyNames } from "./legacy-document";
import { fieldErrorSchema, problemSchema } from "./problem-schema";
import { REPLY_HEADERS } from "./reply-headers";

const DESCRIPTION = `A contract that distributes points submits batches of transfers. A batch waits, can be cancelled while it waits, and is then
finalized: every recipient credited, exactly once.

- **Amounts** are decimal strings, never JSON numbers. **Addresses** may be in any letter case; a mixed-case one must satisfy its EIP-55 checksum.
- **Errors** are \`application/problem+json\` with a \`code\` of a closed list. A batch is all or nothing, and every bad row is named at once.
- **Repeat safely** by submitting with PUT under an id of your own: the same content answers as the first time did, with \`Idempotent-Replayed: true\`.
- **Unknown** body fields and query parameters are errors, never ignored. HEAD answers as GET does; every path answers OPTIONS.`;

const TAGS = [
  { name: "Batches", description: "Submit batches of transfers, list, read and cancel them." },
  { name: "Balances", description: "What a contract has, has reserved and has sent." },
  {
    name: "Webhooks",
    description: "Hear of a contract's batches instead of asking: signed, tried again, in no promised order.",
  },
  { name: "Operator sign-in", description: "A token for the signature of a contract's operator." },
];

/** `x-internal: false` says that it is meant for callers outside. */
const SERVER = {
  url: "/",
  description: "The service that gave this document, in production or local.",
  "x-internal": false,
};

type Document = ReturnType<typeof generateOpenApiDocument>;

/** The OpenAPI 3.1 document of `/v1` with the configured limits. */
export function openApiDocument(): Document {
  return single("openapi", () => {
    const router = restRouter();
    const document = generateOpenApiDocument(router, {
      title: "Point transfer batches",
      description: DESCRIPTION,
      version: "1.0.0",
      openApiVersion: "3.1.0",
      baseUrl: "/",
      securitySchemes: {
        accessToken: {
          type: "http",
          scheme: "bearer",
          description: "A token that staff made for the contract: `ptb_` and 36 characters, with scopes.",
        },
        operatorToken: {
          type: "http",
          scheme: "bearer",
          description:
            "A token that the contract's operator got for a signature: `pto_` and 36 characters, for an hour, every scope.",
        },
      },
    });
    return addLegacyNames(completeDocument(document, new RouteTable(router)));
  });
}

function completeDocument(document: Document, routes: RouteTable): Document {
  document.info.license = { name: "MIT", identifier: "MIT" };
  document.servers = [SERVER];
  document.tags = TAGS;
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(methods)) {
      const queryFields = routes.match(path)!.operations.get(method.toUpperCase())!.queryFields;
      completeOperation(method, operation as OperationObject, queryFields);
    }
  }
  const schemas = Object.entries(document.components?.schemas ?? {}).filter(
    ([name]) => !name.startsWith("error."),
  );
  document.components = {
    ...document.components,
    schemas: { ...Object.fromEntries(schemas), Problem: problemSchema, FieldError: fieldErrorSchema },
    headers: REPLY_HEADERS,
  } as Document["components"];
  return document;
}

/** The document as it is served and committed. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(), null, 2)}\n`;
}
