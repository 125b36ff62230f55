"use client";
import { PanelLeft } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Logo } from "../../ui/logo";
import { useMediaQuery } from "../../ui/use-media-query";
import { FOLDED_TEXT, type Fold, NavLinks } from "./nav-links";

const COOKIE_SECONDS = 31_536_000;

const WIDTHS: Record<Fold, string> = { folded: "w-14", open: "w-60", narrow: "w-14 xl:w-60" };

export function Sidebar({ chosen }: { chosen: string | undefined }) {
  const [fold, setFold] = useState<Fold>(chosen === "folded" || chosen === "open" ? chosen : "narrow");
  const isWide = useMediaQuery("(min-width: 1280px)");
  const folded = fold === "narrow" ? !isWide : fold === "folded";
  const toggle = () => {
    const next = folded ? "open" : "folded";
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = `sidebar=${next};path=/;max-age=${COOKIE_SECONDS};samesite=lax`;
    setFold(next);
  };
  return (
    <aside
      aria-label="Sidebar"
      className={classNames(
        "flex shrink-0 flex-col border-line border-r bg-ground max-md:hidden print:hidden",
        WIDTHS[fold],
      )}
    >
      <div className="flex h-14 items-center gap-2.5 px-3.5">
        <Logo size={26} />
        <span className={classNames("truncate font-semibold text-body", FOLDED_TEXT[fold])}>
          Point transfers
        </span>
      </div>
      <NavLinks fold={fold} />
      <div className="mt-auto p-2">
        <Button
          variant="ghost"
          size="icon"
          onClick={toggle}
          aria-label={folded ? "Expand sidebar" : "Collapse sidebar"}
          aria-expanded={!folded}
        >
          <PanelLeft aria-hidden size={16} />
        </Button>
      </div>
    </aside>
  );
}
