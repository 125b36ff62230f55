"use client";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "../../ui/class-names";
import { ROOMS } from "./rooms";

export function RoomLinks({ folded = false, onGo }: { folded?: boolean; onGo?: () => void }) {
  const pathname = usePathname();
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5 p-2">
      {ROOMS.map(({ path, name, icon: Icon }) => {
        const here = pathname === path || pathname.startsWith(`${path}/`);
        return (
          <Link
            key={path}
            href={path}
            onClick={onGo}
            aria-current={here ? "page" : undefined}
            title={folded ? name : undefined}
            className={classNames(
              "flex h-8 items-center gap-2.5 rounded-control px-2.5 font-medium text-table outline-offset-0",
              here ? "bg-hover text-text" : "text-muted hover:bg-hover hover:text-text",
            )}
          >
            <Icon aria-hidden size={16} className="shrink-0" />
            <span className={folded ? "sr-only" : undefined}>{name}</span>
          </Link>
        );
      })}
    </nav>
  );
}
