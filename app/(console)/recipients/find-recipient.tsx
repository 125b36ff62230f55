"use client";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { ADDRESS_DETAIL, addressFault } from "@/server/ledger/address-text";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { AddressInput } from "../contracts/address-input";
import { recipientPath } from "../contracts/paths";

/** Goes to the page of the address that is pasted. */
export function FindRecipient() {
  const router = useRouter();
  const [error, setError] = useState<string>();
  const go = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = String(new FormData(event.currentTarget).get("address") ?? "").trim();
    const fault = addressFault(address);
    setError(fault ? `It ${ADDRESS_DETAIL[fault]}.` : undefined);
    if (!fault) router.push(recipientPath(address));
  };
  return (
    <form onSubmit={go} noValidate className="flex flex-col gap-3">
      <Field label="Address" error={error} hint="Anywhere else, press / and paste it.">
        {(control) => <AddressInput {...control} name="address" autoFocus />}
      </Field>
      <Button type="submit" variant="primary" className="self-end">
        Show what it received
      </Button>
    </form>
  );
}
