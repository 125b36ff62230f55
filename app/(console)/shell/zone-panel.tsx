import { type ReactElement, useState } from "react";
import Popover, { SearchList } from "@/app/ui/popover";
import { useTimeZone } from "@/app/ui/time";
import { isTimeZone } from "@/terms/batch-terms";

export default function ZonePanel({ trigger }: { trigger: ReactElement }) {
  const [open, setOpen] = useState(true);
  const { zone, defaultZone, setZone } = useTimeZone();
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const notes: Record<string, string> = { [defaultZone]: "default", [browserZone]: "this browser" };
  return (
    <Popover title="Show times in" open={open} onOpenChange={setOpen} trigger={trigger}>
      <SearchList
        label="Search time zones"
        placeholder="City or region, such as Kathmandu"
        options={(search) =>
          findZones(search, [zone, "UTC", defaultZone, browserZone]).map((value) => ({
            value,
            text: search,
            label: value.replaceAll("_", " "),
            detail: notes[value] && <span className="font-sans text-label">{notes[value]}</span>,
          }))
        }
        chosen={zone}
        onChoose={(next) => {
          setZone(next);
          setOpen(false);
        }}
      />
    </Popover>
  );
}

/** Compares names without letter case; `New York` finds `America/New_York`. */
const plain = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, " ");

/** Browsers list one name per zone. Others that they accept must be typed in full: `Asia/Katmandu`. */
export function findZones(search: string, first: readonly string[]): string[] {
  const wanted = plain(search);
  const all = new Set([...first, ...Intl.supportedValuesOf("timeZone")]);
  const found = [...all].filter((zone) => plain(zone).includes(wanted));
  if (found.length > 0 || !wanted) return found;
  const typed = search.trim().replaceAll(/\s+/g, "_");
  return isTimeZone(typed) ? [typed] : [];
}
