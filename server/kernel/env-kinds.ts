import { z } from "zod";
import { DatabaseUrlError, readDatabaseUrl } from "@/db/database-url";
import { isTimeZone } from "./values/batch-terms";
import { isPoints, parsePoints } from "./values/points";

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
  z
    .string()
    .refine(isPoints, "must be a decimal string such as 0.01")
    .refine((value) => !isPoints(value) || parsePoints(value) > 0n, "must be more than 0")
    .prefault(fallback);

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
  .superRefine((url, ctx) => {
    try {
      readDatabaseUrl(url);
    } catch (error) {
      if (!(error instanceof DatabaseUrlError)) throw error;
      ctx.addIssue({ code: "custom", message: error.message });
    }
  })
  .optional();

export const timeZone = (fallback: string) =>
  z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin").prefault(fallback);

/** A mail server. Its user name and password are percent-encoded. */
export const mailServer = z
  .string()
  .refine(
    (url) => /^smtps?:\/\//.test(url) && URL.canParse(url) && new URL(url).hostname !== "",
    "must be a URL such as smtp://user:password@mail.example.com:587",
  )
  .optional();

const isEmail = (text: string) => z.email().safeParse(text).success;

/** `name@example.com` or `A name <name@example.com>`. */
export const mailbox = z
  .string()
  .transform((text) => {
    const named = /^([^<>"\p{Cc}]{1,100}) <([^<>]+)>$/u.exec(text);
    return named ? { name: named[1]!.trim(), address: named[2]! } : { name: "", address: text };
  })
  .refine(({ address }) => isEmail(address), "must be an address such as Points <points@example.com>")
  .optional();

/** Also the maximum recipients of one email. */
const ADDRESSES_MAX = 20;

export const emails = z
  .string()
  .transform((list) => list.split(",").map((address) => address.trim()))
  .refine(
    (list) => list.length <= ADDRESSES_MAX && list.every(isEmail),
    `must be up to ${ADDRESSES_MAX} addresses such as ops@example.com,lead@example.com`,
  )
  .optional();

export const secret = z
  .string()
  .min(16, "must be at least 16 characters")
  .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
  .optional();
