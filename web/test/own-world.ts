/** An exchange whose clock and index the test moves. */
import assert from 'node:assert/strict'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import type { MarketId } from '@candor/core/protocol/ids.ts'
import type { TestExchange } from '../../server/main/test/exchange.ts'

/** A clock that runs like the machine's, ahead of it by the time that the test added. */
export function ownTime(): { ahead: number; readonly wall: () => number; readonly steady: () => number } {
  const time = { ahead: 0, wall: (): number => Date.now() + time.ahead, steady: (): number => performance.now() + time.ahead }
  return time
}

export type OwnIndex = {
  /** Sends one index tick with quotes of four venues. Omitted prices stay the same. */
  readonly index: (next?: { readonly btc?: number; readonly eth?: number }) => Promise<void>
  /** Keeps the index ticking until the work is done. */
  readonly ticking: (work: () => Promise<void>) => Promise<void>
}

export function ownIndex(exchange: () => TestExchange): OwnIndex {
  const prices = { btc: 0, eth: 0 }
  const index: OwnIndex['index'] = async (next = {}) => {
    Object.assign(prices, next)
    const of = (market: number, price: number) => ({
      market: market as MarketId,
      price: price * 1e8,
      sources: 4,
      isGood: true,
      quotes: [-1.5, -0.5, 0.5, 1.5].map((off, venue) => ({ venue, price: price * 1e8 + off * 1e6 })),
    })
    const { refusal } = await exchange().link.submit(commandOf({ type: 'index.tick', prices: [of(1, prices.btc), of(2, prices.eth)] }))
    assert.equal(refusal, undefined)
  }
  return {
    index,
    async ticking(work) {
      const timer = setInterval(() => void index(), 500)
      try {
        await work()
      } finally {
        clearInterval(timer)
      }
    },
  }
}
