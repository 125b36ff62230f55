import { freePort, type LaunchedApp, launchBuiltApp } from "../built-app";
import type { FaultRun } from "./fault-row";

/** Words of a process that met an error nobody caught. */
const UNCAUGHT =
  /"level":60|an error that nobody caught|a rejection that nobody awaited|uncaughtException|TypeError/;

/** One place where the built app runs, again and again on the same port. */
export class Host {
  readonly url: string;
  readonly port: number;
  #app: LaunchedApp | null = null;
  /** The next end of the process is wanted. */
  #mayEnd = false;
  readonly #run: FaultRun;
  readonly #environment: Record<string, string>;
  readonly #dataDir: string;

  private constructor(run: FaultRun, port: number, environment: Record<string, string>, dataDir: string) {
    this.#run = run;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.#environment = environment;
    this.#dataDir = dataDir;
  }

  /** @param environment `DATABASE_URL` in it makes the host use that; without it the host keeps a Postgres in its folder. */
  static async make(run: FaultRun, environment: Record<string, string>, dataDir?: string): Promise<Host> {
    const host = new Host(
      run,
      await freePort(),
      {
        AUTH_SECRET: "auth-secret-of-this-fault-run",
        MINIMUM_FINALIZE_SECONDS: "0",
        SELF_CHECK_EVERY_HOURS: "0",
        ...environment,
      },
      dataDir ?? run.cleanup.folder(),
    );
    run.cleanup.add(() => host.end());
    return host;
  }

  get dataDir(): string {
    return this.#dataDir;
  }

  get cronSecret(): string {
    return this.app.cronSecret;
  }

  get app(): LaunchedApp {
    if (!this.#app) throw new Error("the host was not started");
    return this.#app;
  }

  /** Starts the app without waiting until it serves. */
  async launch(): Promise<void> {
    this.#mayEnd = this.#environment.CRASH_AT !== undefined;
    const app = await launchBuiltApp({
      environment: this.#environment,
      dataDir: this.#dataDir,
      port: this.port,
    });
    this.#app = app;
    void app.ended.then(() => this.#noteEnd(app));
  }

  /** Starts the app and waits until it serves. */
  async start(): Promise<void> {
    await this.launch();
    await this.app.ready();
  }

  async kill(): Promise<void> {
    this.#expectNothingUncaught();
    this.#mayEnd = true;
    await this.app.kill("SIGKILL");
    this.#run.tally.injected++;
  }

  /** SIGTERM, as whoever deploys does; within the time that the app allows itself. */
  async terminate(): Promise<void> {
    this.#mayEnd = true;
    await this.app.kill("SIGTERM");
    this.#expectNothingUncaught();
  }

  /** In an orderly way, so that the app takes its Postgres with it. */
  async end(): Promise<void> {
    if (!this.#app) return;
    this.#mayEnd = true;
    await this.#app.kill("SIGTERM");
    this.#expectNothingUncaught();
    this.#app = null;
  }

  #noteEnd(app: LaunchedApp): void {
    if (this.#mayEnd || app !== this.#app) return;
    const lines = app.output().split("\n");
    const last = lines.find((line) => UNCAUGHT.test(line)) ?? lines.slice(-5).join("\n");
    this.#run.giveUp(`the app ended by itself (${app.exitCode()}): ${last.slice(0, 1500)}`);
  }

  #expectNothingUncaught(): void {
    const line = this.app
      .output()
      .split("\n")
      .find((each) => UNCAUGHT.test(each));
    if (line) this.#run.tally.violate(`the app said: ${line.slice(0, 300)}`);
  }
}
