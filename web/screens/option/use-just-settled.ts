/** Orders that settled while the desk was open, one after the other. */
import type { WireOption } from '@candor/core/protocol/wire/option.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { option } from '../../parts/option/data.ts'

/** `next` closes the shown order. */
export function useJustSettled(open: readonly WireOption[] | undefined): {
  readonly order: WireOption | undefined
  readonly next: () => void
} {
  const [queue, setQueue] = useState<readonly WireOption[]>([])
  const running = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    if (open === undefined) return
    const before = running.current
    running.current = new Set(open.filter((order) => order.status !== 'settled').map((order) => order.id))
    for (const id of before) {
      if (running.current.has(id)) continue
      option.order(id).then(
        (order) => order.status === 'settled' && setQueue((queued) => (queued.some((one) => one.id === id) ? queued : [...queued, order])),
        // An error is ignored, because the order is in the list of settled ones anyway.
        () => undefined,
      )
    }
  }, [open])
  const next = useCallback(() => setQueue((queued) => queued.slice(1)), [])
  return { order: queue[0], next }
}
