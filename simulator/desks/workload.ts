import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import { Random } from '../random.ts'
import type { Loose } from '../scripts.ts'
import type { Step } from '../workload.ts'
import { PerpDesk } from './perp.ts'
import { Known } from './known.ts'
import { MarginDesk } from './margin.ts'
import { Maker } from './maker.ts'
import { opening } from './opening.ts'
import { People } from './people.ts'
import { allMarkets, makers, profiles, spotMarkets, startAt, traders, usual } from './plans.ts'
import type { DeskMarket } from './plans.ts'
import { Prices } from './prices.ts'
import { rush } from './rush.ts'

/**
 * Generates commands for all desks one by one, from a seed and from the exchange's events. Prices and the depth of the books follow a
 * script, and people trade, borrow, lend, bet and move their money.
 */
export class DesksWorkload {
  readonly #random: Random
  readonly #known = new Known()
  readonly #prices: Prices
  readonly #maker: Maker
  readonly #perp: PerpDesk
  readonly #margin: MarginDesk
  readonly #people: People
  readonly #weights: Readonly<typeof usual>
  /** Fixed commands to send before random ones. */
  readonly #script: Loose[]
  readonly #past: Loose[] = []
  #seq = 0
  #at = startAt
  #tended = 0
  #tickedAt = startAt
  /** Users liquidated by the last command, with the market. */
  readonly #ruined: [user: number, market: number][] = []

  constructor(seed: number) {
    this.#random = new Random(seed)
    this.#at += this.#random.between(0, 24 * 3_600_000)
    this.#prices = new Prices(this.#random)
    this.#maker = new Maker(this.#random, this.#known, this.#prices)
    this.#perp = new PerpDesk(this.#maker)
    this.#margin = new MarginDesk(this.#maker)
    this.#people = new People(this.#maker)
    this.#weights = { ...usual, ...profiles[this.#random.pick(Object.keys(profiles))] }
    this.#script = [...opening(this.#random)]
  }

  /** Takes the events of the last step. */
  observe(events: readonly Event[]): void {
    for (const event of events) {
      this.#known.see(event)
      if (event.type === 'perp.liquidated') this.#ruined.push([event.user, event.market])
    }
  }

  /** The next step. dueAt: time of the exchange's next due work; it mostly gets its clock tick in time. */
  next(dueAt: number | undefined): Step {
    const random = this.#random
    const scripted = this.#script.shift()
    if (scripted !== undefined) return this.#stamped(scripted, random.chance(0.2) ? 1 : 0)
    const { pauseMs, isNew } = this.#prices.pass()
    if (isNew && this.#prices.depth !== 'deep') for (const { market } of allMarkets) this.#script.push(...this.#clear(market))
    if (dueAt !== undefined && dueAt <= this.#at + pauseMs && random.chance(this.#ruined.length > 0 ? 0.5 : 0.85)) {
      return this.#stamped({ type: 'clock.tick' }, Math.max(0, dueAt - this.#at))
    }
    // A user under liquidation tries to trade.
    const [ruined] = this.#ruined
    this.#ruined.length = 0
    if (dueAt !== undefined && ruined !== undefined && random.chance(0.7)) return this.#stamped(this.#perp.orderOf(...ruined), 0)
    if (this.#at + pauseMs - this.#tickedAt > this.#prices.tickEveryMs && random.chance(0.97)) {
      return this.#stamped(this.#prices.tick() ?? { type: 'clock.tick' }, pauseMs)
    }
    return this.#stamped(this.#any(), pauseMs)
  }

  #any(): Loose {
    const random = this.#random
    const repair = this.#repair()
    if (repair !== undefined) return repair
    const kind = random.weighted(this.#weights)
    switch (kind) {
      case 'tend':
        return this.#tend()
      case 'tick':
        return this.#prices.tick() ?? { type: 'clock.tick' }
      case 'perpOrder':
        return this.#perp.order()
      case 'perpSleeping':
        return this.#perp.sleeping()
      case 'perpChange':
        return this.#perp.change()
      case 'perpSetting':
        return this.#perp.setting()
      case 'marginOrder':
        return this.#margin.marginOrder()
      case 'spotOrder':
        return this.#margin.spotOrder()
      case 'loan':
        return this.#margin.loan()
      case 'lend':
        return this.#margin.lend()
      case 'second':
        return this.#people.second()
      case 'limits':
        return this.#people.limits(this.#at)
      case 'transfer':
        return this.#people.transfer()
      case 'faucet':
        return this.#people.faucet()
      case 'user':
        return this.#people.user()
      case 'operator':
        return this.#people.operator()
      case 'cancel':
        return this.#cancel()
      case 'cancelAll':
        return this.#cancelAll()
      case 'repeat':
        return this.#past.length === 0 ? { type: 'clock.tick' } : random.pick(this.#past.slice(-40))
      case 'odd':
        return this.#people.odd(
          random.pick([
            () => this.#perp.order(),
            () => this.#perp.sleeping(),
            () => this.#perp.change(),
            () => this.#perp.setting(),
            () => this.#margin.marginOrder(),
            () => this.#margin.loan(),
            () => this.#margin.lend(),
            () => this.#people.second(),
          ])(),
        )
      case 'rush':
        this.#script.push(...rush(this.#maker, this.#perp))
        return { type: 'clock.tick' }
      case 'clock':
        return { type: 'clock.tick' }
    }
  }

