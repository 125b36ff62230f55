export declare const GROUPS: Readonly<
  Record<string, { mutate: string[]; statements?: string[]; tests: string[] }>
>;
