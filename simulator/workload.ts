import type { Command, Stamp } from '@candor/core/protocol/command/index.ts'
import { cancelStates, selfTradeModes } from '@candor/core/protocol/command/spot.ts'
import type { Event, OrderAccepted } from '@candor/core/protocol/event/index.ts'
import type { MarketTerms } from '@candor/core/protocol/market.ts'
import { amendment, changed, index, list, oco } from './made.ts'
import {
  assets,
  dayMs,
  marketPlans,
  notionalMins,
  oddNumbers,
  productionEvery,
  profiles,
  startAt,
  tiers,
  userCount,
  termsOf,
  usual,
} from './plans.ts'
import { Random } from './random.ts'
import { aboutUser, cascade, decided, jump, listings, type Loose, pile, signed } from './scripts.ts'

/** One step of a run: a command and its stamp. */
export type Step = { readonly command: Command; readonly stamp: Stamp }

/**
 * Generates commands one by one: sensible ones, ones that reach a limit, and nonsense. They depend only on the seed and on the
 * exchange's events.
 */
export class Workload {
  readonly #random: Random
  readonly #mids: number[] = marketPlans.map(({ mid }) => mid)
  readonly #open = new Map<number, OrderAccepted>()
  readonly #past: Command[] = []
  /** Fixed commands to send before random ones. */
  readonly #script: Loose[]
  #users = 0
  #seq = 0
  #at = startAt
  #clientIds = 0
  /** Time between quiet commands; differs between seeds, so that some runs last for days. */
  readonly #paceMs: number
  readonly #profile: keyof typeof profiles
  /** Runs with production's rules have larger orders, because customers without a certificate may not trade much there. */
  readonly #isProduction: boolean
  readonly #halted = new Set<number>()
  readonly #frozen = new Set<number>()

  constructor(seed: number) {
    this.#random = new Random(seed)
    this.#paceMs = this.#random.pick([20, 200, 3000, 60_000])
    this.#profile = this.#random.weighted({ mixed: 3, stops: 2, crowded: 1, frantic: 1 })
    this.#isProduction = seed % productionEvery === 0
    this.#script = this.#opening()
  }

