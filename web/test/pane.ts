/** The panes of a wide window, for tests. */
import type { Locator, Page } from 'playwright-core'
import type { Person } from './person.ts'

export function pane(page: Page, name: string): Locator {
  return page.locator(`[data-pane="${name}"]`)
}

/** The names of the panes on the screen, sorted. */
export function shown(page: Page): Promise<readonly string[]> {
  return page.locator('[data-pane]').evaluateAll((all) => all.map((element) => (element as HTMLElement).dataset['pane'] ?? '').toSorted())
}

/** Opens the sheet of the layout, does something there, and closes it. */
export async function arranging({ page, t }: Person, work: (sheet: Locator) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: t('terminal.layout'), exact: true }).click()
  const sheet = page.getByRole('dialog', { name: t('terminal.layout') })
  await sheet.waitFor()
  await work(sheet)
  if (await sheet.isVisible()) await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
}

export function resets(someone: Person): Promise<void> {
  return arranging(someone, (sheet) => sheet.getByRole('button', { name: someone.t('terminal.usual') }).click())
}

/** What is wider than the window, and buttons that are cut off. */
export function cut(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const buttons = [...document.querySelectorAll<HTMLElement>('#root button, #root a')].filter((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      if (width === 0 || element.closest('.no-scrollbar, .sr-only, .tm-scroll') !== null) return false
      return right > innerWidth + 1 || left < -1 || (getComputedStyle(element).overflow !== 'visible' && element.scrollWidth > width + 1)
    })
    const within = [...document.querySelectorAll<HTMLElement>('[data-pane]')].flatMap((element) => {
      const { right } = element.getBoundingClientRect()
      return [...element.querySelectorAll<HTMLElement>('button, input')].filter(
        (part) => part.closest('.no-scrollbar, [role=tabpanel], .tm-scroll') === null && part.getBoundingClientRect().right > right + 1,
      )
    })
    const wide = scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : []
    return [...wide, ...[...buttons, ...within].map((part) => part.ariaLabel ?? part.innerText)]
  })
}
