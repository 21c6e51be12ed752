import { indexSlots, TICK_AT, TICK_COUNT, TICK_NUMBER, TICK_PRICES, tapeCount, writeIndexPrices } from '../protocol/codec/index-prices.ts'
import type { TapeFormat } from '../protocol/codec/index-prices.ts'
import { fromHex, Sha256, toHex } from './sha256.ts'

/** One tick of the index tape. Prices stay valid until the next tick that names their market. */
export type TapeTick = {
  readonly tick: number
  readonly at: number
  /** Undefined: 1, without corrections. */
  readonly format?: TapeFormat
  readonly prices: readonly {
    readonly market: number
    /** At 1e-8 of the quote. */
    readonly price: number
    readonly sources: number
    readonly isGood: boolean
    readonly quotes: readonly { readonly venue: number; readonly price: number; readonly correction?: number }[]
    readonly shift?: number
  }[]
}

/** The hash before the first tick. */
export const tapeGenesis: Uint8Array = new Uint8Array(32)

/**
 * The canonical slots of a tick:
 *
 *   0 number · 1 time in milliseconds · 2 how many prices (format 2: 65,536 more) · then per price: market, price,
 *   sources, 1 when it is good (else 0), how many quotes, and per quote (quote − price + 2^46) × 32 + venue, in format 2
 *   followed by its correction, and after the quotes the shift (0 without quotes)
 *
 * Throws when a number does not fit into a slot.
 */
export function tapeSlots({ tick, at, format = 1, prices }: TapeTick): Float64Array<ArrayBuffer> {
  const slots = new Float64Array(TICK_PRICES + indexSlots(prices, format))
  slots[TICK_NUMBER] = tick
  slots[TICK_AT] = at
  slots[TICK_COUNT] = tapeCount(prices.length, format)
  writeIndexPrices(prices, slots, TICK_PRICES, format)
  return slots
}

/** SHA-256 over the hash of the tick before (32 bytes) and the canonical slots, each 8 bytes: little-endian float64. */
export function tapeHash(before: Uint8Array, slots: Float64Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Sha256()
    .update(before)
    .update(new Uint8Array(slots.buffer, slots.byteOffset, slots.byteLength))
    .digest()
}

/**
 * Checks a piece of the tape: numbers are consecutive, time never runs backwards, and each hash follows from the previous one.
 * Returns the number of the first wrong tick, undefined when all are right.
 *
 * before  hash before the first tick, in hex
 */
export function tapeFault(before: string, ticks: readonly (TapeTick & { readonly hash: string })[]): number | undefined {
  let hash: Uint8Array | undefined = fromHex(before)
  let last: TapeTick | undefined
  for (const tick of ticks) {
    if (hash === undefined || hash.length !== 32) return tick.tick
    if (last !== undefined && (tick.tick !== last.tick + 1 || tick.at < last.at)) return tick.tick
    hash = hashOf(hash, tick)
    if (hash === undefined || toHex(hash) !== tick.hash) return tick.tick
    last = tick
  }
  return undefined
}

function hashOf(before: Uint8Array, tick: TapeTick): Uint8Array | undefined {
  try {
    return tapeHash(before, tapeSlots(tick))
  } catch {
    return undefined
  }
}
