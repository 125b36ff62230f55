import { freePort } from "@/db/free-port";
import { embeddedUrl, type LaunchedApp, launchBuiltApp } from "../built-app";
import { environmentBeside, nginxBefore, throughPooler } from "./beside";
import type { FaultRun } from "./fault-row";

export const AUTH_SECRET = "auth-secret-of-this-fault-run";

/** Words of a process that met an error nobody caught. */
const UNCAUGHT =
  /"level":60|an error that nobody caught|a rejection that nobody awaited|uncaughtException|TypeError/;

/**
 * One place where the built app runs, again and again on the same port. Where the run has a shape, another instance serves and a
 * third finalizes from its first start on, and its url is that of the nginx before the two; what strikes it leaves those alone.
 */
export class Host {
  /** Where clients call. */
  url: string;
  /** Of this very process. */
  readonly ownUrl: string;
  readonly port: number;
  /** Those that serve `url`: this one alone, or with the one beside it. */
  webs: Host[] = [this];
  #app: LaunchedApp | null = null;
  /** The next end of the process is wanted. */
  #mayEnd = false;
  readonly #run: FaultRun;
  readonly #environment: Record<string, string>;
  readonly #dataDir: string;

  private constructor(run: FaultRun, port: number, environment: Record<string, string>, dataDir: string) {
    this.#run = run;
    this.port = port;
    this.ownUrl = `http://127.0.0.1:${port}`;
    this.url = this.ownUrl;
    this.#environment = environment;
    this.#dataDir = dataDir;
  }

  /** @param environment `DATABASE_URL` in it makes the host use that; without it the host keeps a Postgres in its folder. */
  static async make(run: FaultRun, environment: Record<string, string>, dataDir?: string): Promise<Host> {
    const host = new Host(
      run,
      await freePort(),
      {
        AUTH_SECRET,
        MINIMUM_FINALIZE_SECONDS: "0",
        SELF_CHECK_EVERY_HOURS: "0",
        ...(await throughPooler(run, environment)),
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
    if (this.#run.shape && this.url === this.ownUrl) await this.#startBeside(this.#environment);
  }

  async #startBeside(environment: Record<string, string>): Promise<void> {
    const shared = environmentBeside(environment, () => embeddedUrl(this.#dataDir));
    const make = async () => {
      const dataDir = this.#run.cleanup.folder();
      const host = new Host(this.#run, await freePort(), shared, dataDir);
      this.#run.cleanup.add(() => host.end());
      await host.launch();
      await host.app.ready();
      return host;
    };
    this.webs = [this, await make()];
    const all = environment.FINALIZER === "off" ? this.webs : [...this.webs, await make()];
    const nginx = await nginxBefore(
      this.#run,
      this.webs.map((host) => host.ownUrl),
    );
    for (const host of all) host.url = `http://127.0.0.1:${nginx.port}`;
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
