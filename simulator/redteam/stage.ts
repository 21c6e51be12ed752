import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { Loose } from '../scripts.ts'
import { Random } from '../random.ts'
import { Bots } from './bots.ts'
import type { Depth } from './bots.ts'
import { FundCaps } from './caps.ts'
import { BTC, coins, lotsFor, ticks, unquoted, USDT } from './coins.ts'
import type { Coin } from './coins.ts'
import { Desk } from './desk.ts'
import { lendingOf } from './lenders.ts'
import type { Lending } from './lenders.ts'
import { Path, stepMs } from './path.ts'
import { feeTiers, funds, marginTerms, marketTerms, optionTerms, perpFeeTiers, perpTerms } from './terms.ts'
import { worthOf } from './worth.ts'

/** `good`: three or more venues agree. `bad`: too few agree, and the last price is sent again. */
export type Feed = 'good' | 'bad'
type Side = 'buy' | 'sell'

/** Amount that lenders supply to each pool, in USDT. */
const pooled = 1_000_000
const makerFunds = 50_000_000
const spotMaker = 1
const perpMaker = 2
/** Times after a strategy's end: until all markets match and liquidate again, and until the fund has sold what it took over. */
const reopeningMs = 15_000
const settleMs = 2_400_000
const settleStepMs = 1000

/**
 * One exchange with bots, funds, outside prices and a clock, on which a strategy is played. Users created with `attacker` belong to
 * the strategy, and their gains are counted. Their holdings are hedged outside, at the outside price and without cost, so that the
 * remaining profit comes from the exchange.
 */
export class Stage {
  readonly random: Random
  readonly desk = new Desk()
  readonly path: Path
  readonly bots: Bots
  readonly own = new Set<number>()
  readonly #feeds = new Map<Coin, Feed>(coins.map((coin) => [coin, 'good']))
  readonly #shown = new Map<Coin, number | undefined>()
  readonly #venues = new Map<Coin, { readonly biases: readonly number[]; readonly away: Set<number> }>()
  #hedge = 0
  #paidIn = 0
  #users = 0
  /** Margin accounts that the fund took over and did not return, as `user/market`. */
  readonly #taken = new Set<string>()
  readonly events: Event[] = []
  readonly broken: string[] = []
  readonly caps = new FundCaps()

  constructor(seed: number) {
    this.random = new Random(seed)
    this.path = new Path(this.random)
    this.desk.onEvent = (event) => this.#see(event)
    this.bots = new Bots(this.desk, spotMaker, perpMaker)
    this.#open()
  }

  get atMs(): number {
    return this.desk.atMs
  }

  run(command: Loose): OutcomeEvent {
    return this.desk.run(command)
  }

  must(command: Loose): OutcomeEvent {
    return this.desk.must(command)
  }

  /** Creates a verified user of the strategy with this many USDT in the spot account, invited by `referrer` if that is a user. */
  attacker(usdt: number, referrer = 0): number {
    const user = this.customer(usdt, true, referrer)
    this.own.add(user)
    this.#paidIn += usdt
    return user
  }

  /** Pays USDT in for a user of the strategy who already exists. */
  payIn(user: number, usdt: number): void {
    this.must({ type: 'funds.faucet', user, clientId: '', asset: USDT, amount: Math.round(usdt * 1e6) })
    this.#paidIn += usdt
  }

  /** Creates another customer with this many USDT. */
  customer(usdt: number, isCertified = true, referrer = 0): number {
    const user = ++this.#users
    this.must({ type: 'user.open', requestId: `red-${user}`, class: 'retail', referrer })
    if (isCertified) this.must({ type: 'user.certify', user, isCertified })
    if (usdt > 0) this.must({ type: 'funds.faucet', user, clientId: '', asset: USDT, amount: Math.round(usdt * 1e6) })
    return user
  }

  move(user: number, asset: number, amount: number, from: string, to: string, market?: number): OutcomeEvent {
    return this.run({ type: 'funds.transfer', user, clientId: '', asset, from, to, amount, ...(market === undefined ? {} : { market }) })
  }

