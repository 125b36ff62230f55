"use client";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { ADDRESS_DETAIL, addressError } from "@/server/kernel/values/address-text";
import { fieldErrorText } from "../../data/problem";
import { Button } from "../../ui/button";
import { Field } from "../../ui/field";
import { AddressInput } from "../contracts/address-input";
import { recipientPath } from "../contracts/paths";

export function FindRecipient() {
  const router = useRouter();
  const [error, setError] = useState<string>();
  const go = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = String(new FormData(event.currentTarget).get("address") ?? "").trim();
    const code = addressError(address);
    setError(code ? fieldErrorText(ADDRESS_DETAIL[code]) : undefined);
    if (!code) router.push(recipientPath(address));
  };
  return (
    <form onSubmit={go} noValidate className="flex flex-col gap-3">
      <Field label="Address" error={error} hint="From any page, press / and paste the address.">
        {(control) => <AddressInput {...control} name="address" autoFocus />}
      </Field>
      <Button type="submit" variant="primary" className="self-end">
        View recipient
      </Button>
    </form>
  );
}
