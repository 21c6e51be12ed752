import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'

/** A phone that lies on its side: too low for anything but the chart. */
const turned = '(orientation: landscape) and (max-height: 520px) and (pointer: coarse)'

function subscribe(listener: () => void): () => void {
  const query = matchMedia(turned)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/**
 * Whether the chart takes the whole screen: by its button, or because the phone was turned. The back gesture, Escape and the end of the
 * browser's own full screen leave it.
 */
export function useFull(): readonly [isFull: boolean, toggle: () => void] {
  const isTurned = useSyncExternalStore(subscribe, () => matchMedia(turned).matches)
  /** The choice of the button, until the phone is turned. */
  const [chosen, setChosen] = useState<boolean>()
  const isFull = chosen ?? isTurned
  const isOpened = chosen === true
  useEffect(() => setChosen((now) => (isTurned ? undefined : now)), [isTurned])

  useEffect(() => {
    if (!isOpened) return
    // An entry of the same address, for the back gesture to leave instead of the screen.
    history.pushState(history.state, '')
    let isThere = true
    const root = document.documentElement
    // Phones of Apple have no full screen for pages; there the chart covers the page.
    root.requestFullscreen?.({ navigationUI: 'hide' }).catch(() => undefined)
    const leave = (): void => setChosen(false)
    const gone = (): void => {
      isThere = false
      leave()
    }
    const changed = (): void => {
      if (document.fullscreenElement === null) leave()
    }
    const key = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) leave()
    }
    addEventListener('popstate', gone)
    addEventListener('keydown', key)
    document.addEventListener('fullscreenchange', changed)
    return () => {
      removeEventListener('popstate', gone)
      removeEventListener('keydown', key)
      document.removeEventListener('fullscreenchange', changed)
      if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
      if (isThere) history.back()
    }
  }, [isOpened])

  return [isFull, useCallback(() => setChosen(!isFull), [isFull])]
}
