"use client";
import { type ComponentType, useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";

/** A ref that focuses its element when it appears: a panel's code may load after the panel has opened. */
export const takeFocus = (element: HTMLElement | null) => element?.focus();

const phoneQuery = () => matchMedia("(max-width: 767px)");

function watchPhone(onChange: () => void): () => void {
  const list = phoneQuery();
  list.addEventListener("change", onChange);
  return () => list.removeEventListener("change", onChange);
}

/** False during server-side rendering. */
export const useIsPhone = () =>
  useSyncExternalStore(
    watchPhone,
    () => phoneQuery().matches,
    () => false,
  );

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
export function useLazyPanel<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
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
          onClick: () => void load().then((loaded) => setPanel(() => loaded.default)),
        },
  } as const;
}

const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])";
/** These cover the page. The side panel leaves it usable. */
export const OVERLAYS =
  '[role="dialog"]:not([data-side-panel]), [role="alertdialog"], [role="menu"], [role="listbox"]';

const KEPT_AS = "single-keys";

/** Single keys can be turned off, since speech input may type them (WCAG 2.1.4). */
export const hasSingleKeys = () => localStorage.getItem(KEPT_AS) !== "off";

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEPT_AS);
  else localStorage.setItem(KEPT_AS, "off");
}

/** A key without Ctrl, Alt or ⌘, pressed outside fields while nothing covers the page. */
export function isSingleKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
    return false;
  const isTyping = event.target instanceof Element && event.target.closest(FIELDS) !== null;
  return !isTyping && document.querySelector(OVERLAYS) === null && hasSingleKeys();
}

const DRAFTS_OF = "drafts of";

/** Forgets what somebody else has typed in this tab. */
export function useDraftsOf(person: string): void {
  useEffect(() => {
    if (sessionStorage.getItem(DRAFTS_OF) === person) return;
    sessionStorage.clear();
    sessionStorage.setItem(DRAFTS_OF, person);
  }, [person]);
}

const FRAMES_MAX = 30;

/** Waits until a closing menu or search has returned the focus: a dialog returns it to the same place. */
export function afterOverlay(run: () => void): void {
  const look = (framesLeft: number) => {
    const { activeElement: focused, body } = document;
    const waits = focused === null || focused === body || focused.closest(`${FIELDS}, ${OVERLAYS}`);
    if (waits && framesLeft > 0) requestAnimationFrame(() => look(framesLeft - 1));
    else run();
  };
  requestAnimationFrame(() => look(FRAMES_MAX));
}
