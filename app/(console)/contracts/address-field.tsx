import type { ComponentProps } from "react";
import { TextField } from "../../ui/field";

export function AddressField(props: ComponentProps<typeof TextField>) {
  return (
    <TextField
      placeholder="0x…"
      autoComplete="off"
      spellCheck={false}
      {...props}
      className="font-mono text-mono!"
    />
  );
}
