/**
 * Measures how much a program earns per unit staked that watches the venues' prices and bets on the effect that leaving and
 * returning venues have on the index. Prices have no trend and times are calm. The expectation is above `low` with 99 %
 * confidence, and below `high` with 99 %.
 *
 *   node core/exchange/option/test/venues-edge.ts 20000
 */
import type { Command } from '../../../protocol/command/index.ts'
import { encodeCommand } from '../../../protocol/codec/command.ts'
import { decodeEvents, eventCodes, eventLength } from '../../../protocol/codec/event.ts'
import { opcodeOf, Records } from '../../../protocol/codec/records.ts'
import type { OptionSettled } from '../../../protocol/event/option.ts'
import { compose, correctionMs, medianOf } from '../../../proof/composition.ts'
import type { CompositionTick, VenueQuote } from '../../../proof/composition.ts'
import { Exchange } from '../../exchange.ts'
import { given, units, unlimited } from './world.ts'

export const venueBets = ['return', 'leave', 'stale', 'model'] as const
export type VenueBet = (typeof venueBets)[number]

export type VenueEdge = {
  readonly orders: number
  readonly wins: number
  readonly mean: number
  /** The expectation is above `low` with 99 % confidence, and below `high` with 99 %. */
  readonly low: number
  readonly high: number
}

export type VenueEdgeOptions = {
  readonly bet: VenueBet
  readonly orders: number
  readonly seed: number
  readonly seconds?: number
  /** The index is the plain median of the venues that send prices, without corrections. */
  readonly isPlain?: boolean
  /** Number of ticks after which the exchange is restarted from its dump. */
  readonly restartEvery?: number
}

const tickMs = 250
const markets = 40
const firstMarket = 4
const stake = units(5)
const middle = 60_000 * 1e8
const basisPoint = middle / 10_000
/** Step of the fair price per tick: a fifth of an annual volatility of 100 %, as in a calm hour. */
const fairStep = 0.16 * basisPoint
/** Differences of a venue from the fair price: permanent, for minutes, for a moment. */
const standing = 3 * basisPoint
const passing = 1.2 * basisPoint
const passingMs = 120_000
const flicker = 0.15 * basisPoint
/** Frequency at which a venue goes silent, and the length of its silence. */
const silencesPerSecond = 1 / 120
const silentMs = (random: () => number): number => 1_000 + 14_000 * random()
const staleMs = 3_000
const normalOf99 = 2.326
/** The program bets on moves of at least this size; moves that it foresees better are rarer or smaller. */
const worthIt = { return: 0.6 * basisPoint, leave: 0.4 * basisPoint, stale: 0.15 * basisPoint, model: 0.3 * basisPoint }

type Venue = { readonly always: number; basis: number; quote: number; spokeAt: number; silentUntil: number }
type MarketPath = { fair: number; readonly venues: readonly Venue[] }

