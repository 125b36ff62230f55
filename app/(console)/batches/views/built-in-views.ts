import type { ViewParams } from "../list-params";

export interface View {
  name: string;
  title: string;
  params: Partial<ViewParams>;
}

/** Views that everyone has. Each is only a set of filters and a sort, so that its link shows a colleague the same rows. */
export const builtInViews = (email: string): readonly View[] => [
  { name: "All", title: "All batches, newest first", params: {} },
  {
    name: "Due next",
    title: "Next to be finalized: pending, not on hold and not awaiting approval",
    params: { unblocked: true, sort: "DUE" },
  },
  { name: "Overdue", title: "Overdue batches, longest overdue first", params: { status: ["OVERDUE"] } },
  {
    name: "On hold",
    title: "Batches on hold, earliest due first",
    params: { status: ["HELD"], sort: "DUE" },
  },
  {
    name: "Awaiting approval",
    title: "Batches that a second person must approve, earliest due first",
    params: { status: ["AWAITING_APPROVAL"], sort: "DUE" },
  },
  { name: "Unusual", title: "Batches whose review found something unusual", params: { review: "unusual" } },
  {
    name: "Reversals",
    title: "Batches that take points back, newest first",
    params: { reversals: true },
  },
  { name: "Mine", title: "Batches that you submitted", params: { by: `staff:${email}` } },
];
