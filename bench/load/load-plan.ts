/** One run of load. It has its own process, so that it does not slow down the measured one. */
export interface LoadPlan {
  /** Base address of the service, such as `http://127.0.0.1:3000`. */
  url: string;
  connections: number;
  /** Warm-up, which is not counted. */
  warmUpSeconds: number;
  seconds: number;
  /**
   * For a service so slow that few requests would end within the seconds. Every connection starts requests for that long, at
   * least two. All of them count, over the time until the last reply.
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
  /** Different bodies, sent in turn. */
  bodies: number;
  /** The API to call: `/v1`, as in the service and the expert, when absent. */
  api?: "payload";
}

/** `eip55`: mixed case, each new to the service. `lower`: lower case. */
export type AddressLetters = "eip55" | "lower";

export interface GetWork {
  kind: "get";
  /** Paths with queries; `{contract}` is the caller's address, `{cursor}` its cursor. Every caller requests each. */
  targets: string[];
  /** One per caller. */
  cursors?: string[];
}

export interface LoadResult {
  requests: number;
  /** Including the warm-up. */
  requestsSent: number;
  /** The time in which `requests` ended. */
  seconds: number;
  /** Requests with another answer than 200 or 201, and the first such answer. */
  refused: number;
  firstRefusal: string | null;
}

export const perSecond = ({ requests, seconds }: LoadResult): number => requests / seconds;
