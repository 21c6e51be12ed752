/** Finds accessibility faults of a page. */
import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Longer than the flash of a changed price. */
const flashMs = 700
const looks = 3
/** The checks as a script for pages. */
const { source } = axe

/**
 * Faults that occur in each of several checks, by rule and element. A price that has just changed is between two colours for a moment,
 * which is not a fault.
 *
 * parts  selectors of the parts to check. Default: the whole page
 * rules  names of rules to check. Default: all
 */
export async function violations(page: Page, parts: readonly string[] = [], rules: readonly string[] = []): Promise<readonly string[]> {
  await still(page)
  let lasting = await look(page, parts, rules)
  for (let n = 1; n < looks && lasting.size > 0; n++) {
    await page.waitForTimeout(flashMs)
    const again = await look(page, parts, rules)
    lasting = new Map([...lasting].filter(([place]) => again.has(place)))
  }
  return [...lasting.values()]
}

/**
 * Waits until all current animations that end by themselves have ended. Later ones are not waited for, because a page with live prices
 * would never be still.
 */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // Animations requested now start with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const moving = document.getAnimations().filter(({ playState, effect }) => {
      return playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime))
    })
    await Promise.allSettled(moving.map(({ finished }) => finished))
  })
}

type Axe = { run(context: unknown, options: object): Promise<Pick<AxeResults, 'violations'>> }

async function look(page: Page, parts: readonly string[], rules: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source)
  const found = await page.evaluate(
    async ([include, values]) => {
      const { axe } = globalThis as unknown as { readonly axe: Axe }
      // Only what is wrong is described: the description of all the rest costs three times the checks.
      const options = { resultTypes: ['violations'], ...(values.length === 0 ? {} : { runOnly: { type: 'rule', values } }) }
      return (await axe.run(include.length === 0 ? document : { include: include.map((part) => [part]) }, options)).violations
    },
    [parts, rules] as const,
  )
  return new Map(
    found.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target, html }) => [`${id} ${target.join(' ')}`, `${id} (${impact}): ${html.slice(0, 140)}`] as const),
    ),
  )
}
