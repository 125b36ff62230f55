/** A call begins its work by an answer of this age at most. */
const ANSWER_MS_MAX = 1000;

/**
 * Asks who calls, and returns what gives the answer: the same one, or a new one once it is older than a
 * second. Access may end while a body arrives slowly or a call waits for its turn.
 */
export async function recentAnswer<T>(ask: (isAgain: boolean) => Promise<T>): Promise<() => Promise<T>> {
  let askedAt = performance.now();
  let answer = ask(false);
  await answer;
  return () => {
    if (performance.now() - askedAt > ANSWER_MS_MAX) {
      askedAt = performance.now();
      answer = ask(true);
    }
    return answer;
  };
}
