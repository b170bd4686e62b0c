import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** What axe-core finds on a page. */

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Selects most operations of `/docs`, which are thousands of cells from one template. */
export const MOST_OPERATIONS =
  '.operation:not(#listRates, #getHistory, #bulkConvert, #createMarkup)';

export interface AxeOptions {
  /** The only rule to check. */
  readonly rule?: string | undefined;
  /** Selector of excluded elements. */
  readonly except?: string;
}

/** Findings of axe-core against WCAG AA and good practice, each with its element. */
export async function axeFindings(
  page: Page,
  options: AxeOptions = {},
): Promise<readonly string[]> {
  // Evaluated by the debugger, because the page's policy forbids a script element.
  const isThere = await page.evaluate(() => 'axe' in window);
  if (!isThere) await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(runAxe, options);
}

/** Runs on the page. The cast describes the global of the script evaluated before. */
async function runAxe({ rule, except }: AxeOptions): Promise<readonly string[]> {
  // Out of the document meanwhile: axe reads elements that it excludes too, which takes longer.
  const excluded = except === undefined ? [] : [...document.querySelectorAll(except)];
  const places = excluded.map((element) => {
    const place = document.createComment('');
    element.replaceWith(place);
    return { element, place };
  });
  const { axe } = window as unknown as {
    axe: {
      run(
        context: object,
        options: object,
      ): Promise<{
        violations: { id: string; help: string; nodes: { html: string }[] }[];
      }>;
    };
  };
  const only = rule === undefined ? {} : { runOnly: { type: 'rule', values: [rule] } };
  const { violations } = await axe.run(document, {
    ...only,
    resultTypes: ['violations'],
    // Selectors would take a quarter of the time, so elements are identified by their HTML.
    selectors: false,
    preload: false,
  });
  for (const { element, place } of places) place.replaceWith(element);
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html }) => `${id} (${help}): ${html}`),
  );
}
