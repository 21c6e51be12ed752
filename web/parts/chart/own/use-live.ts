import { useSyncExternalStore } from 'react'
import { useIsStale } from '../../../app/quotes.ts'
import { stream } from '../../../app/stream.ts'

/** Whether prices are new and the user's own events arrive. */
export function useIsLive(): boolean {
  const isOpen = useSyncExternalStore(stream().onState, () => stream().state === 'open')
  return !useIsStale() && isOpen
}
