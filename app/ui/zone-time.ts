const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    formatters.set(zone, formatter);
  }
  return formatter;
}

function partsOf(atMs: number, zone: string): Record<string, string> {
  return Object.fromEntries(
    formatterOf(zone)
      .formatToParts(atMs)
      .map((part) => [part.type, part.value]),
  );
}

/** `2026-01-31 14:05:09`, local time in the zone. */
export function formatInstant(at: string | number, zone: string): string {
  const p = partsOf(typeof at === "number" ? at : Date.parse(at), zone);
  return `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second}`;
}

/** `2026-01-31`, local date in the zone. */
export function formatDay(at: string | number, zone: string): string {
  return formatInstant(at, zone).slice(0, 10);
}

/** Midnight at the start of a calendar day in the zone, in milliseconds. */
export function startOfDay(year: number, monthIndex: number, day: number, zone: string): number {
  const wantedMs = Date.UTC(year, monthIndex, day);
  let guessMs = wantedMs;
  // Twice: the first guess may be on the other side of a daylight saving change.
  for (let round = 0; round < 2; round++) {
    const shownMs = Date.parse(`${formatInstant(guessMs, zone).replace(" ", "T")}Z`);
    guessMs += wantedMs - shownMs;
  }
  return guessMs;
}

export function isZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat("en-GB", { timeZone: zone }));
  } catch {
    return false;
  }
}
