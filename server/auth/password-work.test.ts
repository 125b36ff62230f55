import { expect, test } from "vitest";
import { refusalOf } from "@/testing/expect-refusal";
import { times } from "@/testing/factories";
import { boundedPasswordWork } from "./password-work";

/** Password work that runs until it is ended. */
function work() {
  let end = (_outcome: "checked" | Error) => {};
  const ended = new Promise<"checked" | Error>((resolve) => {
    end = resolve;
  });
  const outcome = boundedPasswordWork(async () => {
    const given = await ended;
    if (given instanceof Error) throw given;
    return given;
  });
  return { end, outcome };
}

test("four passwords are checked at a time, and further ones are refused until one finishes or fails", async () => {
  const four = await times(4, async () => work());
  expect(await refusalOf(work().outcome)).toMatchObject({ code: "rate_limited" });

  four[0]!.end("checked");
  expect(await four[0]!.outcome).toBe("checked");
  const fifth = work();
  expect(await refusalOf(work().outcome)).toMatchObject({ code: "rate_limited" });

  four[1]!.end(new Error("out of memory"));
  await expect(four[1]!.outcome).rejects.toThrow("out of memory");
  const sixth = work();
  expect(await refusalOf(work().outcome)).toMatchObject({ code: "rate_limited" });

  for (const { end, outcome } of [four[2]!, four[3]!, fifth, sixth]) {
    end("checked");
    expect(await outcome).toBe("checked");
  }
});
