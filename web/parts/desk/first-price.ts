import type { Decimal } from '@candor/core/money/brand.ts'
import { useEffect, useRef } from 'react'

/** A limit ticket opens with the last price, once; after that the price is the person's. */
export function useFirstPrice(price: string, last: Decimal | undefined, put: (price: Decimal) => void): void {
  const isFilled = useRef(false)
  useEffect(() => {
    if (isFilled.current || last === undefined) return
    isFilled.current = true
    if (price === '') put(last)
  }, [price, last, put])
}
