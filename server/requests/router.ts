import { contractProcedure, router, staffQuery } from "@/server/auth/procedures";
import {
  ConsoleListRequestsInput,
  groupRequests,
  ListRequestsInput,
  ListRequestsReply,
  listRequests,
} from "./list-requests";

export const requestsRouter = router({
  list: contractProcedure("batches:read", "Requests", "GET /v1/contracts/{contractAddress}/requests", {
    summary: "List the contract's refused and sampled requests",
    description:
      "Returns one page of the requests of the contract's tokens, newest first: every refused write, and " +
      "one in a hundred of all others, for 30 days and up to 1,000 per UTC hour. They appear within " +
      "seconds. Bodies, headers and query values are not stored.",
  })
    .input(ListRequestsInput)
    .output(ListRequestsReply)
    .query(({ ctx, input }) => listRequests(ctx, input)),
});

export const consoleRequestsRouter = router({
  list: staffQuery("viewer", ConsoleListRequestsInput, groupRequests),
});
