"use client";
import { Check, Copy } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { CodeBlock } from "./code-block";
import { copyText } from "./copy-button";
import { Dialog } from "./dialog";

interface SecretDialogProps {
  title: string;
  description: ReactNode;
  secret: string;
  /** Name of the secret: "token". */
  what: string;
  children?: ReactNode;
  close: () => void;
}

/** The secret is shown only once, so neither Escape nor the backdrop closes the dialog. */
export function SecretDialog({ title, description, secret, what, children, close }: SecretDialogProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => setCopied((await copyText(secret, what)) || copied);
  const Icon = copied ? Check : Copy;
  return (
    <Dialog open onOpenChange={() => undefined} title={title} description={description}>
      <div className="mt-4 flex flex-col gap-4">
        <CodeBlock code={secret} what={what} copy={false} wraps />
        {children}
        <div className="flex justify-end gap-2">
          <Button autoFocus variant={copied ? "secondary" : "primary"} onClick={() => void copy()}>
            <Icon aria-hidden size={14} />
            <span aria-live="polite">{copied ? "Copied" : `Copy ${what}`}</span>
          </Button>
          <Button variant={copied ? "primary" : "secondary"} onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
