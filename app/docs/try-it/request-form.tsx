"use client";
import { Button } from "../../ui/button";
import { Field, Input, TextArea, TextField } from "../../ui/field";
import type { Callable } from "./build-request";
import { keep, keptKey, useKept } from "./kept-values";

type Parameter = Callable["parameters"][number];

interface RequestFormProps {
  operation: Callable;
  origin: string;
  body: string;
  onBody: (body: string) => void;
  isSending: boolean;
  onSend: () => void;
}

export function RequestForm({ operation, origin, body, onBody, isSending, onSend }: RequestFormProps) {
  const kept = useKept();
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
        <TextField
          label="Access token"
          hint="Kept in memory only. Reloading the page clears it."
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={kept.token ?? ""}
          onChange={(event) => keep("token", event.target.value.trim())}
          className="font-mono text-mono!"
        />
      )}
      <div className="grid gap-3 sm:grid-cols-2">
        {operation.parameters.map((parameter) => {
          const key = keptKey(operation, parameter);
          return (
            <ParameterField
              key={key}
              parameter={parameter}
              value={kept[key] ?? ""}
              onValue={(value) => keep(key, value)}
            />
          );
        })}
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
        <Button type="submit" variant="primary" busy={isSending}>
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
