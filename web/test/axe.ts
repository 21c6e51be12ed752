/** Rules of accessibility that a page breaks. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Longer than a changed price flashes. */
const flashMs = 700
const looks = 3

/**
 * What is broken at each of several looks, per rule and element: a price that has just changed is in between two colours
 * for a moment, which no reader meets twice in the same place.
 *
 * parts  selectors of what is looked at. Default: the whole page
 */
export async function violations(page: Page, parts: readonly string[] = []): Promise<readonly string[]> {
  await still(page)
  let lasting = await look(page, parts)
  for (let n = 1; n < looks && lasting.size > 0; n++) {
    await page.waitForTimeout(flashMs)
    const again = await look(page, parts)
    lasting = new Map([...lasting].filter(([place]) => again.has(place)))
  }
  return [...lasting.values()]
}

/**
 * Until what moves and comes to an end by itself has done so: a sheet on its way up, a colour on its way to another. What
 * begins to move in the meantime is not waited for, or a page with prices would never be still.
 */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // What was asked for in this turn begins to move with the next picture.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const moving = document.getAnimations().filter(({ playState, effect }) => {
      return playState === 'running' && Number.isFinite(Number(effect?.getComputedTiming().endTime))
    })
    await Promise.allSettled(moving.map(({ finished }) => finished))
  })
}

async function look(page: Page, parts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const builder = new AxeBuilder({ page })
  for (const part of parts) builder.include(part)
  // Its usual way opens a second page to put frames together; a page of one frame is judged by the same rules without.
  builder.setLegacyMode(page.frames().length === 1)
  const { violations: found } = await builder.analyze()
  return new Map(
    found.flatMap(({ id, impact, nodes }) =>
      nodes.map(({ target, html }) => [`${id} ${target.join(' ')}`, `${id} (${impact}): ${html.slice(0, 140)}`] as const),
    ),
  )
}
