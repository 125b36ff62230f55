import { randomUUID } from "node:crypto";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { walletPath } from "@/app/(console)/paths";
import type { PageProps, RouteProps } from "@/app/data/page-props";
import { WalletView } from "@/app/r/wallet-view";
import { buttonLook } from "@/app/ui/button-look";
import { shortenHash } from "@/app/ui/hash-text";
import { ErrorState } from "@/app/ui/states";
import { log } from "@/server/kernel/log";
import { settings } from "@/server/kernel/settings";
import { toRepeatableError } from "@/server/kernel/to-domain-error";
import { publicCaller } from "@/server/trpc/caller";
import { addressError } from "@/terms/address-text";
import { DomainError, PROBLEMS, toProblem } from "@/terms/problems";

export async function generateMetadata({ params }: RouteProps<"address">): Promise<Metadata> {
  const { address } = await params;
  return settings().PUBLIC_RECEIPTS ? { title: `Wallet ${shortenHash(address)}` } : {};
}

export default async function WalletPage({ params, searchParams }: PageProps<"address">) {
  const { address } = await params;
  if (addressError(address)) notFound();
  const { cursor, at } = await searchParams;
  const requestId = randomUUID();
  try {
    const caller = await publicCaller(await headers(), requestId, new Headers());
    const isFirstPage = cursor === undefined;
    const then = typeof at === "string" ? at : null;
    // One after the other: in the line of all visitors, a page must not wait for itself.
    const wallet = await caller.wallet({ address, cursor: typeof cursor === "string" ? cursor : undefined });
    const claims = isFirstPage ? await caller.claims({ address }) : [];
    const holding =
      then === null ? null : await caller.holding({ address, at: then }).catch(toRepeatableError);
    const problem = holding instanceof DomainError ? toProblem(holding, requestId) : null;
    const earlier = { at: then, holding: holding instanceof DomainError ? null : holding, problem };
    return <WalletView wallet={wallet} claims={claims} isFirstPage={isFirstPage} earlier={earlier} />;
  } catch (error) {
    const known = toRepeatableError(error);
    if (known.code === "not_found") notFound();
    if (PROBLEMS[known.code].status >= 500) log().error({ error, requestId }, "a wallet's page failed");
    const { title, detail } = toProblem(known, requestId);
    return (
      <ErrorState heading="h1" title={title} detail={detail} requestId={requestId}>
        <a href={walletPath(address)} className={buttonLook()}>
          Show the newest transfers
        </a>
      </ErrorState>
    );
  }
}
