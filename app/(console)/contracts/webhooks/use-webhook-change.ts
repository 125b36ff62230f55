"use client";
import { useTRPC } from "../../../data/trpc";
import { useChange } from "../../../data/use-change";

/** After every change, the queries about webhooks are read again. */
export const useWebhookChange = (close?: () => void) =>
  useChange([useTRPC().console.webhooks.pathFilter()], close);
