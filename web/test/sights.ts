/** What a person sees on the way. */
import type { Page } from 'playwright-core'
import { still, violations } from './axe.ts'

const pictures = process.env.CANDOR_PICTURES

/** Keeps a picture of the page in each scheme, `<name>-<scheme>.png`, where `CANDOR_PICTURES=folder` asks for them. */
export async function pictured(page: Page, name: string): Promise<void> {
  for (const colorScheme of pictures === undefined ? [] : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    await still(page)
    await page.screenshot({ path: `${pictures}/${name}-${colorScheme}.png` })
  }
}

export type Sights = {
  /** Rules of accessibility that were broken, each after the name of the sight. */
  readonly wrong: readonly string[]
  /** Looks at the whole page under this name. */
  see(name: string): Promise<void>
}

/** Pictures are called `<journey>-<name>-<lang>-<scheme>.png`. */
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
