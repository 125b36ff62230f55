import type { ComponentProps } from "react";
import { Input } from "../../ui/field";

export function AddressInput(props: ComponentProps<typeof Input>) {
  return (
    <Input
      placeholder="0x…"
      autoComplete="off"
      spellCheck={false}
      {...props}
      className="font-mono text-mono!"
    />
  );
}
