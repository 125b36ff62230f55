export const BATCH_STATUSES = ["PENDING", "CANCELLED", "FINALIZING", "FINALIZED"] as const;
/** PENDING to FINALIZING or CANCELLED, FINALIZING to FINALIZED. A trigger refuses any other change. */
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** A finalizer needs a moment after the due time, so a batch counts as overdue only after this. */
export const OVERDUE_AFTER_SECONDS = 5;

export const POINT_TYPES = ["PHASE2_POINTS", "PHASE2_GOLD"] as const;
export type PointType = (typeof POINT_TYPES)[number];

/** As people read them. */
export const TYPE_LABELS = { PHASE2_POINTS: "Points", PHASE2_GOLD: "Gold" } as const;
/** For sentences. */
export const unitOfType = (type: PointType) => TYPE_LABELS[type].toLowerCase();
export const ISSUANCE_LABELS = { ON_DEMAND: "On demand", PREFUNDED: "Prefunded" } as const;

export const byPointType = <Value>(of: (type: PointType) => Value): Record<PointType, Value> => ({
  PHASE2_POINTS: of("PHASE2_POINTS"),
  PHASE2_GOLD: of("PHASE2_GOLD"),
});

/** Forms of addresses, batch ids and amounts, for the API, document and browser. Import nothing here. */

/** `0x` and 40 hex digits, in any letter case. The EIP-55 checksum is checked separately. */
export const ADDRESS_PATTERN = /^0x[0-9a-fA-F]{40}$/;
const ID_CHAR = "[A-Za-z0-9._:~-]";
const ID_CHAR_NOT_DOT = "[A-Za-z0-9_:~-]";
/** Not `.` or `..`, which URL clients drop. No lookahead either, since some OpenAPI tools lack it. */
export const BATCH_ID_PATTERN = new RegExp(
  `^(${ID_CHAR_NOT_DOT}${ID_CHAR}{0,63}|\\.${ID_CHAR_NOT_DOT}${ID_CHAR}{0,62}|\\.\\.${ID_CHAR}{1,62})$`,
);
/** An amount: no sign, exponent, spaces or grouping, at most 26 digits before the point and 12 after. */
export const POINTS_PATTERN = /^(0|[1-9][0-9]{0,25})(\.[0-9]{1,12})?$/;
/** A transfer's reference: 1 to 64 printable ASCII characters, without a space at either end. */
export const REFERENCE_PATTERN = /^[!-~]([ -~]{0,62}[!-~])?$/;
/** What pays a holder of a snapshot: the first digits of its ID, then the holder's address. */
export const HOLDER_REFERENCE_PATTERN = /^[0-9a-f]{16}:0x[0-9a-f]{40}$/;
export const REFERENCE_RULE = "must have 1 to 64 printable ASCII characters, without a space at either end";
/** A key of a batch's metadata. Not `__proto__`, which many programs cannot store. */
export const METADATA_KEY_PATTERN = /^[A-Za-z0-9_.-]{1,40}$/;
export const METADATA_VALUE_PATTERN = /^[^\p{Cc}\p{Surrogate}]{1,200}$/u;
export const METADATA_KEYS_MAX = 20;
/** Of a filter. Each may be counted, to search by the rarest. */
export const METADATA_FILTER_KEYS_MAX = 5;
export type Metadata = Record<string, string>;

/** By key, in code units. */
export const sortedMetadata = (metadata: Metadata | null | undefined): [key: string, value: string][] =>
  Object.entries(metadata ?? {}).sort(([one], [other]) => (one < other ? -1 : 1));

export const isMetadataKey = (key: string) => METADATA_KEY_PATTERN.test(key) && key !== "__proto__";

/** A key and its value as the console's URL and search have them: `campaign:summer`. */
export const METADATA_PAIR_PATTERN = /^(?!__proto__:)[A-Za-z0-9_.-]{1,40}:[^\p{Cc}\p{Surrogate}]{1,200}$/u;

export const REQUEST_ID_PATTERN = /^[A-Za-z0-9._:/+=@-]{1,128}$/;
/** A UUID of any version, in lower case as the service writes it. */
export const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The events that an endpoint can subscribe to, and the status of the batch at that time. */
export const WEBHOOK_EVENTS = {
  "batch.created": "PENDING",
  "batch.cancelled": "CANCELLED",
  "batch.held": "PENDING",
  "batch.released": "PENDING",
  "batch.finalizing": "FINALIZING",
  "batch.finalized": "FINALIZED",
} as const satisfies Record<`batch.${string}`, BatchStatus>;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;
export const WEBHOOK_EVENT_NAMES = Object.keys(WEBHOOK_EVENTS) as [WebhookEvent, ...WebhookEvent[]];

/** Sent on request only. Endpoints do not subscribe to it. */
export const TEST_EVENT = "webhook.test";

/** Such as `2026-10`. Not before the year 1000, because `Date.UTC` reads years below 100 as 19xx. */
export const MONTH_PATTERN = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;

/** The month's first instant and the first instant after it, in UTC. */
export function boundsOfMonth(month: string): { from: string; to: string } {
  const [year, number] = month.split("-").map(Number) as [number, number];
  const start = (monthIndex: number) => new Date(Date.UTC(year, monthIndex)).toISOString();
  return { from: start(number - 1), to: start(number) };
}

/** The UTC month of an RFC 3339 time in UTC. */
export const monthOf = (instant: string): string => instant.slice(0, 7);

/** The months from `last` back to `first`, both included, at most `monthsMax`. */
export function monthsBackTo(first: string, last: string, monthsMax: number): string[] {
  const months: string[] = [];
  let at = last;
  while (at >= first && months.length < monthsMax) {
    months.push(at);
    at = monthOf(new Date(Date.parse(boundsOfMonth(at).from) - 1).toISOString());
  }
  return months;
}

/** `October 2026`. */
export function nameOfMonth(month: string): string {
  return new Date(boundsOfMonth(month).from).toLocaleDateString("en-GB", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}

/** Offsets such as `+02:00` are in no IANA database, and do not follow clock changes. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}
/** Who submitted a batch: `token:<name>`, `operator:<address>`, `staff:<email>` or `ops`. */
export const SUBMITTER_PATTERN =
  /^(?:token:[^\0\p{Surrogate}]{1,100}|operator:0x[0-9a-fA-F]{40}|staff:[^\s\0\p{Surrogate}]{1,254}|ops)$/u;

/** `payout`, `payout-2`, `payout-3`, truncated when too long. Keeps a date or a padded number at the end. */
export function nextBatchId(id: string, charsMax: number): string {
  const [, base = id, number] = /^(.+)-([1-9]\d?)$/.exec(id) ?? [];
  const isDate = number?.length === 2 && /\d{4}(-\d{2})?$/.test(base);
  const isFirst = number === undefined || isDate;
  const end = isFirst ? "-2" : `-${Number(number) + 1}`;
  return (isFirst ? id : base).slice(0, charsMax - end.length) + end;
}

/** Max length of a search text. A batch's console URL fits. */
export const SEARCH_CHARS_MAX = 300;
