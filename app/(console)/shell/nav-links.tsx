"use client";
import { usePathname } from "next/navigation";
import { classNames } from "../../ui/class-names";
import { HoverPrefetchLink } from "../../ui/hover-prefetch-link";
import { shownCount, useAlerts } from "./alerts";
import { isWithin, NAV_ITEMS } from "./nav-items";

/** `narrow` is the default: folded on narrow screens only, by CSS, because the server cannot know the width. */
export type Fold = "folded" | "open" | "narrow";

/** Class name of text that a folded sidebar hides. */
export const FOLDED_TEXT: Record<Fold, string | undefined> = {
  folded: "sr-only",
  open: undefined,
  narrow: "max-xl:sr-only",
};

/** Next to the name, or on the icon where the name is hidden. */
const COUNT_PLACE: Record<Fold, string> = {
  folded: "absolute -top-0.5 right-0 min-w-4 px-1 leading-4",
  open: "ml-auto",
  narrow:
    "ml-auto max-xl:absolute max-xl:-top-0.5 max-xl:right-0 max-xl:min-w-4 max-xl:px-1 max-xl:leading-4",
};

export function NavLinks({ fold = "open", onGo }: { fold?: Fold; onGo?: () => void }) {
  const pathname = usePathname();
  const { unseenCount } = useAlerts();
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5 p-2">
      {NAV_ITEMS.map(({ path, name, icon: Icon }) => {
        const count = path === "/inbox" && unseenCount > 0 ? shownCount(unseenCount) : null;
        const here = isWithin(pathname, path);
        return (
          <HoverPrefetchLink
            key={path}
            href={path}
            onClick={onGo}
            aria-current={here ? "page" : undefined}
            title={fold === "open" ? undefined : name}
            className={classNames(
              "relative flex h-8 items-center gap-2.5 rounded-control px-2.5 font-medium text-table outline-offset-0",
              here ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
            )}
          >
            <Icon aria-hidden size={16} className="shrink-0" />
            <span className={FOLDED_TEXT[fold]}>{name}</span>
            {count && (
              <span
                className={classNames(
                  "rounded-full bg-danger px-1.5 text-center font-semibold text-label text-on-danger tabular-nums",
                  COUNT_PLACE[fold],
                )}
              >
                {count}
                <span className="sr-only"> not seen</span>
              </span>
            )}
          </HoverPrefetchLink>
        );
      })}
    </nav>
  );
}
