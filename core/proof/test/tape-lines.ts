import { fromHex, toHex } from '../sha256.ts'
import { tapeGenesis, tapeHash, tapeSlots, type TapeTick } from '../tape.ts'

/** A price with quotes, one without, and a bad one; the first moves with each tick. */
function tickAt(tick: number, at: number, format: 1 | 2): TapeTick {
  const price = 6_712_345_678_901 + tick
  const quote = (venue: number, far: number, correction: number) => ({
    ...{ venue, price: price + far },
    ...(format === 2 ? { correction } : {}),
  })
  const shift = format === 2 ? { shift: -5 } : {}
  return {
    ...{ tick, at, format },
    prices: [
      { market: 1, price, sources: 3, isGood: true, quotes: [quote(0, -900, -77), quote(31, 0, 0), quote(4, 321_098, 2_048)], ...shift },
      { market: 2, price: 99, sources: 0, isGood: false, quotes: [] },
    ],
  }
}

type Other = { readonly backwards?: boolean; readonly before?: string }

/** Lines of the file with the ticks `from` to `to` of a tape with six ticks. `backwards`: time runs so. `before`: another hash before `from`. */
export function tapeLines(from: number, to: number, format: 1 | 2, { backwards = false, before }: Other = {}): string[] {
  let hash: Uint8Array = tapeGenesis
  let start = toHex(hash)
  const lines: string[] = []
  for (let n = 1; n <= 6; n++) {
    if (n === from) {
      start = before ?? toHex(hash)
      hash = fromHex(start)!
    }
    const tick = tickAt(n, 1_790_000_000_000 + (backwards ? -250 : 250) * n, format)
    hash = tapeHash(hash, tapeSlots(tick))
    const prices = tick.prices.map(({ market, price, sources, isGood, quotes, shift }) => ({
      ...{ market, price: String(price), sources, isGood, quotes: quotes.map((one) => ({ ...one, price: String(one.price) })) },
      ...(format === 2 && quotes.length > 0 ? { shift } : {}),
    }))
    if (n >= from && n <= to) lines.push(JSON.stringify({ tick: n, at: tick.at, hash: toHex(hash), format, prices }))
    if (n === to) break
  }
  const head = { tick: to, hash: toHex(hash) }
  return [JSON.stringify({ venues: ['one', 'two'], markets: [{ id: 1, symbol: 'BTCUSDT' }], before: start, head }), ...lines]
}
