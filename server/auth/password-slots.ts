import { single } from "../kernel/single";
import { Turns } from "../kernel/turns";
import { DomainError } from "../kernel/values/problems";

/** Maximum passwords hashed at the same time. Each takes 128 MiB, and anyone can request one. */
const AT_ONCE_MAX = 4;
/** New devices can take three of these, so that strangers do not keep people waiting who signed in before. */
const NEW_DEVICES_MAX = 3;
/** One person, address or device cannot take more, however often it asks. */
const PER_SOURCE_MAX = 2;
const WAIT_MS_MAX = 1000;
const WAITING_MAX = 100;
const WAITING_PER_SOURCE_MAX = 10;

/** For whom a password is hashed. */
export interface SlotClaim {
  /** The person, the client's address, or the device. */
  sources: readonly string[];
  /** Whether the device has signed in before. */
  isKnown: boolean;
}

const ofSource = (claims: readonly SlotClaim[], source: string) =>
  claims.filter(({ sources }) => sources.includes(source)).length;

const slots = () =>
  single(
    "password-slots",
    () =>
      new Turns<SlotClaim>({
        fits: (running, { sources, isKnown }) =>
          running.length < (isKnown ? AT_ONCE_MAX : NEW_DEVICES_MAX) &&
          sources.every((source) => ofSource(running, source) < PER_SOURCE_MAX),
        mayWait: (waiting, { sources, isKnown }) =>
          (isKnown || waiting.length < WAITING_MAX) &&
          sources.every((source) => ofSource(waiting, source) < WAITING_PER_SOURCE_MAX),
        waitMsMax: WAIT_MS_MAX,
      }),
  );

/** Hashes or checks a password when there is capacity. @throws DomainError `rate_limited` when there is none within a second */
export const boundedPasswordWork = <T>(claim: SlotClaim, work: () => Promise<T>): Promise<T> =>
  slots().run(claim, work, busy);

const busy = () =>
  new DomainError("rate_limited", "Too many sign-in attempts at the same time. Retry in a few seconds.");
