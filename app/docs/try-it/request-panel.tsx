"use client";
import { Play } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button";
import { CodeBlock } from "../../ui/code-block";
import { useOrigin } from "../use-origin";
import { AnswerView } from "./answer-view";
import { buildRequest, type Callable, curlOf } from "./build-request";
import { keptKey, useKept } from "./kept-values";
import { RequestForm } from "./request-form";
import { type Answer, sendRequest } from "./send-request";

interface RequestPanelProps {
  operation: Callable;
  /** The server's origin, used until the browser's is known. */
  origin: string;
}

export function RequestPanel({ operation, origin: known }: RequestPanelProps) {
  const origin = useOrigin(known);
  const [isOpen, setOpen] = useState(false);
  const [body, setBody] = useState(operation.body?.text ?? "");
  const [isSending, setSending] = useState(false);
  const [answer, setAnswer] = useState<Answer | "none">();
  const kept = useKept();
  const { token = "" } = kept;
  const values = Object.fromEntries(
    operation.parameters.map((parameter) => [parameter.name, kept[keptKey(operation, parameter)] ?? ""]),
  );
  const send = async () => {
    setSending(true);
    setAnswer(undefined);
    setAnswer(await sendRequest(buildRequest(operation, values, token, body)).catch(() => "none" as const));
    setSending(false);
  };
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
          <RequestForm
            operation={operation}
            origin={origin}
            body={body}
            onBody={setBody}
            isSending={isSending}
            onSend={() => void send()}
          />
          <div role="status">{answer && <AnswerView answer={answer} />}</div>
        </div>
      )}
    </div>
  );
}