  /** Takes the events of the last step. */
  observe(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'order.accepted') this.#open.set(event.order, event)
      if (event.type === 'order.closed') this.#open.delete(event.order)
      if (event.type === 'user.opened') this.#users = event.user
      if (event.type === 'traded') this.#follow(event.market, event.price)
      if (event.type === 'user.changed') this.#frozen[event.isFrozen ? 'add' : 'delete'](event.user)
      if (event.type === 'market.changed') this.#halted[event.market.terms.isTrading ? 'delete' : 'add'](event.market.id)
    }
  }

  /** The next step. dueAt: time of the exchange's next due work; it mostly gets its clock tick in time. */
  next(dueAt: number | undefined): Step {
    const random = this.#random
    const scripted = this.#script.shift()
    if (scripted !== undefined) return this.#stamped(scripted, 1)
    const pause = this.#pause()
    // Now and then a market is halted while work is due.
    if (dueAt !== undefined && random.chance(0.15)) return this.#stamped(decided(random, this.#change(random.between(0, 3))), 0)
    if (dueAt !== undefined && dueAt <= this.#at + pause && random.chance(0.8)) {
      return this.#stamped({ type: 'clock.tick' }, Math.max(0, dueAt - this.#at))
    }
    return this.#stamped(this.#any(), pause)
  }

  #opening(): Loose[] {
    return [
      ...listings((market) => this.#terms(market, 1)),
      ...Array.from({ length: userCount * assets.length }, (_, i) =>
        this.#faucet(1 + Math.floor(i / assets.length), 1 + (i % assets.length)),
      ),
      index(this.#random, this.#mids),
      ...(this.#isProduction ? [{ type: 'mode.set' as const, mode: 'production' }] : []),
    ]
  }

  #terms(market: number, tightness: number): MarketTerms {
    const openOrders = { crowded: 120, stops: 40, mixed: 25, frantic: 25 }[this.#profile]
    return termsOf(market, tightness, openOrders)
  }

  #pause(): number {
    const random = this.#random
    if (random.chance(0.001)) return random.between(1, 12) * dayMs
    if (random.chance(0.01)) return random.between(0, 10 * 60_000)
    return random.chance(0.3) ? 0 : random.between(0, 2 * this.#paceMs)
  }

  #any(): Loose {
    const random = this.#random
    const repair = this.#repair()
    if (repair !== undefined) return repair
    const piles = this.#profile === 'crowded' ? 0.06 : 0
    const kind = random.weighted({ ...usual, pile: piles, ...profiles[this.#profile] })
    const market = random.between(0, marketPlans.length - 1)
    switch (kind) {
      case 'limit':
        return this.#limit(market)
      case 'market':
        return this.#market(market, 1)
      case 'sweep':
        return this.#market(market, 20)
      case 'stop':
        return this.#stop(market)
      case 'trailing':
        return this.#trailing(market)
      case 'oco':
        return this.#oco(market)
      case 'cancel':
        return { type: 'spot.cancel', ...this.#reference(), ...(random.chance(0.2) ? { only: random.pick(cancelStates) } : {}) }
      case 'amend':
        return this.#amend()
      case 'cancelAll':
        return this.#cancelAll(this.#user(), random.pick([0, 1, 2, 3, 4]))
      case 'repeat':
        return this.#repeat()
      case 'odd':
        return this.#odd()
      case 'index':
        return index(this.#random, this.#mids)
      case 'clock':
        return { type: 'clock.tick' }
      case 'transfer':
        return this.#transfer()
      case 'faucet':
        return this.#faucet(this.#user(), random.between(1, assets.length))
      case 'operator':
        return decided(random, this.#change(market))
      case 'shock':
        this.#mids[market] = Math.max(50, Math.floor((this.#mids[market] as number) * jump(random)))
        return index(this.#random, this.#mids)
      case 'cascade':
        this.#script.push(
          ...cascade(random, this.#mids[market] as number, this.#decision(this.#halt(market)), this.#quote.bind(this, market)),
        )
        return index(this.#random, this.#mids)
      case 'pile':
        this.#script.push(...this.#certificates(true), ...pile(random, this.#mids, this.#quote.bind(this)))
        this.#script.push(...this.#certificates(false), this.#cancelAll(1, 0), this.#cancelAll(1, 0))
        return index(this.#random, this.#mids)
      case 'user':
        return aboutUser(random, this.#user(), this.#users, {
          ...{ clientId: () => this.#clientId(), at: this.#at, paceMs: this.#paceMs, isProduction: this.#isProduction },
        })
    }
  }

  /** In production, the certificate of the customer with most orders. */
  #certificates(isCertified: boolean): Loose[] {
    return this.#isProduction ? [{ type: 'user.certify', user: 1, isCertified }] : []
  }

  /** A change of terms, in production by two people. */
  #decision(change: Loose): Loose {
    return this.#isProduction ? signed(change, 1, 2) : change
  }

  #cancelAll(user: number, market: number): Loose {
    return { type: 'spot.cancelAll', user, clientId: this.#clientId(), market }
  }

  #halt(market: number): Loose {
    return { type: 'market.set', market: market + 1, terms: { ...this.#terms(market, 1), isTrading: false } }
  }

  /** A small limit order. */
  #quote(market: number, user: number, side: 'buy' | 'sell', price: number): Loose {
    const lots =
      1 + Math.floor(this.#random.unit() * 100) + Math.ceil((notionalMins[market] as number) / (price * marketPlans[market]!.unit))
    const order = { orderType: 'limit', timeInForce: 'GTC', price: Math.max(1, price), lots, isPostOnly: false }
    return { ...this.#orderOf(market, side), ...order, user, clientId: '' }
  }

  /** Soon undoes halts and freezes. */
  #repair(): Loose | undefined {
    const random = this.#random
    const [market] = this.#halted
    const [user] = this.#frozen
    if (market !== undefined && random.chance(0.04))
      return this.#decision({ type: 'market.set', market, terms: this.#terms(market - 1, 1) })
    if (user !== undefined && random.chance(0.04)) return { type: 'user.set', user, isFrozen: false }
    return undefined
  }

  #limit(market: number): Loose {
    const random = this.#random
    const side = random.chance(0.5) ? 'buy' : 'sell'
    const lots = this.#lots(market)
    const timeInForce = random.weighted({ GTC: 8, IOC: 1, FOK: 1 })
    const isIceberg = timeInForce === 'GTC' && random.chance(0.12)
    return {
      ...this.#orderOf(market, side),
      orderType: 'limit',
      timeInForce,
      price: this.#price(market, side),
      lots,
      isPostOnly: timeInForce === 'GTC' && random.chance(0.15),
      ...(timeInForce === 'FOK' && random.chance(0.5) ? { expires: true } : {}),
      ...(isIceberg ? { display: Math.max(1, Math.floor(lots / random.between(1, 8))) } : {}),
    }
  }

  #market(market: number, size: number): Loose {
    const random = this.#random
    const plan = marketPlans[market]!
    const lots = this.#lots(market) * size
    const share = random.chance(0.3) ? 1 : 0.5 + random.unit()
    const spend = Math.floor((random.chance(0.1) ? random.unit() * 4 : lots * share) * (this.#mids[market] as number) * plan.unit)
    return {
      ...this.#orderOf(market, random.chance(0.5) ? 'buy' : 'sell'),
      orderType: 'market',
      timeInForce: 'IOC',
      ...(random.chance(0.5) ? { lots } : { spend }),
      isPostOnly: false,
      ...(random.chance(0.5) ? { expires: true } : {}),
    }
  }

  #stop(market: number): Loose {
    const random = this.#random
    const order = random.chance(0.5) ? this.#limit(market) : this.#market(market, 1)
    const near = this.#near(market, this.#profile === 'stops' ? 100 : 15)
    // Stops at round prices: one trade then triggers more of them than one command may.
    const price = this.#profile === 'stops' ? Math.max(1, near - (near % 50)) : near
    const isAbove = price > (this.#mids[market] as number)
    const direction = random.chance(0.9) === isAbove ? 'rises-to' : 'falls-to'
    return { ...order, trigger: { kind: 'stop', price, direction } }
  }

  #trailing(market: number): Loose {
    const random = this.#random
    const order = random.chance(0.4) ? this.#limit(market) : this.#market(market, 1)
    const direction = (order['side'] === 'sell') === random.chance(0.9) ? 'falls-to' : 'rises-to'
    const activation = random.chance(0.4) ? { activation: this.#near(market, 15) } : {}
    return { ...order, trigger: { kind: 'trailing', trailPpm: 950 + random.skewed(1000), direction, ...activation } }
  }

  #oco(market: number): Loose {
    const make = { user: () => this.#user(), clientId: () => this.#clientId(), lots: () => this.#lots(market) }
    return (this.#random.chance(0.5) ? list : oco)(this.#random, market + 1, this.#mids[market] as number, make)
  }

  #amend(): Loose {
    const random = this.#random
    const reference = this.#reference()
    const order = this.#open.get(reference.order)
    const near = (): number => (order === undefined ? 1000 : this.#near(order.market - 1, 10))
    return { type: 'spot.amend', ...reference, ...amendment(random, order, near, this.#lots(0)) }
  }

  /** Names an order: mostly an open one, sometimes somebody else's, a closed one, or one that never existed. */
  #reference(): { user: number; clientId: string; market: number; order: number; orderClientId: string } {
    const random = this.#random
    const order = this.#open.size > 0 ? random.pick([...this.#open.values()]) : undefined
    const number = order === undefined || random.chance(0.05) ? random.between(0, 2000) : order.order
    const isByName = order !== undefined && order.clientId !== '' && random.chance(0.3)
    return {
      user: order === undefined || random.chance(0.03) ? this.#user() : order.user,
      clientId: this.#clientId(),
      market: order === undefined || random.chance(0.03) ? random.between(0, 5) : order.market,
      order: isByName ? 0 : number,
      orderClientId: isByName ? order.clientId : '',
    }
  }

  #repeat(): Loose {
    const random = this.#random
    if (this.#past.length === 0) return { type: 'clock.tick' }
    const reach = Math.min(this.#past.length, random.chance(0.8) ? 20 : 3000)
    const command = this.#past[this.#past.length - random.between(1, reach)] as Command
    return random.chance(0.75) ? (command as Loose) : changed(this.#random, command as Loose)
  }

  #odd(): Loose {
    const random = this.#random
    const command = random.pick([
      () => this.#limit(random.between(0, 3)),
      () => this.#market(random.between(0, 3), 1),
      () => this.#stop(random.between(0, 3)),
      () => this.#trailing(random.between(0, 3)),
      () => this.#oco(random.between(0, 3)),
      () => this.#amend(),
      () => this.#transfer(),
      () => this.#faucet(this.#user(), random.between(0, 5)),
      () => ({ type: 'user.set' as const, user: random.pick(oddNumbers), isFrozen: false }),
      () => ({ type: 'asset.list' as const, symbol: random.pick(['USDT', 'usdt', 'X', 'TOOLONGNAME', 'A B']), scale: 6 }),
      () => ({ ...marketPlans[0], type: 'market.list' as const, terms: this.#terms(0, 1) }),
      () => ({ ...marketPlans[0], type: 'market.list' as const, symbol: 'ODD', tick: '0.01', terms: this.#terms(0, 1) }),
      () => ({ type: 'fees.set' as const, tiers: random.pick([[], tiers.slice(1), [tiers[0], tiers[0]]]) }),
    ])()
    return random.chance(0.9) ? changed(this.#random, command) : command
  }

  #transfer(): Loose {
    const random = this.#random
    const kinds = ['spot', 'perp', 'margin-cross', 'margin-isolated', 'option', 'lend'] as const
    return {
      type: 'funds.transfer',
      user: this.#user(),
      clientId: this.#clientId(),
      asset: random.between(1, assets.length),
      from: random.chance(0.6) ? 'spot' : random.pick(kinds),
      to: random.pick(kinds),
      amount: random.chance(0.1) ? random.pick(oddNumbers) : random.skewed(1e8),
    }
  }

  #faucet(user: number, asset: number): Loose {
    const amount = assets[asset - 1]?.faucet ?? 1
    // Some users are rich and some poor, so that balances are a limit now and then.
    return {
      type: 'funds.faucet',
      user,
      clientId: this.#clientId(),
      asset,
      amount: Math.floor(amount * (user % 3 === 0 ? 0.01 : 0.2 + this.#random.unit())),
    }
  }

  #change(market: number): Loose {
    const random = this.#random
    if (random.chance(0.3)) {
      const factor = random.pick([0.5, 1, 3])
      return { type: 'fees.set', tiers: tiers.map((tier) => ({ ...tier, volumeMin: Math.floor(tier.volumeMin * factor) })) }
    }
    const terms = this.#terms(market, random.pick([1, 1, 1, 2, 10]))
    return { type: 'market.set', market: market + 1, terms: { ...terms, isTrading: random.chance(0.75) } }
  }

  #orderOf(market: number, side: 'buy' | 'sell'): Loose {
    const random = this.#random
    const selfTrade = random.pick(selfTradeModes)
    const strategy = random.pick([{ id: random.between(0, 9) }, { type: 1_000_000 }, { id: 7, type: 1_000_001 }])
    const told = random.chance(0.1) ? { strategy } : {}
    return { type: 'spot.place', user: this.#user(), clientId: this.#clientId(), market: market + 1, side, selfTrade, ...told }
  }

  #price(market: number, side: 'buy' | 'sell'): number {
    const random = this.#random
    const mid = this.#mids[market] as number
    if (random.chance(0.02)) return Math.max(1, Math.floor(mid * (0.6 + 0.8 * random.unit())))
    const distance = random.skewed(this.#profile === 'crowded' ? 80 : 8) - 2
    return Math.max(1, side === 'buy' ? mid - distance : mid + distance)
  }

  #near(market: number, mean: number): number {
    const distance = this.#random.skewed(mean)
    return Math.max(1, (this.#mids[market] as number) + (this.#random.chance(0.5) ? distance : -distance))
  }

  #lots(market: number): number {
    const lots = marketPlans[market]!.lots * (this.#isProduction ? this.#random.pick([1, 2, 8]) : 1)
    return this.#random.chance(0.03) ? this.#random.between(1, 3) : 1 + this.#random.skewed(lots)
  }

  #user(): number {
    if (this.#random.chance(0.01)) return this.#users + 1
    // One user has most of the orders, more than one command can cancel.
    if (this.#profile === 'crowded' && this.#random.chance(0.6)) return 1
    return this.#random.between(1, Math.max(1, this.#users))
  }

  #clientId(): string {
    return this.#random.chance(0.1) ? '' : `c${++this.#clientIds}`
  }

  /** Moves the mid price towards the last trade, so that stops and trailing orders are reached. */
  #follow(market: number, price: number): void {
    const random = this.#random
    if (random.chance(0.5)) this.#mids[market - 1] = Math.max(50, price + random.between(-3, 3))
  }

  #stamped(command: Loose, pauseMs: number): Step {
    this.#at += pauseMs
    const own = command as unknown as Command
    if (this.#past.length < 100_000 && command.type !== 'clock.tick' && command.type !== 'index.tick') this.#past.push(own)
    return { command: own, stamp: { seq: ++this.#seq, at: this.#at, keyId: 0 } }
  }
}