  /** Prepares a user for futures: moves this many USDT to the futures account, and sets leverage and margin mode. */
  futures(user: number, coin: Coin, usdt: number, leverage: number, mode: 'cross' | 'isolated' = 'isolated'): void {
    if (usdt > 0) this.move(user, USDT, Math.round(usdt * 1e6), 'spot', 'perp')
    this.run({ type: 'perp.setMarginMode', user, market: coin.perp, mode })
    this.run({ type: 'perp.setLeverage', user, market: coin.perp, leverage })
  }

  /** Places a futures order. Without a price it is a market order. */
  perp(user: number, coin: Coin, side: Side, lots: number, price?: number, more: object = {}): OutcomeEvent {
    const flags = {
      position: 'both',
      isPostOnly: false,
      isReduceOnly: false,
      isClosing: false,
      triggerBy: 'last',
      selfTrade: 'expire-taker',
    }
    const shape = shapeOf(coin, lots, price)
    return this.run({ type: 'perp.place', user, clientId: '', market: coin.perp, side, ...flags, ...shape, ...more })
  }

  /** Places a spot order. Without a price it is a market order. */
  spot(user: number, coin: Coin, side: Side, lots: number, price?: number, more: object = {}): OutcomeEvent {
    const shape = shapeOf(coin, lots, price)
    const flags = { isPostOnly: false, selfTrade: 'expire-taker' }
    return this.run({ type: 'spot.place', user, clientId: '', market: coin.spot, side, ...flags, ...shape, ...more })
  }

  cancelAll(user: number, market = 0): OutcomeEvent {
    return this.run({ type: 'spot.cancelAll', user, clientId: '', market })
  }

  /** Units of an asset in an account, available or held. */
  owned(user: number, asset: number, kind: string): number {
    const found = this.desk.exchange
      .balances(user as UserId)
      .find(({ account }) => 'kind' in account && account.kind === kind && account.asset === asset)
    return (found?.available ?? 0) + (found?.held ?? 0)
  }

  /** Lets `a` buy from `b` a futures position worth this many USDT, by default at the mark price. */
  cross(a: number, b: number, coin: Coin, usdt: number, price = this.price(coin)): OutcomeEvent {
    const lots = lotsFor(coin, usdt, price)
    this.perp(b, coin, 'sell', lots, price)
    return this.perp(a, coin, 'buy', lots, price, { timeInForce: 'IOC' })
  }

  price(coin: Coin): number {
    return this.path.of(coin)
  }

  /** From now on the coin's index comes with quotes of venues. `biases`: by which part each is above the outside price. */
  quote(coin: Coin, biases: readonly number[]): void {
    this.#venues.set(coin, { biases, away: new Set() })
  }

  /** Silences a venue or brings it back. */
  away(coin: Coin, venue: number, isAway: boolean): void {
    const { away } = this.#venues.get(coin)!
    if (isAway) away.add(venue)
    else away.delete(venue)
  }

  /** Sets the state of a coin's feed from now on. */
  feed(coin: Coin, feed: Feed): void {
    this.#feeds.set(coin, feed)
  }

  /** Moves a coin's outside price by this part at once. Makers see it before anybody trades on it. */
  shock(coin: Coin, part: number): void {
    this.shocks([coin], part)
  }

