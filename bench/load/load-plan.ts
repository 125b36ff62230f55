/** What one run of load is to do. The load has a process of its own: it must not share a core's time with what it measures. */
export interface LoadPlan {
  /** Base address of the service, such as `http://127.0.0.1:3000`. */
  url: string;
  connections: number;
  /** Not counted: connections open, statements are prepared, code gets warm. */
  warmUpSeconds: number;
  seconds: number;
  /**
   * For a service so slow that few requests, or none, would end within the seconds: every connection begins requests for
   * that long, at least two, with none under way before, and all count, over the time until the last reply.
   */
  toLastReply?: boolean;
  work: SubmitWork | GetWork;
  callers: LoadCaller[];
}

export interface LoadCaller {
  contractAddress: string;
  token: string;
}

export interface SubmitWork {
  kind: "submit";
  transfers: number;
  letters: AddressLetters;
  /** Different bodies that are sent in turn. */
  bodies: number;
  /** What is called: `/v1` as the service and the expert have it when absent. */
  api?: "payload";
}

/** `eip55`: as wallets show them, each new to the service. `lower`: as databases keep them. */
export type AddressLetters = "eip55" | "lower";

export interface GetWork {
  kind: "get";
  /** Path and query, `{contract}` for the caller's address, `{cursor}` for its cursor; every caller asks for each. */
  targets: string[];
  /** One for each caller. */
  cursors?: string[];
}

export interface LoadResult {
  requests: number;
  /** With those of the warm-up. */
  requestsSent: number;
  /** In which `requests` ended. */
  seconds: number;
  /** Requests that were answered other than 200 or 201, and what the first such answer said. */
  refused: number;
  firstRefusal: string | null;
  p50Ms: number;
  p99Ms: number;
}

export const perSecond = ({ requests, seconds }: LoadResult): number => requests / seconds;
