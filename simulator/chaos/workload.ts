import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import { Random } from '../random.ts'
import type { Loose } from '../scripts.ts'
import type { Step } from '../workload.ts'
import { algoCommand } from './algo.ts'
import { chainCommand, spentDeposit } from './chain.ts'
import { convertCommand } from './convert.ts'
import { firmCommand } from './firm.ts'
import { referralCommand } from './referral.ts'
import { twist } from './numbers.ts'
import { cancelOrAmend, oco, perpOrder, spotOrder } from './orders.ts'
import type { Scene } from './orders.ts'
import { orderList } from './lists.ts'
import { faucet, lend, loan, opening, operator, people, second, setting, trading, transfer } from './others.ts'
import { presaleCommand } from './presale.ts'
import { perpMarkets, marginTerms, markets, rich, spotMarkets, startAt, users } from './plans.ts'
import type { ChaosMarket } from './plans.ts'

const usual = {
  quote: 18,
  spot: 14,
  oco: 6,
  list: 6,
  perp: 18,
  change: 10,
  cancelAll: 0.6,
  transfer: 5,
  faucet: 1,
  loan: 6,
  lend: 4,
  setting: 4,
  second: 3,
  chain: 4,
  convert: 4,
  referral: 0.5,
  firm: 0.8,
  algo: 3,
  presale: 2,
  day: 0.02,
  people: 0.8,
  operator: 0.8,
  tick: 14,
  clock: 3,
  repeat: 1.5,
  odd: 4,
  pile: 0.15,
}

const profiles = {
  mixed: {},
  perp: { perp: 40, spot: 5, oco: 2, setting: 9 },
  margin: { spot: 25, oco: 10, loan: 14, lend: 6, perp: 4 },
  stops: { spot: 20, oco: 22, perp: 20, change: 20 },
  operators: { operator: 12, people: 5 },
  chain: { chain: 40, transfer: 10, people: 2 },
  convert: { convert: 40, transfer: 8, tick: 30 },
  referral: { spot: 40, perp: 30, referral: 3, people: 3 },
  firm: { firm: 30, chain: 10, spot: 20 },
  algo: { algo: 40, clock: 12, quote: 40 },
  presale: { presale: 60, tick: 6, clock: 6, day: 1 },
} satisfies Record<string, Partial<typeof usual>>

type Running = readonly { readonly algo: number; readonly user: number }[]

/** Generates every type of command (valid, at its limits and invalid) while prices jump or are lost, and operators halt markets. */
export class ChaosWorkload {
  readonly #random: Random
  readonly #weights: typeof usual
  readonly #script: Loose[]
  readonly #past: Loose[] = []
  readonly #mids = new Map<number, number>(markets.map(({ market, mid }) => [market, mid]))
  readonly #bad = new Set<number>()
  #running: Running = []
  #seq = 0
  #at = startAt
  #names = 0
  readonly #paceMs: number

  constructor(seed: number) {
    this.#random = new Random(seed)
    this.#at += this.#random.between(0, 24 * 3_600_000)
    this.#weights = { ...usual, ...this.#random.pick(Object.values(profiles)) }
    this.#paceMs = this.#random.pick([20, 200, 1500, 20_000])
    this.#script = [...opening(this, this.#random.chance(0.15) ? 'sandbox' : undefined)]
    this.#script.push(this.#tickOf(spotMarkets.filter(({ market }) => market !== 6)))
  }

  get random(): Random {
    return this.#random
  }

