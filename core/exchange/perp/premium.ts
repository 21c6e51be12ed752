import { BUY, SELL_SIDE } from '../../book/codes.ts'
import type { Book } from '../../book/book.ts'
import { impactPrice, premium, premiumStepMs } from '../../risk/perp-mark.ts'
import type { State } from '../state.ts'
import type { Contract } from './state.ts'

/** Levels that an impact price looks at: what they hold is enough. */
const levelsMax = 200

/** Takes one sample of the premium every five seconds, when both sides of the book have orders. */
export function samplePremium(x: State, contract: Contract, index: number): void {
  const step = Math.floor(x.atMs / premiumStepMs)
  if (step === contract.premiumStep) return
  contract.premiumStep = step
  const { book, indexPerTick } = contract.venue
  const most = contract.terms.impactValue / contract.q
  const bid = impact(book, BUY, most, indexPerTick)
  const ask = impact(book, SELL_SIDE, most, indexPerTick)
  if (bid === 0 || ask === 0) return
  contract.premiumSum += premium(bid, ask, index)
  contract.premiumCount++
}

/** Average price of so much value (tick × lot) from one side, in index units; its best price where there is less; 0: nothing. */
function impact(book: Book, side: number, most: number, indexPerTick: number): number {
  let value = 0
  let lots = 0
  const best = book.best(side)
  let price = best
  for (let n = 0; price !== 0 && value < most && n < levelsMax; n++) {
    const shown = book.ladder.lotsAt(price)
    const taken = Math.min(shown, Math.max(1, Math.ceil((most - value) / price)))
    value += taken * price
    lots += taken
    price = side === BUY ? book.ladder.nextBid(price) : book.ladder.nextAsk(price)
  }
  if (price === 0 && value < most) return best * indexPerTick
  return lots === 0 ? 0 : impactPrice(value, lots, indexPerTick, side === BUY)
}
