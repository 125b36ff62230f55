import type { Tally } from "./tally";

/** A `fetch` that counts every answer, and every request that got none. */
export function countingFetch(tally: Tally): typeof fetch {
  return async (input, init) => {
    const startedAt = performance.now();
    try {
      const reply = await fetch(input, init);
      tally.answer(reply.status, performance.now() - startedAt);
      if (reply.status === 503)
        tally.expect(reply.headers.has("retry-after"), "a 503 came without Retry-After");
      else tally.expect(reply.status < 500, `a request was answered ${reply.status}`);
      return reply;
    } catch (error) {
      tally.unanswered++;
      throw error;
    }
  };
}
