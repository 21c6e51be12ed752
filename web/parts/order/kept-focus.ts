import { type RefObject, useEffect, useRef } from 'react'

/**
 * Keeps the place of people without a pointer: when the button in focus vanishes with its order or position, the chosen tab of this
 * section takes the focus, and its name says how many are left. Otherwise the next key would start at the top of the page.
 */
export function useKeptFocus(): RefObject<HTMLElement | null> {
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    const panel = section.current
    if (panel === null) return
    let last: EventTarget | null = null
    const note = ({ target }: FocusEvent): void => void (last = target)
    const check = (): void => {
      if (!(last instanceof Element) || last.isConnected || document.activeElement !== document.body) return
      last = null
      panel.querySelector<HTMLElement>('[role=tab][aria-selected=true]')?.focus({ preventScroll: true })
    }
    const watch = new MutationObserver(check)
    watch.observe(panel, { childList: true, subtree: true })
    panel.addEventListener('focusin', note)
    // A button that opened a sheet may vanish while the sheet has the focus.
    document.addEventListener('close', check, true)
    return () => {
      watch.disconnect()
      panel.removeEventListener('focusin', note)
      document.removeEventListener('close', check, true)
    }
  }, [])
  return section
}
