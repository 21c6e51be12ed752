import { useSyncExternalStore } from 'react'

/**
 * A text that changes with the page's colours: with the theme, also that of the system, and with the colours of prices. What is drawn
 * in colours read from the page is drawn again with it. It changes only once the page has the new ones.
 */
export function useColours(): string {
  return useSyncExternalStore(watch, () => {
    const { theme = '', updown = '' } = document.documentElement.dataset
    return `${theme} ${updown}`
  })
}

function watch(tell: () => void): () => void {
  const page = new MutationObserver(tell)
  page.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'data-updown'] })
  return () => page.disconnect()
}
