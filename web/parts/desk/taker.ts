/** Between book and ticket: the ticket renders with each price, and the book and the header of a desk should not render along. */
import type { Decimal } from '@candor/core/money/brand.ts'
import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'

/** Takes a row of the book into the ticket: its price, and its quantity after a long press. */
export type OnTake = (price: Decimal, quantity?: Decimal) => void

export type Taker = RefObject<OnTake | undefined>

/** For a desk: a handler for its book that never changes, and the place where its ticket puts its own. */
export function useTaker(): { readonly taker: Taker; readonly onTake: OnTake } {
  const taker = useRef<OnTake>(undefined)
  const onTake = useCallback<OnTake>((price, quantity) => taker.current?.(price, quantity), [])
  return { taker, onTake }
}

/** For a desk's ticket: takes the rows that are tapped in the book. */
export function useTaking(taker: Taker, take: OnTake): void {
  useLayoutEffect(() => {
    taker.current = take
  }, [taker, take])
}
