"use client";
import { SecretDialog } from "../../../ui/secret-dialog";

interface NewSecretProps {
  secret: string;
  url: string;
  close: () => void;
}

export function NewSecret({ secret, url, close }: NewSecretProps) {
  return (
    <SecretDialog
      title="Signing secret created"
      description={
        <p className="wrap-anywhere">
          Use it at {url} to verify signatures (Standard Webhooks). Copy it now. You will not be able to see
          it again.
        </p>
      }
      secret={secret}
      what="secret"
      close={close}
    />
  );
}
