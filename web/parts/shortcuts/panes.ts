/** The panes of a desk: elements with `data-pane`, of which those inside another don't count. */

const pane = '[data-pane]'

/** Moves the focus to the next or previous pane in sight, in the order of the page. Undefined without panes. */
export function focusPane(by: 1 | -1): (() => void) | undefined {
  const panes = [...document.querySelectorAll<HTMLElement>(pane)].filter(
    (one) => one.parentElement?.closest(pane) === null && one.checkVisibility(),
  )
  if (panes.length === 0) return undefined
  return () => {
    const at = panes.findIndex((one) => one.contains(document.activeElement))
    const next = panes[nextOf(at, by, panes.length)]
    // Panes of a phone's layout have no tab stop of their own.
    if (next?.hasAttribute('tabindex') === false) next.tabIndex = -1
    next?.focus()
  }
}

/** The place after `at` in a circle. Before the first step (`at` −1), the first place forwards and the last one backwards. */
export function nextOf(at: number, by: 1 | -1, count: number): number {
  return at < 0 ? (by === 1 ? 0 : count - 1) : (at + by + count) % count
}
