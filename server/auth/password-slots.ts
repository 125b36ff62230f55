import { single } from "../kernel/single";
import { DomainError } from "../kernel/values/problems";

/** Maximum passwords hashed at the same time. Each takes 128 MiB, and anyone can request one. */
const AT_ONCE_MAX = 4;
/** Of these, new devices can take three, so that people who signed in before are not kept waiting by strangers. */
const NEW_DEVICES_MAX = 3;
/** One person, address or device cannot take more, however often it asks. */
const PER_SOURCE_MAX = 2;
const WAIT_MS_MAX = 1000;
const WAITING_MAX = 100;
const WAITING_PER_SOURCE_MAX = 10;

/** Who a password is hashed for. */
export interface SlotClaim {
  /** The person, the client's address, or the device. */
  sources: readonly string[];
  /** Whether the device has signed in before. */
  isKnown: boolean;
}

interface Waiter {
  claim: SlotClaim;
  start: () => void;
}

interface Slots {
  underWay: SlotClaim[];
  waiting: Set<Waiter>;
}

const slotsOfProcess = () => single<Slots>("password-slots", () => ({ underWay: [], waiting: new Set() }));

/** Hashes or checks a password when there is capacity. @throws DomainError `rate_limited` when there is none within a second */
export async function boundedPasswordWork<T>(claim: SlotClaim, work: () => Promise<T>): Promise<T> {
  const slots = slotsOfProcess();
  if (fits(slots, claim)) slots.underWay.push(claim);
  else await waitForSlot(slots, claim);
  try {
    return await work();
  } finally {
    slots.underWay.splice(slots.underWay.indexOf(claim), 1);
    for (const waiter of slots.waiting) if (fits(slots, waiter.claim)) waiter.start();
  }
}

const ofSource = (claims: readonly SlotClaim[], source: string) =>
  claims.filter(({ sources }) => sources.includes(source)).length;

function fits({ underWay }: Slots, { sources, isKnown }: SlotClaim): boolean {
  return (
    underWay.length < (isKnown ? AT_ONCE_MAX : NEW_DEVICES_MAX) &&
    sources.every((source) => ofSource(underWay, source) < PER_SOURCE_MAX)
  );
}

function waitForSlot(slots: Slots, claim: SlotClaim): Promise<void> {
  const claims = [...slots.waiting].map((waiter) => waiter.claim);
  const isCrowded =
    (claims.length >= WAITING_MAX && !claim.isKnown) ||
    claim.sources.some((source) => ofSource(claims, source) >= WAITING_PER_SOURCE_MAX);
  if (isCrowded) return Promise.reject(busy());
  return new Promise((resolve, reject) => {
    const waiter = {
      claim,
      start() {
        leave();
        slots.underWay.push(claim);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      leave();
      reject(busy());
    }, WAIT_MS_MAX);
    const leave = () => {
      clearTimeout(timer);
      slots.waiting.delete(waiter);
    };
    slots.waiting.add(waiter);
  });
}

const busy = () =>
  new DomainError("rate_limited", "Too many sign-in attempts at the same time. Retry in a few seconds.");