export function measureVenueEdge({
  bet,
  orders,
  seed,
  seconds = 30,
  isPlain = false,
  restartEvery = Infinity,
}: VenueEdgeOptions): VenueEdge {
  const random = seeded(seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const profitPpm = seconds < 60 ? 800_000 : 860_000
  const world = given({ rates: [{ seconds, profitPpm }], openMax: units(1_000_000), ...unlimited }, 100_000_000)
  const user = world.trader('bot', 900_000)
  for (let n = 0; n < markets; n++) {
    const { terms } = world.world.exchange.listing().markets[0]!
    const symbol = `M${String(n).padStart(2, '0')}USDT`
    world.do({ type: 'market.list', symbol, base: 2, quote: 1, tick: '1', lot: '0.001', terms }).isAccepted()
  }
  let { exchange } = world.world
  const commands = new Records()
  const events = new Records()
  const nets: number[] = []
  const busy = new Set<number>()
  let atMs = world.atMs
  const execute = (command: object): void => {
    commands.clear()
    events.clear()
    encodeCommand(command as Command, { seq: exchange.seq + 1, at: atMs, keyId: 0 }, commands)
    exchange.execute(commands.data, 0, events)
    for (let at = 0; at < events.length; at += eventLength(events.data, at, events.length)) {
      if (opcodeOf(events.data[at]!) !== eventCodes['option.settled']) continue
      const [settled] = decodeEvents(events.data, at, at + eventLength(events.data, at, events.length)) as [OptionSettled]
      busy.delete(settled.market)
      nets.push((settled.payout - stake) / stake)
    }
  }
  const paths = Array.from({ length: markets }, (): MarketPath => {
    const venue = (): Venue => ({ always: standing * normal(), basis: passing * normal(), quote: 0, spokeAt: 0, silentUntil: 0 })
    return { fair: middle, venues: [venue(), venue(), venue(), venue()] }
  })
  const watchers = paths.map(() => new Watcher(isPlain))
  // The corrections have converged before the first bet.
  const learned = isPlain ? 0 : (3 * correctionMs) / tickMs / 20
  for (let tick = 0; nets.length < orders; tick++) {
    const isLearning = tick < learned
    atMs += isLearning ? tickMs * 20 : tickMs
    for (const path of paths) walk(path, atMs, isLearning ? tickMs * 20 : tickMs, isLearning, random, normal)
    const prices = paths.map(({ venues }, n) => {
      const quotes = counting(venues, atMs)
      const price = quotes.length === 0 ? middle : medianOf(quotes.map((one) => one.price))
      return { market: firstMarket + n, price, sources: quotes.length, isGood: quotes.length >= 3, ...(isPlain ? {} : { quotes }) }
    })
    execute({ type: 'index.tick', prices })
    while (exchange.nextDueAtMs <= exchange.atMs) execute({ type: 'clock.tick' })
    if (tick % restartEvery === restartEvery - 1) exchange = Exchange.restore(exchange.dump())
    paths.forEach((path, n) => {
      const watcher = watchers[n]!
      watcher.see(path, atMs)
      if (isLearning || busy.has(firstMarket + n) || prices[n]!.sources < 3) return
      const move = watcher.foresee(bet, path, atMs, seconds)
      if (Math.abs(move) < worthIt[bet]) return
      busy.add(firstMarket + n)
      const direction = move > 0 ? 'up' : 'down'
      execute({ type: 'option.open', user, clientId: '', market: firstMarket + n, direction, stake, seconds, guardPpm: 0 })
    })
  }
  return report(nets)
}

/** Moves the fair price and the venues' quotes by one step. While corrections converge, no venue is silent. */
function walk(path: MarketPath, atMs: number, ms: number, isLearning: boolean, random: () => number, normal: () => number): void {
  path.fair += fairStep * Math.sqrt(ms / tickMs) * normal()
  const keep = Math.exp(-ms / passingMs)
  for (const venue of path.venues) {
    venue.basis = venue.basis * keep + passing * Math.sqrt(1 - keep * keep) * normal()
    if (!isLearning && atMs >= venue.silentUntil && random() < (silencesPerSecond * ms) / 1000) venue.silentUntil = atMs + silentMs(random)
    if (atMs < venue.silentUntil) continue
    venue.quote = Math.round(path.fair + venue.always + venue.basis + flicker * normal())
    venue.spokeAt = atMs
  }
}

/** The program's memory of a market, and its forecasts. */
class Watcher {
  #known: CompositionTick | undefined
  #price = 0
  /** By venue: its distance from the mean of the others when it last sent a price. */
  readonly #offsets = new Map<number, number>()

  constructor(isPlain: boolean) {
    this.#isPlain = isPlain
  }

  readonly #isPlain: boolean

  see({ venues }: MarketPath, atMs: number): void {
    const quotes = counting(venues, atMs)
    if (quotes.length < 3) return
    this.#known = compose(this.#known, atMs, quotes)
    this.#price = this.#isPlain ? medianOf(quotes.map((quote) => quote.price)) : this.#known.price
    venues.forEach(({ quote, spokeAt }, n) => {
      const others = venues.filter((other, k) => k !== n && other.spokeAt === atMs)
      if (spokeAt === atMs && others.length > 1) this.#offsets.set(n, quote - mean(others.map((other) => other.quote)))
    })
  }

  /** The expected move of the index, in its units. */
  foresee(bet: VenueBet, path: MarketPath, atMs: number, seconds: number): number {
    const { venues } = path
    const now = venues.filter(({ spokeAt }) => spokeAt === atMs)
    if (now.length < 2) return 0
    const expected = (venue: Venue, n: number): number =>
      venue.spokeAt === atMs ? venue.quote : mean(now.map(({ quote }) => quote)) + (this.#offsets.get(n) ?? 0)
    const plain = (list: readonly number[]): number => medianOf(list.map(Math.round))
    const counts = venues.filter(({ spokeAt }) => atMs - spokeAt <= staleMs)
    const age = Math.max(...venues.map(({ spokeAt }) => atMs - spokeAt))
    if (bet === 'return') return age > staleMs ? plain(venues.map(expected)) - plain(counts.map(({ quote }) => quote)) : 0
    // The strike must come before the stale quote is dropped, or before the venue sends again.
    if (bet === 'leave')
      return age >= 1_000 && age <= 1_250 ? plain(now.map(({ quote }) => quote)) - plain(venues.map(({ quote }) => quote)) : 0
    if (bet === 'stale') return age >= 500 && age <= 1_250 ? plain(venues.map(expected)) - plain(venues.map(({ quote }) => quote)) : 0
    return this.#model(path, atMs, seconds)
  }

  /** Forecast of a program that knows the fair price, each venue's difference and its duration, and the rule. */
  #model({ fair, venues }: MarketPath, atMs: number, seconds: number): number {
    const keep = Math.exp((-seconds * 1000) / passingMs)
    const then = venues.map(({ always, basis }, venue) => ({ venue, price: Math.round(fair + always + basis * keep) }))
    if (this.#isPlain) return medianOf(then.map(({ price }) => price)) - this.#price
    return compose(this.#known, atMs, then).price - this.#price
  }
}

function counting(venues: readonly Venue[], atMs: number): readonly VenueQuote[] {
  return venues.flatMap(({ quote, spokeAt }, venue) => (atMs - spokeAt <= staleMs ? [{ venue, price: quote }] : []))
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, one) => sum + one, 0) / list.length
}

function report(nets: readonly number[]): VenueEdge {
  const average = mean(nets)
  const variance = nets.reduce((sum, net) => sum + (net - average) ** 2, 0) / (nets.length - 1)
  const half = normalOf99 * Math.sqrt(variance / nets.length)
  return { orders: nets.length, wins: nets.filter((net) => net > 0).length, mean: average, low: average - half, high: average + half }
}

function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export function sentence({ orders, wins, mean: average, low, high }: VenueEdge): string {
  const percent = (share: number): string => `${(100 * share).toFixed(2)} %`
  return `${orders} orders, ${percent(wins / orders)} won; ${percent(average)} of the stakes on balance, with 99 % above ${percent(low)}, with 99 % below ${percent(high)}`
}

if (import.meta.main) {
  const orders = Number(process.argv[2] ?? 20_000)
  const only = process.argv[3]
  for (const bet of venueBets) {
    if (only !== undefined && only !== bet) continue
    for (const seconds of [30, 300]) {
      for (const isPlain of [true, false]) {
        const found = measureVenueEdge({ bet, orders, seed: 1, seconds, isPlain })
        process.stdout.write(`${bet.padEnd(7)} ${seconds} s  ${isPlain ? 'plain median' : 'corrected   '}  ${sentence(found)}\n`)
      }
    }
  }
}
