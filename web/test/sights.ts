/** Pictures and accessibility checks during a journey. */
import type { Page } from 'playwright-core'
import { still, violations } from './axe.ts'

const pictures = process.env.CANDOR_PICTURES

/** Saves a picture of the page in each scheme, `<name>-<scheme>.png`, if `CANDOR_PICTURES=folder` is set. */
export async function pictured(page: Page, name: string): Promise<void> {
  for (const colorScheme of pictures === undefined ? [] : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    await still(page)
    await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` })
  }
}

export type Sights = {
  /** Accessibility faults, each after the name of its view. */
  readonly wrong: readonly string[]
  /** Checks the whole page under this name. */
  see(name: string): Promise<void>
}

/** Pictures are named `<journey>-<name>-<lang>-<scheme>.png`. */
export function sights(page: Page, journey: string, lang: string): Sights {
  const wrong: string[] = []
  return {
    wrong,
    async see(name) {
      wrong.push(...(await violations(page)).map((one) => `${name}: ${one}`))
      await pictured(page, `${journey}-${name}-${lang}`)
    },
  }
}
