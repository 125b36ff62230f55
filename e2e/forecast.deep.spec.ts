import { expect } from "@playwright/test";
import { expectNoViolation } from "./axe";
import { newAddress, newPrefix, openAs, signIn, submit, test } from "./journey";
import { ADMIN, VIEWER } from "./people";
import { createContract, grantPoints } from "./setup";

test("a contract's forecast shows what is due when, apart from what is on hold, and when its points run out", async ({
  page,
  request,
  browser,
}) => {
  test.slow();
  const address = newAddress();
  const contract = { address, token: createContract(address, "Forecast", "PREFUNDED") };
  grantPoints(address, "100");
  const headers = { Authorization: `Bearer ${contract.token}` };
  const id = newPrefix("forecast");

  await signIn(page, ADMIN, `/contracts/${address}`);
  const points = page.getByRole("region", { name: "Points forecast" });
  await expect(
    points.getByText("100 points available. No points submitted in the last 7 days."),
  ).toBeVisible();
  await expect(points.getByText("No points due in the current hour and the 23 after it")).toBeVisible();

  // 1.5 + 2.5 + 3.5 each.
  for (const name of ["due", "held", "cancelled"]) await submit(request, { id: id + name, contract });
  await request.delete(`/v1/contracts/${address}/batches/${id}cancelled`, { headers });
  await page.goto(`/batches/${address}/${id}held`);
  await page.getByRole("button", { name: "Put on hold…" }).click();
  const question = page.getByRole("dialog", { name: "Put this batch on hold?" });
  await question.getByLabel("Reason").fill("Amounts to be checked");
  await question.getByRole("button", { name: "Put on hold" }).click();
  await expect(question).toBeHidden();

  await page.goto(`/contracts/${address}`);
  const reply = await (await request.get(`/v1/contracts/${address}/forecast`, { headers })).json();
  const forecast = reply.forecasts[0];
  expect(forecast).toMatchObject({
    pointType: "PHASE2_POINTS",
    overdue: { batchCount: 0, points: "0" },
    later: { batchCount: 0, points: "0" },
    onHold: { batchCount: 1, transferCount: 3, points: "7.5" },
    available: "85",
    submittedLast7Days: "15",
  });
  await expect(
    points.getByText(
      /^85 points available\. At the pace of the last 7 days \(15 points submitted\), they run out at \d{4}-\d\d-\d\d \d\d:\d\d \(.+\)\.$/,
    ),
  ).toBeVisible();
  await expect(points.getByText("1 batch, 7.5 points")).toBeVisible();
  const shownIn = async (unit: "hour" | "day") => {
    await points.getByText("Show as table").click();
    const table = points.getByRole("table", { name: `Points due per ${unit}, points` });
    return (await table.getByRole("cell").allInnerTexts()).map((text) => text.trim());
  };
  const amounts = (periods: { points: string }[]) => periods.map((each) => each.points);
  expect(amounts(forecast.hours).filter((amount) => amount !== "0")).toEqual(["7.5"]);
  expect(await shownIn("hour")).toEqual(amounts(forecast.hours));
  await expectNoViolation(page);

  await page
    .getByRole("navigation", { name: "Forecast range" })
    .getByRole("link", { name: "30 days" })
    .click();
  await expect(page).toHaveURL(/[?&]forecast=days/);
  await expect(points.getByRole("img", { name: "Points due per day" })).toBeVisible();
  expect(await shownIn("day")).toEqual(amounts(forecast.days));
  await page
    .getByRole("navigation", { name: "Range", exact: true })
    .getByRole("link", { name: "7 days" })
    .click();
  await expect(page).toHaveURL(/days=7.*forecast=days|forecast=days.*days=7/);
  await expectNoViolation(page);

  const theirs = await openAs(browser, VIEWER, page.url().replace(/^https?:\/\/[^/]+/, ""));
  await expect(theirs.getByRole("img", { name: "Points due per day" })).toBeVisible();
  await expect(theirs.getByText("No gold due in the current day and the 29 after it")).toBeVisible();
  await theirs.context().close();
});
