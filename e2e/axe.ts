import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOR_RULES = ["color-contrast", "link-in-text-block"];

type Theme = "light" | "dark";

/** Reports each violated rule with its location. The dark theme is checked on screens, not in dialogs. */
export async function expectNoViolation(page: Page, themes: readonly Theme[] = ["light"]): Promise<void> {
  for (const colorScheme of themes) {
    // What waits for an answer is dimmed.
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await page.emulateMedia({ colorScheme });
    await page.evaluate(async (theme) => {
      document.documentElement.dataset.theme = theme;
      // An opening animation starts in the second frame, which a busy machine draws late.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      // During the transition, colors belong to neither theme.
      await Promise.allSettled(
        document.getAnimations().map((each) => each instanceof CSSTransition && each.finished),
      );
    }, colorScheme);
    // The themes differ only in colors, so the other rules need to run only once.
    const axe = colorScheme === "light" ? axeOn(page).withTags(TAGS) : axeOn(page).withRules(COLOR_RULES);
    expect(await violationsOf(axe), `${colorScheme} theme`).toEqual([]);
  }
}

function axeOn(page: Page): AxeBuilder {
  // The axe package has its own copy of Playwright's types, with different private members.
  return (
    new AxeBuilder({ page: page as never })
      // Naming every element that passes would take a third of the time.
      .options({ resultTypes: ["violations"] })
      // No page has frames, so axe does not need a window of its own, which would double its time.
      .setLegacyMode()
      // Base UI's focus guards pass the focus on immediately; its menus are outside every landmark. A toast
      // that leaves is half transparent.
      .exclude("[data-base-ui-focus-guard], [data-sonner-toast][data-removed=true]")
      .disableRules(["region"])
  );
}

async function violationsOf(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(" ")}`);
}
