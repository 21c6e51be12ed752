import type { Chance } from './random.ts'
import type { Side } from './ladder.ts'

/** A taking order and its value in USDT. */
export type Arrival = { readonly side: Side; readonly usdt: number }

export type FlowState = {
  /** Logarithm of a factor on the average rate of trades. It returns towards 0. */
  wave: number
  /** Index price at the last call, for the direction of the move. */
  lastIndex: number
}

/**
 * Draws whether a taking order arrives within these seconds, with its side and size. Arrivals come in waves of minutes, mostly in the
 * direction of the price move, and lean towards the asset that the taker has too little of. Most are small, a few are large.
 *
 * lean      −1 (holds far too much of the base) to 1 (far too little)
 */
export function arrival(
  chance: Chance,
  state: FlowState,
  input: { readonly seconds: number; readonly perSecond: number; readonly index: number; readonly lean: number },
): Arrival | undefined {
  const keep = Math.exp(-input.seconds / 60)
  state.wave = state.wave * keep + 0.55 * Math.sqrt(1 - keep * keep) * chance.normal()
  const move = state.lastIndex > 0 ? (input.index - state.lastIndex) / state.lastIndex : 0
  state.lastIndex = input.index

  const hurry = 1 + Math.min(4, Math.abs(move) * 8_000)
  const probability = 1 - Math.exp(-input.seconds * input.perSecond * Math.exp(state.wave - 0.15) * hurry)
  if (chance.next() >= probability) return undefined

  const direction = Math.max(-0.35, Math.min(0.35, move * 2_500))
  const buys = Math.max(0.05, Math.min(0.95, 0.5 + direction + 0.45 * input.lean))
  const usdt = Math.min(6_000, 90 * Math.exp(1.25 * chance.normal()))
  return { side: chance.next() < buys ? 'buy' : 'sell', usdt }
}
