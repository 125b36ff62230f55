"use client";
import { type QueryFilters, useQueryClient } from "@tanstack/react-query";
import { notify } from "../ui/toast";
import { problemOf } from "./problem";

/**
 * Options of a mutation after which the `stale` queries are read again. If it has a message, success shows it and closes the
 * dialog.
 */
export function useChange(stale: readonly QueryFilters[], close?: () => void) {
  const queryClient = useQueryClient();
  return <Input>(message?: string | ((input: Input) => string)) => ({
    onSuccess: (_: unknown, input: Input) => {
      if (message === undefined) return;
      notify("success", typeof message === "string" ? message : message(input));
      close?.();
    },
    onSettled: () => Promise.all(stale.map((filter) => queryClient.invalidateQueries(filter))),
  });
}

/** For a mutation without a dialog that could show its error. */
export const notifyError = (error: unknown) => notify("error", problemOf(error).detail);
