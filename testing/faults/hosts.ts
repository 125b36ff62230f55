import { freePort } from "@/db/free-port";
import { embeddedUrl, type LaunchedApp, launchBuiltApp } from "../launch-app";
import type { FaultRun } from "./fault-row";
import { sharedEnvironment, startNginxInFront, throughPooler } from "./shape-parts";

export const AUTH_SECRET = "auth-secret-of-this-fault-run";

/** Log output of a process that had an uncaught error. */
const UNCAUGHT = /"level":60|uncaught error|unhandled rejection|uncaughtException|TypeError/;

/**
 * The built app on one port, which can be restarted. With a shape, another instance serves too and a third finalizes from the
 * first start on. `url` is then nginx in front of the two, and faults hit only this instance.
 */
export class Host {
  /** The URL that clients call. */
  url: string;
  /** The URL of this process itself. */
  readonly ownUrl: string;
  readonly port: number;
  readonly dataDir: string;
  /** The processes that serve `url`: this one, and with a shape a second one. */
  webs: Host[] = [this];
  #app: LaunchedApp | null = null;
  /** Whether the process is expected to exit. */
  #mayEnd = false;
  readonly #run: FaultRun;
  readonly #environment: Record<string, string>;

  private constructor(run: FaultRun, port: number, environment: Record<string, string>, dataDir: string) {
    this.#run = run;
    this.port = port;
    this.ownUrl = `http://127.0.0.1:${port}`;
    this.url = this.ownUrl;
    this.#environment = environment;
    this.dataDir = dataDir;
  }

  /** @param environment without `DATABASE_URL` the host runs a Postgres in its folder */
  static async make(run: FaultRun, environment: Record<string, string>, dataDir?: string): Promise<Host> {
    const rest = await throughPooler(run, environment);
    const all = { AUTH_SECRET, MINIMUM_FINALIZE_SECONDS: "0", SELF_CHECK_EVERY_HOURS: "0", ...rest };
    return Host.#add(run, all, dataDir);
  }

  /** Makes a host and waits until it serves. */
  static async started(...given: Parameters<typeof Host.make>): Promise<Host> {
    const host = await Host.make(...given);
    await host.start();
    return host;
  }

  static async #add(run: FaultRun, environment: Record<string, string>, dataDir?: string): Promise<Host> {
    const host = new Host(run, await freePort(), environment, dataDir ?? run.cleanup.folder());
    run.cleanup.add(() => host.end());
    return host;
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
      dataDir: this.dataDir,
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
    const shared = sharedEnvironment(environment, () => embeddedUrl(this.dataDir));
    const make = async () => {
      const host = await Host.#add(this.#run, shared);
      await host.launch();
      await host.app.ready();
      return host;
    };
    this.webs = [this, await make()];
    const all = environment.FINALIZER === "off" ? this.webs : [...this.webs, await make()];
    const nginx = await startNginxInFront(
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

  /** Sends SIGTERM, as a deploy does. */
  async terminate(): Promise<void> {
    this.#mayEnd = true;
    await this.app.kill("SIGTERM");
    this.#expectNothingUncaught();
  }

  /** A clean stop, so that the app also stops its Postgres. */
  async end(): Promise<void> {
    if (!this.#app) return;
    this.#mayEnd = true;
    await this.#app.kill("SIGTERM");
    this.#expectNothingUncaught();
    this.#app = null;
  }

  #noteEnd(app: LaunchedApp): void {
    if (this.#mayEnd || app !== this.#app) return;
    const last = uncaughtIn(app) ?? linesOf(app).slice(-5).join("\n");
    this.#run.giveUp(`the app exited unexpectedly (${app.exitCode()}): ${last.slice(0, 1500)}`);
  }

  #expectNothingUncaught(): void {
    const line = uncaughtIn(this.app);
    if (line) this.#run.tally.violate(`the app logged: ${line.slice(0, 300)}`);
  }
}

const linesOf = (app: LaunchedApp) => app.output().split("\n");
const uncaughtIn = (app: LaunchedApp) => linesOf(app).find((line) => UNCAUGHT.test(line));
