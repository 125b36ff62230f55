"use client";
import { LoaderCircle } from "lucide-react";
import { Button } from "../../ui/button";
import { Field, Input, TextArea } from "../../ui/field";
import type { Callable } from "./build-request";

type Parameter = Callable["parameters"][number];

interface RequestFormProps {
  operation: Callable;
  origin: string;
  values: Record<string, string>;
  onValue: (parameter: Parameter, value: string) => void;
  token: string;
  onToken: (token: string) => void;
  body: string;
  onBody: (body: string) => void;
  isSending: boolean;
  onSend: () => void;
}

export function RequestForm(props: RequestFormProps) {
  const { operation, origin, values, onValue, token, onToken, body, onBody, isSending, onSend } = props;
  return (
    <form
      method="post"
      autoComplete="off"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      {operation.needsToken && (
        <Field label="Access token" hint="Kept in memory only. Reloading the page clears it.">
          {(control) => (
            <Input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={token}
              onChange={(event) => onToken(event.target.value)}
              className="font-mono text-mono!"
            />
          )}
        </Field>
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {operation.parameters.map((parameter) => (
          <ParameterField
            key={`${parameter.in}${parameter.name}`}
            parameter={parameter}
            value={values[parameter.name] ?? ""}
            onValue={(value) => onValue(parameter, value)}
          />
        ))}
      </div>
      {operation.body && (
        <Field label="Body">
          {(control) => (
            <TextArea
              {...control}
              rows={Math.min(16, body.split("\n").length + 1)}
              spellCheck={false}
              value={body}
              onChange={(event) => onBody(event.target.value)}
              className="field-sizing-content max-h-96 resize-y font-mono text-mono!"
            />
          )}
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button type="submit" variant="primary" disabled={isSending}>
          {isSending && <LoaderCircle aria-hidden size={14} className="animate-spin" />}
          Send
        </Button>
        <p className="wrap-anywhere min-w-0 flex-1 text-label text-muted">
          Sends a live request to {origin.replace(/^https?:\/\//, "")}.
          {operation.method !== "GET" && " Changes are real."}
        </p>
      </div>
    </form>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
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
            <select
              {...control}
              value={value}
              onChange={(event) => onValue(event.target.value)}
              className="h-9 w-full rounded-control border border-input-line bg-surface px-2 text-body"
            >
              <option value="">Not sent</option>
              {choices.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : (
            <Input
              {...control}
              required={required}
              spellCheck={false}
              placeholder={example}
              value={value}
              onChange={(event) => onValue(event.target.value.trim())}
              className="font-mono text-mono!"
            />
          )
        }
      </Field>
    </div>
  );
}
