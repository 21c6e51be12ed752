/** Keeps each notice at the top while a test reads it, however slow the machine is. */
import type { Page } from 'playwright-core'

/** Points at each notice as soon as it is shown, as a mouse that rests there does: it stays until it is closed. Before the first `go`. */
export async function pointsAtNotices(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const pointed = new WeakSet<Element>()
    const point = (): void => {
      for (const notice of document.querySelectorAll('[data-notice] .toast'))
        if (!pointed.has(notice)) {
          pointed.add(notice)
          notice.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }))
        }
    }
    new MutationObserver(point).observe(document, { childList: true, subtree: true })
  })
}
