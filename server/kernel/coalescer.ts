import { onceATurn } from "./once-a-turn";

/** Maximum milliseconds to wait for the call in progress, so that a stuck call does not delay the others. */
const PATIENCE_MS = 10;

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Questions of one turn of the event loop are asked together at its end. Those that arrive during a call are
 * asked together afterwards, never by an earlier call. Needed by "submit 10 at 16" in docs/benchmarks.md: 930
 * requests per second without it, 1,100 with it.
 */
export class Coalescer<Question, Answer> {
  readonly #ask: (questions: Question[]) => Promise<Answer[]>;
  #waiting: Waiting<Question, Answer>[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #sendSoon = onceATurn(() => {
    if (this.#underWay === 0 && this.#waiting.length > 0) void this.#send();
  });

  /** @param ask must return one answer per question, in order */
  constructor(ask: (questions: Question[]) => Promise<Answer[]>) {
    this.#ask = ask;
  }

  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#underWay === 0) this.#sendSoon();
      else this.#timer ??= setTimeout(() => void this.#send(), PATIENCE_MS);
    });
  }

  async #send(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const sent = this.#waiting;
    this.#waiting = [];
    this.#underWay++;
    try {
      const answers = await this.#ask(sent.map(({ question }) => question));
      sent.forEach(({ resolve }, at) => void resolve(answers[at]!));
    } catch (error) {
      for (const { reject } of sent) reject(error);
    }
    this.#underWay--;
    if (this.#underWay === 0) this.#sendSoon();
  }
}
