"use client";
import { type ComponentType, useState } from "react";

/** A panel whose code comes when it is first wanted. Until then its button stands alone. */
export function useLazyPanel<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Panel, setPanel] = useState<ComponentType<Props>>();
  return {
    Panel,
    /** For the button while there is no panel: it comes open. */
    buttonProps: Panel
      ? {}
      : {
          "aria-haspopup": true,
          "aria-expanded": false,
          onPointerEnter: () => void load(),
          onClick: () => void load().then((loaded) => setPanel(() => loaded)),
        },
  } as const;
}
