import {
  BookOpen,
  Camera,
  CirclePause,
  Coins,
  Files,
  FileText,
  Keyboard,
  Layers,
  ListFilter,
  LogOut,
  type LucideIcon,
  Plus,
  ScrollText,
  Undo2,
  UserRound,
  Wallet,
} from "lucide-react";
import { auditQuery } from "@/app/(console)/access/audit/audit-params";
import { builtInViews, queryOf } from "@/app/(console)/batches/list-params";
import { STATUS_LOOKS } from "@/app/(console)/batches/status";
import {
  ALL_STATEMENTS,
  allocationPath,
  batchPath,
  contractPath,
  payoutPath,
  recipientPath,
  requestPath,
  viewPath,
} from "@/app/(console)/paths";
import { showKeys } from "@/app/(console)/shell/keyboard-help";
import { NAV_ITEMS } from "@/app/(console)/shell/sidebar";
import { signOutHere } from "@/app/(console)/sign-out";
import { snapshotsPath } from "@/app/(console)/snapshots/snapshot-params";
import type { Staff } from "@/app/(console)/staff";
import { shortenHash } from "@/app/ui/hash-text";
import type { Found, FoundBatch } from "@/server/search/find";
import { METADATA_PAIR_PATTERN, UUID_PATTERN } from "@/terms/batch-terms";

export interface Entry {
  icon: LucideIcon;
  title: string;
  does: string | (() => void);
  detail?: string | undefined;
  /** Monospaced, to be compared character by character. */
  exact?: "title" | "detail" | undefined;
}

interface Command extends Entry {
  /** Further words by which the search finds it. */
  words: string;
}

interface EntryGroup {
  heading: string;
  items: readonly Entry[];
}

const command = (title: string, icon: LucideIcon, does: Entry["does"], words: string): Command => ({
  title,
  icon,
  does,
  words,
});

const page = (title: string, icon: LucideIcon, path: string, words: string) =>
  command(title, icon, path, `go to page ${words}`);

const NAV_WORDS: Readonly<Record<string, string>> = {
  "/batches": "transfers payouts list home",
  "/contracts": "balances access tokens api keys webhooks statements grants issuance",
  "/recipients": "wallets addresses labels who received what last payouts",
  "/snapshots": "holders holdings who holds what largest share allocations claims tokens airdrop merkle take",
  "/operations": "status health finalizer self-check run now",
  "/inbox": "inbox notifications channels overdue awaiting approval unusual",
  "/access": "staff people members users roles invite access",
};

const PAGES = [
  ...NAV_ITEMS.map(({ path, name, icon }) => page(name, icon, path, NAV_WORDS[path] ?? "")),
  page("Statements of all contracts", FileText, ALL_STATEMENTS, "month finance report reconcile balances"),
  page("Audit log", ScrollText, "/access/audit", "trail history changes bulk actions progress"),
  page("Your profile", UserRound, "/profile", "account sessions devices password"),
  page("API reference", BookOpen, "/docs", "docs documentation help openapi"),
  page("API errors", BookOpen, "/docs/errors", "docs error codes problems"),
];

const ACTIONS = [
  command("Keyboard shortcuts", Keyboard, showKeys, "keys help"),
  command("Sign out", LogOut, () => void signOutHere(), "log out leave"),
];
const CHANGES = [
  command("New payout", Plus, "/batches/new", "batch submit create upload file pay transfers csv"),
  command("Choose a snapshot to allocate from", Coins, "/snapshots", "claims tokens airdrop merkle"),
  command("Choose what to release", CirclePause, viewPath(queryOf({ status: ["HELD"] })), "on hold payout"),
  command("Choose what to take back", Undo2, viewPath(queryOf({ status: ["FINALIZED"] })), "reverse undo"),
];

/** What the user may do now with the batch or payout that is open. */
function openActions(): Command[] {
  const buttons = [...document.querySelectorAll<HTMLElement>("[data-actions] :is(a, button)")];
  return buttons.map((button) =>
    command(button.textContent, Layers, () => button.click(), "this open action"),
  );
}

