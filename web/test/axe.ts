/** Rules of accessibility that a page breaks. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Longer than a changed price flashes. */
const flashMs = 700
const looks = 3

/**
 * What is broken at each of several looks, per rule and element: a price that has just changed is in between two colours
 * for a moment, which no reader meets twice in the same place.
 */
export async function violations(page: Page): Promise<readonly string[]> {
  let lasting = await look(page)
  for (let n = 1; n < looks && lasting.size > 0; n++) {
    await page.waitForTimeout(flashMs)
    const again = await look(page)
    lasting = new Map([...lasting].filter(([place]) => again.has(place)))
  }
  return [...lasting.values()]
}

async function look(page: Page): Promise<ReadonlyMap<string, string>> {
  const { violations: found } = await new AxeBuilder({ page }).analyze()
  return new Map(
    found.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target, html }) => [`${id} ${target.join(' ')}`, `${id} (${impact}): ${html.slice(0, 140)}`] as const),
    ),
  )
}
