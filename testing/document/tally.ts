import type { RawReply } from "../send-raw";
import { problemCode } from "./check-reply";
import { type DocumentOperation, operations } from "./operations";

/** An error may end a request before it is counted, so these replies may have no quota. */
const NEED_NOT_BE = / (?:500|503) ratelimit/;

/** Counts what was sent and answered, and what of the document was not reached. */
export class Tally {
  readonly #requests = new Map<string, Map<number, number>>();
  readonly #seen = new Set<string>();

  add({ id }: DocumentOperation, reply: RawReply): void {
    const { status, headers } = reply;
    const statuses = this.#requests.get(id) ?? new Map<number, number>();
    this.#requests.set(id, statuses.set(status, (statuses.get(status) ?? 0) + 1));
    const code = problemCode(reply);
    for (const name of [...Object.keys(headers), ...(code ? [code] : [])]) {
      this.#seen.add(`${id} ${status} ${name}`);
    }
  }

  /** Declared statuses, headers and codes that no reply had. */
  unreached(): string[] {
    return operations.flatMap(({ id, replies }) =>
      Object.entries(replies).flatMap(([status, reply]) => {
        if (!this.#requests.get(id)?.has(Number(status))) return [`${id} ${status}`];
        const codes = Object.keys(reply.content?.["application/problem+json"]?.examples ?? {});
        return [...Object.keys(reply.headers), ...codes]
          .map((name) => `${id} ${status} ${name}`)
          .filter((each) => !this.#seen.has(each) && !NEED_NOT_BE.test(each));
      }),
    );
  }

  /** Requests per operation and status. */
  table(): string {
    const all = [...new Set([...this.#requests.values()].flatMap((each) => [...each.keys()]))].sort();
    const rows = [...this.#requests].map(([id, statuses]) => [
      id,
      ...all.map((status) => String(statuses.get(status) ?? "·")),
    ]);
    const width = Math.max(...rows.map(([id]) => id!.length));
    return [["operation", ...all.map(String)], ...rows]
      .map(([id, ...cells]) => [id!.padEnd(width), ...cells.map((cell) => cell.padStart(5))].join(" "))
      .join("\n");
  }
}
