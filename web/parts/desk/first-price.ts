import type { Decimal } from '@candor/core/money/brand.ts'
import { useEffect, useRef } from 'react'

/** Sets the last price in a new limit ticket, once. After that the user sets the price. */
export function useFirstPrice(price: string, last: Decimal | undefined, put: (price: Decimal) => void): void {
  const isFilled = useRef(false)
  useEffect(() => {
    if (isFilled.current || last === undefined) return
    isFilled.current = true
    if (price === '') put(last)
  }, [price, last, put])
}