  /** Soon undoes halts, freezes and lost verification, and gives money to users who lost all. */
  #repair(): Loose | undefined {
    const random = this.#random
    const [market] = this.#known.halted
    if (market !== undefined && random.chance(0.04)) return this.#people.trading(market, true)
    const [user] = this.#known.frozen
    if (user !== undefined && random.chance(0.04)) return { type: 'user.set', user, isFrozen: false }
    const [uncertified] = this.#known.strangers
    if (uncertified !== undefined && random.chance(0.02)) return { type: 'user.certify', user: uncertified, isCertified: true }
    const poor = random.pick(traders)
    if (random.chance(0.02) && this.#known.available(poor, 'perp', 1) < 20e6) {
      const amount = random.between(100, 3000) * 1_000_000
      this.#script.push({ type: 'funds.transfer', user: poor, clientId: '', asset: 1, from: 'spot', to: 'perp', amount })
      return { type: 'funds.faucet', user: poor, clientId: '', asset: 1, amount }
    }
    return undefined
  }

  #cancelAll(): Loose {
    const random = this.#random
    const only = random.pick([undefined, 'spot', 'margin'] as const)
    const all = { type: 'spot.cancelAll' as const, user: random.pick(traders), clientId: '', market: random.between(0, allMarkets.length) }
    return only === undefined ? all : { ...all, only }
  }

  #cancel(): Loose {
    const random = this.#random
    const own = [...this.#known.orders.values()].filter(({ user }) => user > makers.length)
    if (own.length === 0) return { type: 'clock.tick' }
    const { user, market, order, clientId, perp } = random.pick(own)
    const isByName = clientId !== '' && random.chance(0.3)
    const reference = { user, clientId: '', market, order: isByName ? 0 : order, orderClientId: isByName ? clientId : '' }
    return { type: perp === undefined ? 'spot.cancel' : 'perp.cancel', ...reference }
  }

  #clear(market: number): readonly Loose[] {
    return makers.map((user) => ({ type: 'spot.cancelAll', user, clientId: '', market }))
  }

  /** The market makers replace their orders in one market by new ones around its price. */
  #tend(): Loose {
    const random = this.#random
    const plan = allMarkets[this.#tended++ % allMarkets.length] as DeskMarket
    const { market } = plan
    const { depth } = this.#prices
    const isPerp = market > spotMarkets.length
    const mid = isPerp ? (this.#known.mark(market) ?? this.#prices.mid(market)) : this.#prices.mid(market)
    const levels = depth === 'deep' ? 3 : depth === 'empty' ? 0 : 2
    const size = depth === 'thin' ? 3 : 900
    const cleared = this.#clear(market)
    for (let level = 1; level <= levels; level++) {
      for (const side of ['buy', 'sell'] as const) {
        if (depth === (side === 'buy' ? 'asks' : 'bids')) continue
        const away = Math.max(level, Math.round(mid * 0.0006 * level * (0.5 + random.unit())))
        const price = side === 'buy' ? mid - away : mid + away
        const lots = 1 + Math.floor(size * random.unit())
        const user = random.pick(makers)
        const quote = isPerp ? this.#perp.quote(user, market, side, price, lots) : this.#margin.quote(user, plan, side, price, lots)
        this.#script.push(quote)
      }
    }
    this.#script.unshift(cleared[1] as Loose)
    return cleared[0] as Loose
  }

  #stamped(command: Loose, pauseMs: number): Step {
    this.#at += pauseMs
    if (command.type === 'index.tick') this.#tickedAt = this.#at
    else if (command.type !== 'clock.tick') this.#past.push(command)
    return { command: command as unknown as Command, stamp: { seq: ++this.#seq, at: this.#at, keyId: 0 } }
  }
}
