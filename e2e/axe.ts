import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** Fails with every rule that the page breaks in the light or the dark theme, and where. */
export async function expectNoViolation(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(async (theme) => {
      document.documentElement.dataset.theme = theme;
      // Colors on their way from one theme to the other are of neither.
      await Promise.allSettled(
        document.getAnimations().map((each) => each instanceof CSSTransition && each.finished),
      );
    }, colorScheme);
    expect(await violationsOf(page), `${colorScheme} theme`).toEqual([]);
  }
}

async function violationsOf(page: Page): Promise<string[]> {
  // axe's package brings another copy of Playwright's types, which differ in what is private.
  const axe = new AxeBuilder({ page: page as never })
    .withTags(RULES)
    // Base UI's guards take focus only to hand it on at once; its menus stand in a portal, outside every landmark.
    .exclude("[data-base-ui-focus-guard]")
    .disableRules(["region"]);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`);
}
