import { z } from "zod";
import { isPoints } from "./values/points";

export const wholeNumber = (fallback: number, minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.number().min(minimum).max(maximum))
    .prefault(String(fallback));

export const onOff = (fallback: "on" | "off") =>
  z
    .enum(["on", "off"])
    .prefault(fallback)
    .transform((value) => value === "on");

export const amount = (fallback: string) =>
  z.string().refine(isPoints, "must be a decimal string such as 0.01").prefault(fallback);

export const ports = (fallback: string) =>
  z
    .string()
    .regex(/^\d{1,5}(?:, *\d{1,5})*$/, "must be ports such as 443,8443")
    .transform((list) => list.split(",").map(Number))
    .pipe(z.array(z.number().min(1).max(65_535)))
    .prefault(fallback);

/** Exact origins only: browsers never send a path or a wildcard in `Origin`. */
export const origins = z
  .string()
  .transform((list) => list.split(",").map((origin) => origin.trim()))
  .pipe(
    z.array(
      z
        .string()
        .refine(
          (origin) => URL.canParse(origin) && new URL(origin).origin === origin && origin !== "null",
          "must be origins such as https://app.example.com, without a path",
        ),
    ),
  )
  .optional();

export const postgresUrl = z
  .string()
  .regex(/^postgres(ql)?:\/\//, "must start with postgres:// or postgresql://")
  .refine(namesOneHost, "must name one host")
  .optional();

/** Skips the password, which may contain a comma. */
function namesOneHost(url: string): boolean {
  const authority = url.replace(/^\w+:\/\//, "").split(/[?/]/)[0]!;
  return !authority.slice(authority.indexOf("@") + 1).includes(",");
}

export const secret = z
  .string()
  .min(16, "must be at least 16 characters")
  .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
  .optional();
