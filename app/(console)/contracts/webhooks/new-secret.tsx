"use client";
import { Button } from "../../../ui/button";
import { CodeBlock } from "../../../ui/code-block";
import { Dialog } from "../../../ui/dialog";

interface NewSecretProps {
  secret: string;
  url: string;
  close: () => void;
}

/** The one time a secret is shown: neither Escape nor a click beside it closes this. */
export function NewSecret({ secret, url, close }: NewSecretProps) {
  return (
    <Dialog
      open
      onOpenChange={() => undefined}
      title="Keep the signing secret now"
      description={
        <p className="wrap-anywhere">
          {url} checks the signatures with it (Standard Webhooks). It is not shown again.
        </p>
      }
    >
      <div className="mt-4 flex flex-col gap-4">
        <CodeBlock code={secret} what="secret" wraps />
        <Button variant="primary" className="self-end" onClick={close}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}
