"use client";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { addressDetail, addressError } from "@/server/kernel/values/address-text";
import { fieldErrorText } from "../../data/problem";
import { Button } from "../../ui/button";
import { textOf } from "../../ui/field";
import { AddressField } from "../contracts/address-field";
import { recipientPath } from "../contracts/paths";

export function FindRecipient() {
  const router = useRouter();
  const [error, setError] = useState<string>();
  const go = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const address = textOf(new FormData(event.currentTarget), "address");
    const code = addressError(address);
    setError(code ? fieldErrorText(addressDetail(address, code)) : undefined);
    if (!code) router.push(recipientPath(address));
  };
  return (
    <form onSubmit={go} noValidate className="flex flex-col gap-3">
      <AddressField
        label="Address"
        error={error}
        hint="From any page, press / and paste the address."
        name="address"
        autoFocus
      />
      <Button type="submit" variant="primary" className="self-end">
        View recipient
      </Button>
    </form>
  );
}
