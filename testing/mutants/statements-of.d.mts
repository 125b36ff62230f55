export function statementsOf(source: string): string[];
