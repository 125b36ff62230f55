/** The migrated database that each test file clones. Apart from its maker, because loading that takes every test file 0.1 s. */
export const TEMPLATE = "template_ptb";
