import { router, staffChange, staffQuery } from "@/server/auth/procedures";
import { describePayout, listUnfinishedPayouts } from "./read-payout";
import { releasePayout } from "./release-payout";
import { PayoutKeyInput, UnfinishedPayoutsInput } from "./schema";

export const consolePayoutsRouter = router({
  get: staffQuery("viewer", PayoutKeyInput, describePayout),
  listUnfinished: staffQuery("viewer", UnfinishedPayoutsInput, listUnfinishedPayouts),
  release: staffChange("operator", PayoutKeyInput, releasePayout),
});
