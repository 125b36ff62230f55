import { NextRequest } from "next/server";
import { withReadableQuery } from "@/app/readable-callback";
import { bodyBytesMax, bodyTooLarge, readBytes } from "@/server/kernel/http";
import { DomainError } from "@/server/kernel/values/problems";

/**
 * Checks the query and body before next-auth does, which would answer 500 to some and read bodies of any size.
 * @throws DomainError `unsupported_media_type`, `body_too_large`, `invalid_json`, `validation_failed`
 */
export async function readableRequest(request: NextRequest): Promise<NextRequest> {
  if (request.method !== "POST") return withReadableQuery(request);
  const bytesMax = bodyBytesMax(true);
  const bytes = await readBytes(request, bytesMax, () => bodyTooLarge(bytesMax));
  const isJson = mediaTypeOf(request) === "application/json";
  const text = new TextDecoder().decode(bytes);
  const fields = isJson ? jsonFields(text) : new URLSearchParams(text);
  const headers = new Headers(request.headers);
  headers.set("Content-Type", "application/x-www-form-urlencoded");
  headers.delete("Content-Length");
  return withReadableQuery(new NextRequest(request.url, { method: "POST", headers, body: String(fields) }));
}

function mediaTypeOf(request: NextRequest): string {
  const type = (request.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  if (["application/json", "application/x-www-form-urlencoded"].includes(type)) return type;
  throw new DomainError(
    "unsupported_media_type",
    "The body must be application/x-www-form-urlencoded or application/json.",
  );
}

function jsonFields(text: string): URLSearchParams {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new DomainError("invalid_json", "The body is not a single JSON document in UTF-8.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new DomainError("invalid_json", "The body must be a JSON object.");
  const fields = Object.entries(value).map(([name, field]): [string, string] => {
    if (typeof field === "string" || typeof field === "boolean") return [name, String(field)];
    throw new DomainError("validation_failed", "Each field of the body must be a string.");
  });
  return new URLSearchParams(fields);
}
