"use client";
import { SecretDialog } from "../../../ui/secret-dialog";

interface NewSecretProps {
  secret: string;
  url: string;
  close: () => void;
}

/** The one time a signing secret is shown. */
export function NewSecret({ secret, url, close }: NewSecretProps) {
  return (
    <SecretDialog
      title="The signing secret is made"
      description={
        <p className="wrap-anywhere">
          {url} checks the signatures with it (Standard Webhooks). Copy it there now: it is shown only this
          once.
        </p>
      }
      secret={secret}
      what="secret"
      close={close}
    />
  );
}
