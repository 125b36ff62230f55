"use client";
import { type ComponentType, useState } from "react";

/** Loads the code of a panel on first use. Until then only its button is rendered. */
export function useLazyPanel<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Panel, setPanel] = useState<ComponentType<Props>>();
  return {
    Panel,
    /** For the button until the panel is loaded; the panel then opens. */
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
