export function changesOf(text: string): { at: number; end: number; to: string }[];
