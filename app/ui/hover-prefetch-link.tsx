"use client";
import Link from "next/link";
import { type ComponentProps, useState } from "react";

/**
 * A link whose page is prefetched when the pointer or the focus reaches it. Next would prefetch every link in view: ten
 * requests for each page of the console, which cost the server as much as the page itself.
 */
export function HoverPrefetchLink(props: Omit<ComponentProps<typeof Link>, "prefetch">) {
  const [isNear, setIsNear] = useState(false);
  const approach = () => setIsNear(true);
  return <Link {...props} prefetch={isNear ? null : false} onPointerEnter={approach} onFocus={approach} />;
}