  /** `running`: orders in parts that have not ended. */
  next(exchange: Exchange, running: Running = []): Step {
    const random = this.#random
    const scripted = this.#script.shift()
    if (scripted !== undefined) return this.#stamped(scripted, random.chance(0.05) ? 1 : 0)
    const due = exchange.nextDueAtMs
    const pause = this.#pause()
    if (due <= this.#at + pause && random.chance(0.7)) return this.#stamped({ type: 'clock.tick' }, Math.max(0, due - this.#at))
    this.#running = running
    return this.#stamped(this.#any(this.#scene(exchange)), pause)
  }

  #scene(exchange: Exchange): Scene {
    const random = this.#random
    return {
      random,
      exchange,
      mid: (market) => Math.max(1, Math.round(this.#mids.get(this.#sourceOf(market)) ?? 1)),
      user: () => random.between(1, random.chance(0.01) ? users.length + 2 : users.length),
      clientId: () => (random.chance(0.6) ? '' : `c${random.chance(0.1) ? random.between(1, 1 + this.#names) : ++this.#names}`),
    }
  }

  #sourceOf(market: number): number {
    return perpMarkets.find((plan) => plan.market === market)?.index ?? market
  }

  #any(scene: Scene): Loose {
    const random = this.#random
    const repair = this.#repair(scene.exchange)
    if (repair !== undefined) return repair
    const kind = random.weighted(this.#weights)
    switch (kind) {
      case 'quote':
        return this.#quote(scene)
      case 'spot':
        return spotOrder(scene)
      case 'oco':
        return oco(scene)
      case 'list':
        return orderList(scene)
      case 'perp':
        return perpOrder(scene)
      case 'change':
        return cancelOrAmend(scene)
      case 'cancelAll':
        return {
          type: 'spot.cancelAll',
          user: scene.user(),
          clientId: '',
          market: random.between(0, 9),
          ...(random.chance(0.5) ? { only: random.pick(['spot', 'margin']) } : {}),
        }
      case 'transfer':
        return transfer(scene)
      case 'faucet':
        return faucet(scene)
      case 'loan':
        return loan(scene)
      case 'lend':
        return lend(scene)
      case 'setting':
        return setting(scene)
      case 'second':
        return second(scene)
      case 'referral':
        return referralCommand(scene)
      case 'firm':
        return firmCommand(scene)
      case 'algo':
        return algoCommand(scene, this.#running)
      case 'convert':
        return convertCommand(scene)
      case 'presale':
        return presaleCommand(scene, this.#at)
      case 'day':
        this.#at += random.between(0, 30 * 3_600_000)
        return { type: 'clock.tick' }
      case 'chain':
        if (random.chance(0.08)) this.#script.push(...spentDeposit(scene))
        return chainCommand(scene)
      case 'people':
        return people(scene, this.#at)
      case 'operator':
        return operator(scene)
      case 'tick':
        return this.#tick()
      case 'clock':
        return { type: 'clock.tick' }
      case 'repeat':
        return this.#past.length === 0 ? { type: 'clock.tick' } : random.pick(this.#past.slice(-60))
      case 'odd':
        return this.#odd(scene)
      case 'pile': {
        // More orders of one kind than one command can process.
        const make = random.pick([spotOrder, oco, orderList, perpOrder])
        for (let n = 0; n < 80; n++) this.#script.push(make(scene))
        this.#script.push(this.#tick())
        return { type: 'clock.tick' }
      }
    }
  }

  /** A command of any kind with one number changed. */
  #odd(scene: Scene): Loose {
    const presale = (one: Scene): Loose => presaleCommand(one, this.#at)
    const trades = [spotOrder, oco, orderList, perpOrder, cancelOrAmend, transfer, loan, lend, setting, second]
    return twist(scene.random, scene.random.pick([...trades, chainCommand, convertCommand, presale])(scene))
  }

  /** Quotes of a rich user on both sides of a book. */
  #quote(scene: Scene): Loose {
    const random = this.#random
    const plan = random.pick(markets)
    const user = random.pick(rich)
    const mid = scene.mid(plan.market)
    const orders = (['buy', 'sell'] as const).map((side) => {
      const away = Math.max(1, Math.round(mid * 0.001 * random.unit() * random.pick([1, 1, 1, 10])))
      const price = Math.max(1, side === 'buy' ? mid - away : mid + away)
      const lots = Math.max(1, Math.floor((random.pick([100, 3000, 30_000]) * 1e6 * random.unit()) / (price * plan.unit)))
      const shared = {
        user,
        clientId: '',
        market: plan.market,
        side,
        orderType: 'limit',
        timeInForce: 'GTC',
        price,
        lots,
        isPostOnly: random.chance(0.3),
        selfTrade: 'none',
      }
      if (plan.index === 0) return { type: 'spot.place' as const, ...shared }
      const { isHedge } = scene.exchange.perpAccount(user as UserId)
      const position = isHedge ? (side === 'buy' ? 'long' : 'short') : 'both'
      return { type: 'perp.place' as const, ...shared, position, isReduceOnly: false, isClosing: false, triggerBy: 'last' }
    })
    this.#script.push(orders[1] as Loose)
    return orders[0] as Loose
  }

  #tick(): Loose {
    const random = this.#random
    const some = spotMarkets.filter(({ market }) => random.chance(market === 6 ? 0.02 : 0.6))
    return this.#tickOf(some)
  }

  #tickOf(some: readonly ChaosMarket[]): Loose {
    const random = this.#random
    const prices = some.map((plan) => {
      const { market, indexPerTick, mid } = plan
      if (random.chance(0.005)) this.#bad.add(market)
      else if (random.chance(0.1)) this.#bad.delete(market)
      const jump = random.weighted({ '0.0003': 40, '0.003': 25, '0.02': 10, '0.15': 1.5, '0.6': 0.3 })
      const moved = (this.#mids.get(market) as number) * (1 + Number(jump) * (random.unit() * 2 - 1))
      this.#mids.set(market, Math.max(Math.max(1, mid / 30), Math.min(mid * 10, moved)))
      const price = Math.max(indexPerTick, Math.round((this.#mids.get(market) as number) * indexPerTick))
      if (this.#bad.has(market)) return { market, price, sources: random.pick([0, 1, 2, 3]), isGood: false }
      if (random.chance(0.6)) return { market, price, sources: random.between(3, 5), isGood: random.chance(0.99) }
      const quotes = [price - random.between(0, 9), price, price + random.between(0, 9)].filter((quote) => quote > 0)
      if (quotes.length < 3) return { market, price, sources: 3, isGood: true }
      return { market, price, sources: 3, isGood: true, quotes: quotes.map((quote, venue) => ({ venue, price: quote })) }
    })
    return { type: 'index.tick', prices }
  }

  /** Soon reopens halted markets and closed products and unfreezes users, because otherwise all activity would stop. */
  #repair(exchange: Exchange): Loose | undefined {
    const random = this.#random
    if (!random.chance(0.03)) return undefined
    const halted = exchange.listing().markets.filter(({ terms }) => !terms.isTrading)
    const plan = random.pick(markets)
    const kind = random.weighted({ trade: 6, certify: 1.5, free: 2, margin: 1, money: 2 })
    if (kind === 'trade') return trading(markets.find(({ market }) => market === halted[0]?.id) ?? plan, true)
    if (kind === 'certify') return { type: 'user.certify', user: random.pick(users), isCertified: true }
    if (kind === 'margin') return { type: 'margin.setTerms', terms: marginTerms }
    if (kind === 'free') return { type: 'user.set', user: random.pick(users), isFrozen: false }
    const user = random.pick(users)
    this.#script.push({
      type: 'funds.transfer',
      user,
      clientId: '',
      asset: 1,
      from: 'spot',
      to: random.pick(['perp', 'margin-cross']),
      amount: 1000e6,
    })
    return { type: 'funds.faucet', user, clientId: '', asset: 1, amount: 2000e6 }
  }

  #pause(): number {
    const random = this.#random
    const kind = random.weighted({ none: 30, pace: 60, second: 4, steps: 3, hour: 0.4, day: 0.03 })
    if (kind === 'none') return 0
    if (kind === 'pace') return random.skewed(this.#paceMs)
    if (kind === 'second') return random.between(900, 3100)
    if (kind === 'steps') return random.pick([2999, 3000, 4999, 5000, 10_000, 29_999, 30_000, 300_000])
    return kind === 'hour' ? random.between(0, 2 * 3_600_000) : random.between(0, 2 * 86_400_000)
  }

  #stamped(command: Loose, pauseMs: number): Step {
    this.#at += pauseMs
    if (command.type !== 'clock.tick' && command.type !== 'index.tick') this.#past.push(command)
    return { command: command as unknown as Command, stamp: { seq: ++this.#seq, at: this.#at, keyId: 0 } }
  }
}
