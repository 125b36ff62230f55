"use client";
import { Globe } from "lucide-react";
import { buttonLook } from "../../ui/button";
import { Menu, MenuRadios } from "../../ui/menu";
import { useTimeZone } from "../../ui/time-zone";

/** Chooses the zone that every time is shown in. */
export function ZoneMenu() {
  const { zone, setZone } = useTimeZone();
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const options = [
    { value: "UTC", label: "UTC" },
    ...(local === "UTC" ? [] : [{ value: local, label: `${local} (this browser)` }]),
    ...(zone === "UTC" || zone === local ? [] : [{ value: zone, label: zone }]),
  ];
  return (
    <Menu
      trigger={
        <button
          type="button"
          className={buttonLook({ variant: "ghost" })}
          aria-label={`Time zone: ${zone}`}
          suppressHydrationWarning
        >
          <Globe aria-hidden size={14} />
          <span className="max-sm:hidden">{zone}</span>
        </button>
      }
    >
      <MenuRadios label="Show times in" value={zone} onValueChange={setZone} options={options} />
    </Menu>
  );
}
