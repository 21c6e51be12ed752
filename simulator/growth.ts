/** Simulates a growing exchange: many users with three assets each out of many, some listed late, and trades among the users. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { startAt, termsOf } from './plans.ts'

export type Grown = {
  readonly users: number
  readonly assets: number
  readonly trades: number
  readonly hash: string
  readonly checks: number
}

const markets = 50
const gift = 1_000_000_000
/** Share of the assets that are listed only after all users have joined. */
const late = 0.2

/** Throws when an invariant is broken. Checks every user's balances after the growth, all sums, and the state after a restore. */
export function simulateGrowth(users: number, assets: number): Grown {
  const growth = new Growth(users, assets)
  growth.list(1, Math.ceil(assets * (1 - late)))
  growth.open()
  growth.list(Math.ceil(assets * (1 - late)) + 1, assets)
  growth.checkGifts()
  growth.trade()
  growth.check()
  return growth.finish()
}

class Growth {
  readonly #users: number
  readonly #exchange = Exchange.create()
  readonly #commands = new Records()
  readonly #events = new Records()
  readonly #listedAtFirst: number
  #trades = 0
  #checks = 0

  constructor(users: number, assets: number) {
    this.#users = users
    this.#listedAtFirst = Math.ceil(assets * (1 - late))
  }

  list(from: number, to: number): void {
    for (let asset = from; asset <= to; asset++) {
      this.#does({ type: 'asset.list', symbol: asset === 1 ? 'USDT' : `A${asset}`, scale: 6 })
      if (asset < 2 || asset > markets + 1) continue
      const terms = { ...termsOf(0, 1, 1000), notionalMin: 0 }
      this.#does({ type: 'market.list', symbol: `A${asset}USDT`, base: asset, quote: 1, tick: '0.01', lot: '0.01', terms })
    }
    this.check()
  }

  open(): void {
    for (let user = 1; user <= this.#users; user++) {
      this.#does({ type: 'user.open', requestId: `u${user}`, class: 'retail', referrer: 0 })
      for (const asset of this.#assetsOf(user))
        this.#does({ type: 'funds.faucet', user, clientId: `f${asset}`, asset, amount: gift + user })
      if (user % Math.ceil(this.#users / 4) === 0) this.check()
    }
  }

  /** Every user must have exactly the deposited amounts. */
  checkGifts(): void {
    for (let user = 1; user <= this.#users; user++) {
      const has = this.#exchange.balances(user as UserId).map(({ account, available, held }) => `${account.asset} ${available} ${held}`)
      const wanted = this.#assetsOf(user).map((asset) => `${asset} ${gift + user} 0`)
      if (has.sort().join() !== wanted.sort().join()) throw new Error(`user ${user} has ${has.join()} instead of ${wanted.join()}`)
    }
    this.#checks++
  }

  /** Each user sells a part of their holdings to another, with resting and taking orders. */
  trade(): void {
    const step = Math.max(1, Math.floor(this.#users / 100_000))
    for (let user = 1; user <= this.#users; user += step) {
      this.#order(user, 'sell', 10_000 + (user % 7))
      this.#order(1 + ((user * 31) % this.#users), 'buy', 10_003, 2 + (user % markets))
    }
  }

  check(): void {
    const { sums, violations } = this.#exchange.trialBalance()
    if (violations.length > 0) throw new Error(`violations: ${violations.slice(0, 5).join(', ')}`)
    const wrong = sums.findIndex((sum) => sum !== 0)
    if (wrong >= 0) throw new Error(`asset ${wrong} sums to ${sums[wrong]}`)
    this.#checks++
  }

  finish(): Grown {
    const dump = this.#exchange.dump()
    const hash = this.#exchange.hash()
    const copy = Exchange.restore(dump)
    if (copy.hash() !== hash) throw new Error('a restored exchange has another state')
    return { users: this.#users, assets: this.#exchange.listing().assets.length, trades: this.#trades, hash, checks: this.#checks + 1 }
  }

  /** USDT, the base of a market, and another asset listed from the start. */
  #assetsOf(user: number): readonly number[] {
    const base = 2 + (user % Math.min(markets, this.#listedAtFirst - 1))
    const other = 2 + ((user * 7 + 3) % (this.#listedAtFirst - 1))
    return other === base ? [1, base] : [1, base, other]
  }

  #order(user: number, side: 'buy' | 'sell', price: number, asset = this.#assetsOf(user)[1]!): void {
    const shape = { orderType: 'limit', timeInForce: 'GTC', price, lots: 5, isPostOnly: false, selfTrade: 'expire-taker' }
    const events = this.#does({ type: 'spot.place', user, clientId: `${side}${asset}`, market: asset - 1, side, ...shape }, [
      'INSUFFICIENT_BALANCE',
    ])
    this.#trades += events.filter((event) => event.type === 'traded').length
  }

  #does(command: object, allowed: readonly string[] = []): ReturnType<typeof decodeEvents> {
    this.#commands.clear()
    this.#events.clear()
    const { seq } = this.#exchange
    encodeCommand(command as Command, { seq: seq + 1, at: startAt + Math.floor(seq / 1000), keyId: 1 }, this.#commands)
    this.#exchange.execute(this.#commands.data, 0, this.#events)
    const isOrder = (command as Command).type === 'spot.place'
    const events = decodeEvents(this.#events.data, isOrder ? 0 : this.#events.length - 7, this.#events.length)
    const outcome = events.at(-1) as { readonly refusal?: string }
    if (outcome.refusal !== undefined && !allowed.includes(outcome.refusal)) {
      throw new Error(`${JSON.stringify(command)} is refused: ${outcome.refusal}`)
    }
    return events
  }
}
