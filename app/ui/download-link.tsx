import { Download } from "lucide-react";
import type { ComponentProps } from "react";
import { ButtonIcon } from "./button";
import { type ButtonLook, buttonLook } from "./button-look";
import { classNames } from "./class-names";

/** A file, by a link that looks like a button. */
export function DownloadLink({
  size,
  className,
  children,
  ...props
}: ComponentProps<"a"> & Pick<ButtonLook, "size">) {
  return (
    <a download {...props} className={classNames(buttonLook({ size }), className)}>
      <ButtonIcon icon={Download} />
      {children}
    </a>
  );
}
