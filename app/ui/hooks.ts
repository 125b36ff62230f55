"use client";

import {
  type ComponentType,
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from "react";

/** A ref that focuses its element when it appears. A panel's code may load only after the panel has opened. */
export const useFocus = <Focusable extends HTMLElement>() =>
  useCallback((element: Focusable | null) => element?.focus(), []);

/** False during server-side rendering. */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const list = matchMedia(query);
      list.addEventListener("change", onChange);
      return () => list.removeEventListener("change", onChange);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}

/** Listens to an event of the window while the component is mounted. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listen: (event: WindowEventMap[Type]) => void,
): void {
  const latest = useEffectEvent(listen);
  useEffect(() => {
    const run = (event: WindowEventMap[Type]) => latest(event);
    addEventListener(type, run);
    return () => removeEventListener(type, run);
  }, [type]);
}

const never = () => () => undefined;

/** False until React handles events. Before that, the browser itself would submit a form. */
export const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

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
