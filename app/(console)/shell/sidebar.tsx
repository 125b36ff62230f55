"use client";
import { PanelLeft } from "lucide-react";
import { useState } from "react";
import { buttonLook } from "../../ui/button";
import { classNames } from "../../ui/class-names";
import { Logo } from "../../ui/logo";
import { RoomLinks } from "./room-links";

const COOKIE_SECONDS = 31_536_000;

export function Sidebar({ initiallyFolded }: { initiallyFolded: boolean }) {
  const [folded, setFolded] = useState(initiallyFolded);
  const toggle = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: Cookie Store is not in every browser yet
    document.cookie = `sidebar=${folded ? "open" : "folded"};path=/;max-age=${COOKIE_SECONDS};samesite=lax`;
    setFolded(!folded);
  };
  return (
    <aside
      aria-label="Sidebar"
      className={classNames(
        "flex shrink-0 flex-col border-line border-r bg-ground max-md:hidden",
        folded ? "w-14" : "w-60",
      )}
    >
      <div className="flex h-14 items-center gap-2.5 px-3.5">
        <Logo size={26} />
        {!folded && <span className="truncate font-semibold text-body">Point transfers</span>}
      </div>
      <RoomLinks folded={folded} />
      <div className="mt-auto p-2">
        <button
          type="button"
          onClick={toggle}
          aria-label={folded ? "Expand sidebar" : "Collapse sidebar"}
          aria-expanded={!folded}
          className={buttonLook({ variant: "ghost", size: "icon" })}
        >
          <PanelLeft aria-hidden size={16} />
        </button>
      </div>
    </aside>
  );
}
