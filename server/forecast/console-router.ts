import { router, staffProcedure } from "../auth/procedures";
import { ForecastInput } from "./forecast-schema";
import { makeForecast } from "./make-forecast";

/** A contract's forecast in the console: the same figures as in the API. */
export const consoleForecastRouter = router({
  get: staffProcedure("viewer", "long")
    .input(ForecastInput)
    .query(({ ctx, input }) => makeForecast(ctx, input)),
});
