import { describe, expect, test } from "vitest";
import type { PointType } from "@/terms/batch-terms";
import { checkText } from "@/testing/check-text";
import { wallet } from "@/testing/factories";

const check = (text: string, pointType: PointType = "PHASE2_POINTS") => checkText(text, { pointType });

describe("a column that names point types", () => {
  const rows = [`${wallet(1)},5,PHASE2_POINTS`, `${wallet(2)},6,PHASE2_GOLD`, `${wallet(3)},7,`];
  const mixed = ["to_address,points,point_type", ...rows].join("\n");

  test("makes each row of the other type an error, which is not paid", () => {
    const { errors, badRows, points, transfers } = check(mixed);
    expect(errors).toMatchObject([{ line: 3, value: "PHASE2_GOLD", code: "other_type" }]);
    expect(errors[0]!.message).toBe(
      "This row is of Gold, and the payment of Points. Pay it in a file of its own.",
    );
    expect([badRows, points, transfers.length]).toEqual([1, "12", 2]);
  });

  test("says which type is meant, if it is the same in every row", () => {
    const { errors } = check(`who,n,kind\n${wallet(1)},5,phase2_gold\n${wallet(2)},6,PHASE2_GOLD\n`);
    expect(errors.map(({ line }) => line)).toEqual([2, 3]);
    expect(errors[0]!.message).toBe(
      "The file is of Gold, and the payment of Points. Choose Gold, or another file.",
    );
    expect(check(`who,n,kind\n${wallet(1)},5,PHASE2_GOLD\n`, "PHASE2_GOLD").errors).toEqual([]);
    const rows = Array.from({ length: 60 }, (_, at) => `${wallet(at + 1)},5,${at < 59 ? "" : "PHASE2_GOLD"}`);
    expect(check(["who,n,kind", ...rows].join("\n")).badRows).toBe(1);
    const body = { pointType: "PHASE2_GOLD", transfers: [{ toAddress: wallet(1), points: "5" }] };
    expect(check(JSON.stringify(body)).errors).toMatchObject([{ code: "other_type" }]);
  });

  test.each(["point_type", "pointType", "Type", "currency"])("may say gold, if its name is %s", (name) => {
    const text = `to,amount,${name}\n${wallet(1)},5,Gold\n`;
    expect(check(text).errors).toMatchObject([{ code: "other_type" }]);
    expect(check(text, "PHASE2_GOLD").errors).toEqual([]);
  });

  test("is no column of other words, such as tiers, or notes of which some name a type", () => {
    expect(check(`to,amount,tier\n${wallet(1)},5,Gold\n`).errors).toEqual([]);
    expect(check(`to,amount,type\n${wallet(1)},5,gold\n${wallet(2)},5,silver\n`).errors).toEqual([]);
    expect(check(`to,amount,note\n${wallet(1)},5,PHASE2_GOLD\n${wallet(2)},5,late\n`).errors).toEqual([]);
  });
});
