import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with every rule that the page breaks, and where. */
export async function expectNoViolation(page: Page): Promise<void> {
  // axe's package brings another copy of Playwright's types, which differ in what is private.
  const axe = new AxeBuilder({ page: page as never })
    .withTags(RULES)
    // Base UI's guards take focus only to hand it on at once; its menus stand in a portal, outside every landmark.
    .exclude("[data-base-ui-focus-guard]")
    .disableRules(["region"]);
  const { violations } = await axe.analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`)).toEqual(
    [],
  );
}
