import type { WireMarket } from '@candor/core/protocol/wire/market.ts'
import { useRef } from 'react'
import { type Quote, useQuotes } from '../../app/quotes.ts'

const reorderEveryMs = 4_000

/**
 * The markets of a list in their order. It follows the quotes only every few seconds, so that taps hit the right row, and changes at once
 * with what the person chose: `view`, as JSON.
 */
export function useSettledOrder(
  view: unknown,
  order: (quotes: ReadonlyMap<string, Quote>) => readonly WireMarket[],
): readonly WireMarket[] {
  const quotes = useQuotes()
  const settled = useRef<{ readonly key: string; readonly at: number; readonly rows: readonly WireMarket[] }>(undefined)
  const key = JSON.stringify([view, quotes.length])
  const now = Date.now()
  if (settled.current === undefined || settled.current.key !== key || now - settled.current.at > reorderEveryMs) {
    settled.current = { key, at: now, rows: order(new Map(quotes.map((quote) => [quote.symbol, quote]))) }
  }
  return settled.current.rows
}
