import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The rules of those tags that look at colors. */
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** Fails with every rule that the page breaks in the light or the dark theme, and where. */
export async function expectNoViolation(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(async (theme) => {
      document.documentElement.dataset.theme = theme;
      // What has just opened begins to appear in its second frame, which a busy machine draws late.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      // Colors on their way from one theme to the other are of neither.
      await Promise.allSettled(
        document.getAnimations().map((each) => each instanceof CSSTransition && each.finished),
      );
    }, colorScheme);
    // The themes differ in nothing but colors: the other rules would say the same twice.
    const axe = colorScheme === "light" ? axeOn(page).withTags(TAGS) : axeOn(page).withRules(COLOR_RULES);
    expect(await violationsOf(axe), `${colorScheme} theme`).toEqual([]);
  }
}

function axeOn(page: Page): AxeBuilder {
  // axe's package brings another copy of Playwright's types, which differ in what is private.
  return (
    new AxeBuilder({ page: page as never })
      // No page has frames: without them axe needs no window of its own, which costs half of its time.
      .setLegacyMode()
      // Base UI's guards take focus only to hand it on at once; its menus stand in a portal, outside every landmark.
      .exclude("[data-base-ui-focus-guard]")
      .disableRules(["region"])
  );
}

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`);
}
