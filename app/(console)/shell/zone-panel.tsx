"use client";
import type { ReactElement } from "react";
import { Menu, MenuRadios } from "../../ui/menu";
import { useTimeZone } from "../../ui/time-zone";

export function ZonePanel({ trigger }: { trigger: ReactElement }) {
  const { zone, setZone } = useTimeZone();
  const local = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const options = [
    { value: "UTC", label: "UTC" },
    ...(local === "UTC" ? [] : [{ value: local, label: `${local} (this browser)` }]),
    ...(zone === "UTC" || zone === local ? [] : [{ value: zone, label: zone }]),
  ];
  return (
    <Menu trigger={trigger} defaultOpen>
      <MenuRadios label="Show times in" value={zone} onValueChange={setZone} options={options} />
    </Menu>
  );
}
