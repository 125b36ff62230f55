"use client";

import { skipToken, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import type { Callable } from "@/app/docs/document";
import { StatusMark } from "@/app/docs/text";
import { Alert } from "@/app/ui/alert";
import { Button } from "@/app/ui/button";
import { CodeBlock } from "@/app/ui/code-block";
import { CopyButton } from "@/app/ui/copy-button";
import { Field, Input, NativeSelect, TextArea, TextField } from "@/app/ui/fields";
import { useHydrated } from "@/app/ui/hooks";
import { ScrollRegion } from "@/app/ui/scroll-region";

/** @param origin the server's, used until the browser's is known */
export function RequestPanel({ operation, origin: known }: { operation: Callable; origin: string }) {
  const origin = useOrigin(known);
  const [isOpen, setOpen] = useState(false);
  const [body, setBody] = useState(operation.body ?? "");
  const { kept, keep } = useKept();
  const { token = "" } = kept;
  const values = Object.fromEntries(
    operation.parameters.map((parameter) => [parameter.name, kept[keptKey(operation, parameter)] ?? ""]),
  );
  const call = useMutation({
    mutationFn: () => sendRequest(buildRequest(operation, values, token, body)),
  });
  const formId = `${operation.id}-try`;
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <CodeBlock
        what="curl command"
        wraps
        code={curlOf(origin, buildRequest(operation, values, operation.needsToken ? "$TOKEN" : "", body))}
      />
      <Button
        icon={Play}
        aria-expanded={isOpen}
        aria-controls={formId}
        onClick={() => setOpen(!isOpen)}
        className="self-start"
      >
        Try it
      </Button>
      {isOpen && (
        <div id={formId} className="flex flex-col gap-3">
          <form
            method="post"
            autoComplete="off"
            className="card flex flex-col gap-3 p-4"
            onSubmit={(event) => {
              event.preventDefault();
              call.mutate();
            }}
          >
            {operation.needsToken && (
              <TextField
                label="Access token"
                hint="Kept in memory only. Reloading the page clears it."
                type="password"
                autoComplete="off"
                spellCheck={false}
                value={token}
                onChange={(event) => keep("token", event.target.value.trim())}
                className="mono!"
              />
            )}
            <div className="grid gap-3 sm:grid-cols-2">
              {operation.parameters.map((parameter) => (
                <ParameterField
                  key={parameter.name}
                  parameter={parameter}
                  value={values[parameter.name]!}
                  onValue={(value) => keep(keptKey(operation, parameter), value)}
                />
              ))}
            </div>
            {operation.body && (
              <Field label="Body">
                {(control) => (
                  <TextArea
                    {...control}
                    spellCheck={false}
                    value={body}
                    onChange={(event) => setBody(event.target.value)}
                    className="field-sizing-content max-h-96 min-h-40 resize-y mono!"
                  />
                )}
              </Field>
            )}
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <Button type="submit" variant="primary" busy={call.isPending}>
                Send
              </Button>
              <p className="wraps flex-1 hint">
                Sends a live request to {origin.replace(/^https?:\/\//, "")}.
                {operation.method !== "GET" && " Changes are real."}
              </p>
            </div>
          </form>
          <div role="status">
            {call.isError && (
              <Alert>No response. A POST may have been applied: check before you send it again.</Alert>
            )}
            {call.data && <AnswerView {...call.data} />}
          </div>
        </div>
      )}
    </div>
  );
}

interface ParameterFieldProps {
  parameter: Callable["parameters"][number];
  value: string;
  onValue: (value: string) => void;
}

function ParameterField({ parameter, value, onValue }: ParameterFieldProps) {
  const { name, in: place, required, example, choices } = parameter;
  return (
    <div className={place === "path" ? "sm:col-span-2" : undefined}>
      <Field label={required ? `${name} (required)` : name}>
        {(control) =>
          choices ? (
            <NativeSelect {...control} value={value} onChange={(event) => onValue(event.target.value)}>
              <option value="">Not sent</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </NativeSelect>
          ) : (
            <Input
              {...control}
              required={required}
              spellCheck={false}
              placeholder={example}
              value={value}
              onChange={(event) => onValue(event.target.value.trim())}
              className="mono!"
            />
          )
        }
      </Field>
    </div>
  );
}

const CHARS_SHOWN_MAX = 20_000;

function AnswerView(answer: Awaited<ReturnType<typeof sendRequest>>) {
  const { status, statusText, tookMs, headers, text, code } = answer;
  const shown =
    text.length > CHARS_SHOWN_MAX
      ? `${text.slice(0, CHARS_SHOWN_MAX)}\n… truncated, copy the body to get the rest`
      : text;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2 text-table">
        <StatusMark status={statusText ? `${status} ${statusText}` : status} />
        <span className="text-muted">{tookMs} ms</span>
        {code && (
          <a href={`/docs/errors#${code}`} className="text-accent underline underline-offset-2">
            What {code} means
          </a>
        )}
      </p>
      {text && (
        <ScrollRegion
          aria-label="Response body"
          className="max-h-112 overflow-y-auto rounded-card outline-offset-0"
        >
          <JsonBlock what="response body" text={text} shown={shown} />
        </ScrollRegion>
      )}
      <details className="text-table">
        <summary className="cursor-pointer rounded-badge text-muted hover:text-text">
          {headers.length} headers
        </summary>
        <dl className="wrap-anywhere mt-1 grid grid-cols-[auto_1fr] gap-x-4 mono">
          {headers.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

/** An empty path value is replaced by the example, or by its name. */
function buildRequest(
  operation: Callable,
  values: Readonly<Record<string, string>>,
  token: string,
  body: string,
) {
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
    /** Includes the query. */
    path: query ? `${path}?${query}` : path,
    headers: [
      ...(operation.needsToken && token ? [["Authorization", `Bearer ${token}`] as [string, string]] : []),
      ...(operation.body ? [["Content-Type", "application/json"] as [string, string]] : []),
      ...given("header"),
    ],
    body: operation.body ? body : null,
  };
}

/** The token stays a shell variable, so that no secret is shown or copied. */
function curlOf(origin: string, request: ReturnType<typeof buildRequest>): string {
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

const WAIT_MS_MAX = 30_000;

/** Sends no cookies, like a contract's backend. @throws when there is no response */
async function sendRequest({ method, path, headers, body }: ReturnType<typeof buildRequest>) {
  const startMs = performance.now();
  const reply = await fetch(path, {
    method,
    headers,
    body,
    credentials: "omit",
    cache: "no-store",
    signal: AbortSignal.timeout(WAIT_MS_MAX),
  });
  const raw = await reply.text();
  const json = parse(raw);
  return {
    status: reply.status,
    statusText: reply.statusText,
    /** Until the last byte of the body. */
    tookMs: Math.round(performance.now() - startMs),
    headers: [...reply.headers],
    text: json === undefined ? raw : JSON.stringify(json, null, 2),
    code: reply.headers.get("content-type")?.includes("problem+json") ? String(json?.code) : null,
  };
}

function parse(text: string): { code?: unknown } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const NOTHING: Readonly<Record<string, string>> = {};
const KEPT = ["fields of the forms"];

/** Shared by all forms of the page. In memory only: the access token must not be stored. */
function useKept() {
  const client = useQueryClient();
  const { data: kept = NOTHING } = useQuery<typeof NOTHING>({ queryKey: KEPT, queryFn: skipToken });
  const keep = (name: string, value: string) => client.setQueryData(KEPT, { ...kept, [name]: value });
  return { kept, keep };
}

/** Path values are shared between operations; other parameters are not. */
const keptKey = (operation: Callable, { name, in: location }: Callable["parameters"][number]) =>
  location === "path" ? name : `${operation.id} ${name}`;

const TOKEN = /("(?:[^"\\]|\\.)*"(?:\s*:)?|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b|\b(?:true|false|null)\b)/;

/** Without a copy button, of which a page with all errors would have a hundred. */
export const Example = ({ json }: { json: string }) => (
  <pre className="wrap-anywhere mono whitespace-pre-wrap rounded-card border border-line bg-ground p-3">
    <JsonText text={json} />
  </pre>
);

/** JSON with syntax highlighting. @param shown a shorter text, when the whole would be too long to show */
export const JsonBlock = ({ what, text, shown = text }: { what: string; text: string; shown?: string }) => (
  <CodeBlock what={what} wraps code={text} excerpt={<JsonText text={shown} />} />
);

/** Every second part is a token; those that end with a colon are keys. */
const JsonText = ({ text }: { text: string }) =>
  text.split(TOKEN).map((part, index) => {
    if (index % 2 === 0 || part.endsWith(":")) return part;
    const className = part.startsWith('"') ? "text-finalized" : "text-finalizing";
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
      <span key={index} className={className}>
        {part}
      </span>
    );
  });

/** The browser's origin; the server's during server-side rendering. */
const useOrigin = (known: string) => (useHydrated() ? location.origin : known);

interface OriginProps {
  /** The server's, which the code names. */
  origin: string;
  code: string;
  what: string;
}

/** Code that names this host, as the browser reaches it. */
export const OriginBlock = ({ origin, code, what, wraps = false }: OriginProps & { wraps?: boolean }) => (
  <CodeBlock what={what} wraps={wraps} code={code.replaceAll(origin, useOrigin(origin))} />
);

export function CopyProgram({ origin, code, what }: OriginProps) {
  const own = code.replaceAll(origin, useOrigin(origin));
  return (
    <span className="flex items-center gap-1 hint">
      {what}
      <CopyButton value={own} what={what} />
    </span>
  );
}