  /** The same for several coins, all with one tick of the index. */
  shocks(moved: readonly Coin[], part: number): void {
    this.#hedged(() => {
      for (const coin of moved) this.path.shock(coin, part)
    })
    if (moved.some((coin) => this.#feeds.get(coin) === 'good')) this.#tell()
  }

  /** Moves a coin's outside price by this part in a hundred steps, 100 ms apart; the exchange follows each. */
  slide(coin: Coin, part: number, each: () => void = () => undefined): void {
    for (let n = 0; n < 100; n++) {
      this.desk.atMs += 100
      this.#hedged(() => this.path.shock(coin, (1 + part) ** 0.01 - 1))
      this.#tell()
      each()
    }
  }

  /** Lets time pass in steps of a quarter of a second, or of `step`: prices move, the index ticks, bots quote, and due work is done. */
  pass(ms: number, each: () => void = () => undefined, step = stepMs): void {
    for (let left = ms; left > 0; left -= step) {
      this.desk.atMs += step
      this.#hedged(() => this.path.step())
      this.#tell()
      each()
    }
  }

  /** Halts or reopens a coin's futures market, as an operator does. */
  trading(coin: Coin, isTrading: boolean): void {
    const terms = { ...marketTerms(coin, true), isTrading }
    this.must({ type: 'perp.set', market: coin.perp, terms, perp: perpTerms(coin) })
  }

  /** Records a broken rule, which fails the run even without a profit. */
  note(broken: string): void {
    this.broken.push(broken)
  }

  position(user: number, coin: Coin): number {
    const found = this.desk.exchange.perpAccount(user as UserId).positions.find(({ market }) => market === coin.perp)
    return found?.lots ?? 0
  }

  /** Number of users with a position, not counting the house's market makers. */
  holdersOf(coin: Coin): number {
    let holders = 0
    for (let user = perpMaker + 1; user <= this.#users; user++) if (this.position(user, coin) !== 0) holders++
    return holders
  }

  /** Available units of an asset in an account. */
  available(user: number, asset: number, kind: string, market?: number): number {
    const found = this.desk.exchange
      .balances(user as UserId)
      .find(({ account }) => 'kind' in account && account.kind === kind && account.asset === asset && account.market === market)
    return found?.available ?? 0
  }

  /** Closes the position with market orders in parts that the book can take. */
  flatten(user: number, coin: Coin): void {
    this.cancelAll(user, coin.perp)
    const lots = this.position(user, coin)
    if (lots !== 0) this.perp(user, coin, lots > 0 ? 'sell' : 'buy', Math.abs(lots), undefined, { isReduceOnly: true })
  }

  /** The hedged gain of the strategy's users so far, in USDT. */
  get profit(): number {
    const { usdt, held } = worthOf(this.desk.exchange, this.own, this.#taken, (coin) => this.price(coin))
    let worth = usdt
    for (const [coin, amount] of held) worth += amount * this.price(coin)
    return worth - this.#paidIn + this.#hedge
  }

  /** Balance of one of the exchange's own accounts, in USDT. */
  fund(system: string): number {
    const found = this.desk.exchange
      .accounts()
      .find(({ account }) => 'system' in account && account.system === system && account.asset === USDT)
    return (found?.available ?? 0) / 1e6
  }

  /** The larger loss of the two insurance funds (futures and margin), in USDT. */
  get fundLoss(): number {
    return Math.max(funds.insurance - this.fund('insurance'), funds['insurance-margin'] - this.fund('insurance-margin'))
  }

  /** Bad debts and the fund that has to pay them. */
  get lending(): Lending {
    return lendingOf(this.desk.exchange, this.#users)
  }

  /**
   * Lets liquidations of margin accounts end, for longer than the fund waits to sell what it took over. Prices are good and bots
   * quote all spot markets; a market that the strategy halted stays halted.
   */
  settle(): void {
    for (const coin of coins) {
      this.feed(coin, 'good')
      this.bots.set(coin.spot, 'deep')
    }
    this.pass(reopeningMs, undefined, settleStepMs)
    for (let left = settleMs; left > 0 && this.lending.isPending; left -= settleStepMs) this.pass(settleStepMs, undefined, settleStepMs)
  }

  #open(): void {
    const must = (command: Loose): OutcomeEvent => this.desk.must(command)
    must({ type: 'asset.list', symbol: 'USDT', scale: 6 })
    for (const { symbol, scale } of coins) must({ type: 'asset.list', symbol, scale })
    must({ type: 'asset.list', symbol: 'NEW', scale: unquoted.scale })
    const listing = ({ symbol, asset, tick, lot }: Coin) => ({ symbol: `${symbol}USDT`, base: asset, quote: USDT, tick, lot })
    for (const coin of coins) must({ type: 'market.list', ...listing(coin), terms: marketTerms(coin, false) })
    for (const coin of coins) {
      must({ type: 'perp.list', ...listing(coin), symbol: `${coin.symbol}USDTPERP`, terms: marketTerms(coin, true), perp: perpTerms(coin) })
    }
    const unquotedTerms = marketTerms({ lot: '1' }, false)
    must({ type: 'market.list', symbol: 'NEWUSDT', base: unquoted.asset, quote: USDT, tick: '0.0001', lot: '1', terms: unquotedTerms })
    must({ type: 'fees.set', tiers: feeTiers, perpTiers: perpFeeTiers })
    must({ type: 'margin.setTerms', terms: marginTerms })
    must({ type: 'option.setTerms', terms: optionTerms })
    for (const [account, whole] of Object.entries(funds)) must({ type: 'funds.system', account, asset: USDT, amount: whole * 1e6 })
    for (const name of ['spot', 'perp']) this.#maker(name)
    this.#tell()
    const lender = this.customer(2 * pooled)
    this.#supply(lender, USDT, pooled * 1e6)
    for (const coin of coins) {
      const amount = Math.floor((pooled / this.price(coin)) * 10 ** coin.scale)
      must({ type: 'funds.faucet', user: lender, clientId: '', asset: coin.asset, amount })
      this.#supply(lender, coin.asset, amount)
    }
  }

  #maker(kind: string): void {
    const user = this.customer(makerFunds)
    for (const coin of coins) {
      if (kind === 'perp') this.futures(user, coin, coin === BTC ? makerFunds : 0, 3, 'cross')
      else {
        const amount = Math.floor((makerFunds / this.price(coin)) * 10 ** coin.scale)
        this.must({ type: 'funds.faucet', user, clientId: '', asset: coin.asset, amount })
      }
    }
  }

  #supply(user: number, asset: number, amount: number): void {
    this.must({ type: 'lend.supply', user, clientId: '', asset, amount })
  }

  /** Publishes the venues' prices: bots follow what the exchange can see, then the index ticks, and due work is done. */
  #tell(): void {
    const prices = coins.map((coin) => {
      const isGood = this.#feeds.get(coin) === 'good'
      const price = ticks(coin, this.price(coin)) * coin.indexPerTick
      if (isGood) this.#shown.set(coin, this.price(coin))
      return isGood ? { market: coin.spot, price, sources: 4, isGood, ...this.#quotesOf(coin) } : this.#lost(coin)
    })
    this.bots.tend(new Map(coins.map((coin) => [coin, this.#feeds.get(coin) === 'good' ? this.#shown.get(coin) : undefined])))
    this.run({ type: 'index.tick', prices })
    this.desk.catchUp()
  }

  #lost(coin: Coin): object {
    return { market: coin.spot, price: ticks(coin, this.#shown.get(coin) ?? coin.start) * coin.indexPerTick, sources: 1, isGood: false }
  }

  /** The quotes of the active venues, ascending by venue, and their median; empty if the strategy did not ask for quotes. */
  #quotesOf(coin: Coin): object {
    const venues = this.#venues.get(coin)
    if (venues === undefined) return {}
    const quotes = venues.biases.flatMap((bias, venue) => {
      const noise = (this.random.unit() - 0.5) * 1e-4
      return venues.away.has(venue) ? [] : [{ venue, price: Math.round(this.price(coin) * (1 + bias + noise) * 1e8) }]
    })
    return { quotes, sources: quotes.length, price: medianOf(quotes.map(({ price }) => price)) }
  }

  /** Changes prices. The hedge offsets the change in value of the holdings of the strategy's users. */
  #hedged(move: () => void): void {
    const { held } = worthOf(this.desk.exchange, this.own, this.#taken)
    const before = [...held].map(([coin]) => this.price(coin))
    move()
    let n = 0
    for (const [coin, amount] of held) this.#hedge -= amount * (this.price(coin) - before[n++]!)
  }

  #see(event: Event): void {
    if (event.type === 'margin.liquidated' && (event.order as number) === 0 && event.insured === 0)
      this.#taken.add(`${event.user}/${event.market}`)
    if (event.type === 'margin.level' && event.state === 'safe') this.#taken.delete(`${event.user}/${event.market}`)
    this.caps.see(event, this.desk.atMs)
    this.events.push(event)
    if (this.events.length > 20_000) this.events.splice(0, 10_000)
  }
}

export type { Depth }

function shapeOf(coin: Coin, lots: number, price: number | undefined): object {
  if (price === undefined) return { orderType: 'market', timeInForce: 'IOC', lots }
  return { orderType: 'limit', timeInForce: 'GTC', price: ticks(coin, price), lots }
}

/** The median; for an even number of prices, the mean of the middle two, rounded down. */
function medianOf(prices: readonly number[]): number {
  const sorted = [...prices].sort((a, b) => a - b)
  const [low, high] = [sorted[(sorted.length - 1) >>> 1]!, sorted[sorted.length >>> 1]!]
  return low + Math.floor((high - low) / 2)
}