/** @param found undefined until there are results of the text */
export function groupsOf(text: string, { role, email }: Staff, found: Found | undefined): EntryGroup[] {
  const views = builtInViews(email).map(({ name, title, params }) =>
    page(`Batches: ${name.toLowerCase()}`, ListFilter, viewPath(queryOf(params)), title),
  );
  const wanted = text.toLowerCase().split(/\s+/);
  const matching = (commands: Command[]) =>
    commands.filter(({ title, words }) => {
      const names = `${title} ${words}`.toLowerCase();
      return wanted.every((word) => names.includes(word));
    });
  return [
    { heading: "On this page", items: matching(openActions()) },
    { heading: "Actions", items: matching(role === "viewer" ? ACTIONS : [...CHANGES, ...ACTIONS]) },
    ...(found ? placesOf(found) : []),
    ...formPlaces(text),
    { heading: "Pages", items: matching([...PAGES, ...views.slice(1)]) },
  ];
}

/** An address may be a contract and a recipient; the contract comes first. */
function placesOf(found: Found): EntryGroup[] {
  const { contracts, recipients, unknownAddress, payouts, batches, moreBatches } = found;
  const { requests, snapshots } = found;
  const [only, ...others] = recipients;
  return [
    {
      heading: "Contracts",
      items: contracts.map(({ address, label }) =>
        entry(FileText, label, contractPath(address), address, "detail"),
      ),
    },
    {
      heading: "Recipients",
      items: [
        ...recipients.map(({ address, label }) => recipient(address, label ?? "")),
        ...(only && others.length === 0 ? [pendingOf(only.address)] : []),
        ...(unknownAddress ? [recipient(unknownAddress, "no transfers yet")] : []),
      ],
    },
    { heading: "Payouts", items: payouts.map(payout) },
    {
      heading: "Batches",
      items: [...batches.map(batch), ...(moreBatches ? [beginningWith(moreBatches)] : [])],
    },
    {
      heading: "Snapshots and allocations",
      items: snapshots.map(({ id, name, snapshotName }) =>
        snapshotName === null
          ? entry(Camera, name, snapshotsPath({ snapshot: id }), "Snapshot")
          : entry(Coins, name, allocationPath(id), `Allocation of ${snapshotName}`),
      ),
    },
    {
      heading: "Requests",
      items: requests.map((request) => {
        const title = `View the request ${request.requestId}`;
        return entry(Layers, title, requestPath(request), request.contractLabel);
      }),
    },
  ];
}

const entry = (
  icon: LucideIcon,
  title: string,
  does: string,
  detail?: string,
  exact?: Entry["exact"],
): Entry => ({ icon, title, does, detail, exact });

const recipient = (address: string, detail: string) =>
  entry(Wallet, address, recipientPath(address), detail, "title");

function payout({ id, contractAddress, contractLabel, fileName }: Found["payouts"][number]): Entry {
  const path = payoutPath({ contractAddress, id });
  return fileName
    ? entry(Files, fileName, path, `${contractLabel} · ${id}`)
    : entry(Files, id, path, contractLabel, "title");
}

const pendingOf = (address: string) =>
  entry(
    Layers,
    `View pending batches that pay ${shortenHash(address)}`,
    viewPath(queryOf({ recipient: address, status: ["PENDING"] })),
  );

const beginningWith = (id: string) =>
  entry(Layers, `View all batches that start with ${id}`, viewPath(queryOf({ id })));

function batch({ id, contractAddress, contractLabel, status, isReversal, reference }: FoundBatch): Entry {
  const details = [
    contractLabel,
    STATUS_LOOKS[status].label,
    isReversal && "Reversal",
    reference && `pays ${reference}`,
  ];
  return entry(Layers, id, batchPath({ contractAddress, id }), details.filter(Boolean).join(" · "), "title");
}

/** What the form of the text alone offers. A request ID that the service made is a UUID. */
function formPlaces(text: string): EntryGroup[] {
  const pair = text.trim();
  if (METADATA_PAIR_PATTERN.test(pair)) {
    const path = viewPath(queryOf({ metadata: pair }));
    return [{ heading: "Metadata", items: [entry(Layers, `View batches with the metadata ${pair}`, path)] }];
  }
  const request = pair.toLowerCase();
  if (!UUID_PATTERN.test(request)) return [];
  const path = auditQuery("/access/audit", { request });
  return [{ heading: "Audit log", items: [entry(Layers, `View what request ${request} changed`, path)] }];
}
