export interface Finding {
  what: string;
  ok: boolean;
  detail: string;
}
