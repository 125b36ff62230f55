"use client";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Mail, Send, Webhook } from "lucide-react";
import { Button, ButtonIcon } from "@/app/ui/button";
import { Instant } from "@/app/ui/instant";
import { Spinner } from "@/app/ui/spinner";
import type { ChannelState } from "@/server/alerts/schema";
import { problemOf } from "../../data/problem";
import { useTRPC } from "../../data/trpc";
import { useChange } from "../../data/use-change";
import { useStaff } from "../staff";

const LOOKS = {
  webhook: { name: "Slack-compatible webhook", icon: Webhook, needs: "Set ALERT_WEBHOOK_URL" },
  email: { name: "Email", icon: Mail, needs: "Set SMTP_URL, MAIL_FROM and ALERT_EMAIL_TO" },
} as const;

/** Where alerts are sent besides the console. */
export function Channels() {
  const trpc = useTRPC();
  const query = useQuery(trpc.console.alerts.channels.queryOptions());
  return (
    <section aria-labelledby="channels" className="mt-4 flex flex-col gap-2">
      <h2 id="channels" className="font-semibold text-body">
        Where alerts are sent
      </h2>
      <p className="text-label text-muted">
        The service sends one message when an alert starts, one if it becomes critical later and one when it
        ends. Alerts within a minute share a message. A contract is running out of points when its available
        points last less than 3 days at the average pace of its last 7 days.
      </p>
      {query.isError && (
        <p role="alert" className="text-danger text-table">
          {problemOf(query.error).detail}
        </p>
      )}
      <ul className="rounded-card border border-line bg-surface">
        {query.data?.map((state) => (
          <ChannelRow key={state.channel} state={state} />
        ))}
      </ul>
    </section>
  );
}

function ChannelRow({ state: { channel, target, lastSentAt, failure } }: { state: ChannelState }) {
  const { alerts } = useTRPC().console;
  const { role } = useStaff();
  const refresh = useChange([alerts.channels.queryFilter()])();
  const test = useMutation(alerts.sendTest.mutationOptions(refresh));
  const { name, icon: Icon, needs } = LOOKS[channel];
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-4 py-3 first:border-t-0">
      <Icon aria-hidden size={16} className="shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium text-table">{name}</p>
        <p className="wrap-anywhere text-label text-muted">
          {target ? (
            <>
              {target}
              {lastSentAt && (
                <span className="tabular-nums">
                  {" "}
                  · last sent <Instant at={lastSentAt} />
                </span>
              )}
            </>
          ) : (
            `Not set up. ${needs}, then restart the service.`
          )}
        </p>
        {failure && (
          <p className="wrap-anywhere text-danger text-label">The last message failed: {failure}</p>
        )}
      </div>
      {target && role === "admin" && (
        <Button
          size="small"
          aria-disabled={test.isPending}
          aria-label={`Send a test: ${name}`}
          className="aria-disabled:opacity-60"
          onClick={() => test.isPending || test.mutate({ channel })}
        >
          {test.isPending ? <Spinner /> : <ButtonIcon icon={Send} />}
          Send a test
        </Button>
      )}
      <p role="status" className="wrap-anywhere basis-full text-table empty:sr-only">
        {test.data &&
          (test.data.isSent ? (
            `Sent. Response: ${test.data.answer}`
          ) : (
            <span className="text-danger">Not sent. {test.data.answer}</span>
          ))}
        {test.error && <span className="text-danger">{problemOf(test.error).detail}</span>}
      </p>
    </li>
  );
}
