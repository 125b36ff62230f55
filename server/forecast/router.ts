import { contractProcedure, router, staffQuery } from "../auth/procedures";
import { makeForecast } from "./make-forecast";
import { FORECAST_DAYS, FORECAST_HOURS, ForecastInput, GetForecastReply } from "./schema";

export const forecastRouter = router({
  get: contractProcedure("batches:read", "Balances", "GET /v1/contracts/{contractAddress}/forecast", {
    summary: "Get a contract's forecast",
    description: `Returns, per point type, how much of the contract's PENDING batches becomes due in the next ${FORECAST_HOURS} hours, on each of the next ${FORECAST_DAYS} days and later. Also says when a PREFUNDED contract runs out of points at the pace of the last 7 days.`,
  })
    .input(ForecastInput)
    .output(GetForecastReply)
    .query(async ({ ctx, input }) => {
      const { issuance, readAt, ...forecast } = await makeForecast(ctx, input);
      return { success: true as const, ...forecast };
    }),
});

export const consoleForecastRouter = router({
  get: staffQuery("viewer", ForecastInput, makeForecast, "long"),
});
