/** How long a question waits for the answer under way: one that is stuck must not hold up the rest. Milliseconds. */
const PATIENCE_MS = 10;

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Asks at once what comes alone, and in one go what came while an answer was under way: callers at the same time share a
 * round trip. A question is only ever answered by what was asked after it came.
 */
export class Together<Question, Answer> {
  readonly #ask: (questions: Question[]) => Promise<Answer[]>;
  #waiting: Waiting<Question, Answer>[] = [];
  #underWay = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param ask must give one answer for each question, in their order */
  constructor(ask: (questions: Question[]) => Promise<Answer[]>) {
    this.#ask = ask;
  }

  /** @throws what `ask` throws, to all who were asked for together */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject });
      if (this.#underWay === 0) void this.#send();
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
    if (this.#underWay === 0 && this.#waiting.length > 0) void this.#send();
  }
}
