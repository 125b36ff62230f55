import type { OperationView, ParameterView } from "@/app/docs/document";

export interface Callable {
  id: string;
  method: string;
  path: string;
  needsToken: boolean;
  parameters: Pick<ParameterView, "name" | "in" | "required" | "example" | "choices">[];
  body: { mediaType: string; text: string } | null;
}

export interface PlainRequest {
  method: string;
  /** Includes the query. */
  path: string;
  headers: [name: string, value: string][];
  body: string | null;
}

export function toCallable({ id, method, path, security, parameters, body }: OperationView): Callable {
  return {
    id,
    method,
    path,
    needsToken: security.length > 0,
    parameters: parameters.map(({ name, in: place, required, example, choices }) => ({
      name,
      in: place,
      required,
      example,
      choices,
    })),
    body: body && { mediaType: body.mediaType, text: body.samples[0]?.text ?? "{}" },
  };
}

/** An empty path value is replaced by the example, or by its name. */
export function buildRequest(
  operation: Callable,
  values: Readonly<Record<string, string>>,
  token: string,
  body: string,
): PlainRequest {
  const given = (place: string) =>
    operation.parameters.flatMap(({ in: where, name }): [string, string][] =>
      where === place && values[name] ? [[name, values[name]]] : [],
    );
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const example = operation.parameters.find((parameter) => parameter.name === name)?.example;
    return values[name] ? encodeURIComponent(values[name]) : example || whole;
  });
  const query = new URLSearchParams(given("query")).toString();
  return {
    method: operation.method,
    path: query ? `${path}?${query}` : path,
    headers: [
      ...(operation.needsToken && token ? [["Authorization", `Bearer ${token}`] as [string, string]] : []),
      ...(operation.body ? [["Content-Type", operation.body.mediaType] as [string, string]] : []),
      ...given("header"),
    ],
    body: operation.body ? body : null,
  };
}

/** The token stays a shell variable, so that no secret is shown or copied. */
export function curlOf(origin: string, request: PlainRequest): string {
  const method = request.method === "GET" ? "" : `-X ${request.method} `;
  return [
    `curl ${method}${quoted(origin + request.path)}`,
    ...request.headers.map(([name, value]) =>
      name === "Authorization" ? `-H "Authorization: Bearer $TOKEN"` : `-H ${quoted(`${name}: ${value}`)}`,
    ),
    ...(request.body === null ? [] : [`-d ${quoted(request.body)}`]),
  ].join(" \\\n  ");
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
