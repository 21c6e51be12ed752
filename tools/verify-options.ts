/**
 * Recomputes settled orders of Second from the public tape, without using any of the exchange's own code: every hash, strike,
 * median and sum.
 *
 *   node tools/verify-options.ts https://exchange.example               the chain of the whole tape
 *   CANDOR_COOKIE='candor=…' node tools/verify-options.ts https://…     and every settled order of that customer
 *   node tools/verify-options.ts tape.ndjson orders.json                a saved tape (`/app/v1/proof/tape.ndjson`) and orders
 *
 * Orders are in the form of `/app/v1/option/orders/history`: an array, or an object with `items`. Exits with 1 when anything
 * differs, or when the tape does not reach back to an order.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

export type Tick = {
  readonly tick: number
  readonly at: number
  readonly hash: string
  /**
   * 2: quotes have corrections, and the price is the median of the corrected quotes less the shift. 1 or undefined: older tapes
   * without corrections.
   */
  readonly format?: number
  readonly prices: readonly Price[]
}
type Price = {
  readonly market: number
  readonly price: string
  readonly sources: number
  readonly isGood: boolean
  readonly quotes: readonly Quote[]
  readonly shift?: number
}
/** `correction` in 1/1024 of the unit of prices. */
type Quote = { readonly venue: number; readonly price: string; readonly correction?: number }
export type Tape = {
  readonly markets: readonly { readonly id: number; readonly symbol: string }[]
  readonly before: string
  readonly ticks: readonly Tick[]
}
export type Order = {
  readonly id: string
  readonly symbol: string
  readonly direction: string
  readonly stake: string
  readonly profitPpm: number
  readonly profit: string
  readonly strikeFrom: number
  readonly expiresAt: number
  readonly windowMs: number
  readonly gapMaxMs: number
  readonly guardPpm: number
  readonly reference: string
  readonly strike?: string
  readonly strikeTick?: number
  readonly result?: string
  readonly voidReason?: string
  readonly settlePrice?: string
  readonly settleProfit?: string
}

/** Checks a tape: one sentence for each fault. */
export function checkTape({ before, ticks }: Tape): readonly string[] {
  const faults: string[] = []
  let hash = Buffer.from(before, 'hex')
  let last: Tick | undefined
  const corrections = new Corrections(/^0+$/.test(before))
  for (const tick of ticks) {
    if (last !== undefined && tick.tick !== last.tick + 1) faults.push(`tick ${tick.tick} follows ${last.tick}`)
    if (last !== undefined && tick.at < last.at) faults.push(`tick ${tick.tick} is earlier than the one before`)
    hash = createHash('sha256').update(hash).update(bytesOf(tick)).digest()
    if (hash.toString('hex') !== tick.hash) faults.push(`tick ${tick.tick} does not have its hash`)
    for (const price of tick.prices) {
      const fault = quotesFault(price) ?? corrections.fault(tick, price)
      if (fault !== undefined) faults.push(`tick ${tick.tick}, market ${price.market}: ${fault}`)
    }
    hash = Buffer.from(tick.hash, 'hex')
    last = tick
  }
  return faults
}

function bytesOf({ tick, at, format = 1, prices }: Tick): Buffer {
  const slots = [tick, at, format === 2 ? 65_536 + prices.length : prices.length]
  for (const { market, price, sources, isGood, quotes, shift = 0 } of prices) {
    slots.push(market, Number(price), sources, isGood ? 1 : 0, quotes.length)
    for (const quote of quotes) {
      slots.push(Number((BigInt(quote.price) - BigInt(price) + (1n << 46n)) * 32n) + quote.venue)
      if (format === 2) slots.push(quote.correction ?? Number.NaN)
    }
    if (format === 2) slots.push(shift)
  }
  const bytes = Buffer.alloc(slots.length * 8)
  slots.forEach((slot, n) => bytes.writeDoubleLE(slot, n * 8))
  return bytes
}

/** Checks that there are as many quotes as sources, and that the price is the median of the corrected quotes less the shift. */
function quotesFault({ price, sources, isGood, quotes, shift = 0 }: Price): string | undefined {
  if (isGood && sources < 3) return `good with ${sources} sources`
  if (quotes.length === 0) return undefined
  if (quotes.length !== sources) return `${quotes.length} quotes of ${sources} sources`
  const index = middleOf(quotes.map(lessCorrection)) - BigInt(Math.floor(shift / 1024))
  return index === BigInt(price) ? undefined : 'not the median of its quotes'
}

/** The quote less its correction in whole units, rounded down. */
function lessCorrection({ price, correction = 0 }: Quote): bigint {
  return BigInt(price) - BigInt(Math.floor(correction / 1024))
}

/** The median; for an even number of values, the mean of the middle two, rounded down. */
function middleOf(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const sum = sorted[(sorted.length - 1) >> 1]! + sorted[sorted.length >> 1]!
  return (sum - (((sum % 2n) + 2n) % 2n)) / 2n
}

type Standing = { readonly at: number; readonly quotes: readonly Quote[]; readonly shift: bigint }

/**
 * Checks corrections and shift using only the tape. Per millisecond since the last good tick (at most 10,000), a correction moves
 * by (quote − median − correction) ÷ 1,800,000, and the shift shrinks by the same fraction of itself; fractions are dropped. A
 * new venue starts at the median of the others. When venues leave or come, the shift changes by as much as the price would otherwise
 * jump: by their previous quotes when they leave, by their present ones when they come. It is at most 1/4,000 of the median.
 */
class Corrections {
  readonly #last = new Map<number, Standing | 'none'>()
  readonly #venues = new Map<string, bigint>()
  readonly #isWhole: boolean

  /** `isWhole`: nothing comes before the first tick. */
  constructor(isWhole: boolean) {
    this.#isWhole = isWhole
  }

  fault({ at, format = 1 }: Tick, { market, isGood, quotes, shift = 0 }: Price): string | undefined {
    if (format !== 2 || quotes.length === 0) {
      if (!isGood) return undefined
      this.#last.set(market, 'none')
      for (let venue = 0; venue < 32; venue++) this.#venues.delete(`${market} ${venue}`)
      return undefined
    }
    const last = this.#last.get(market) ?? (this.#isWhole ? 'none' : undefined)
    const right = last === undefined ? undefined : this.#follow(market, last === 'none' ? undefined : last, at, quotes)
    const isRight =
      right === undefined || (right.shift === shift && quotes.every(({ venue, correction }) => right.by.get(venue) === correction))
    if (isGood) {
      this.#last.set(market, { at, quotes, shift: BigInt(shift) })
      for (const { venue, correction = 0 } of right?.old ?? []) this.#venues.set(`${market} ${venue}`, BigInt(correction))
      for (const { venue, correction = 0 } of quotes) this.#venues.set(`${market} ${venue}`, BigInt(correction))
    }
    return isRight ? undefined : 'corrections that do not follow from the tick before'
  }

  #follow(market: number, last: Standing | undefined, at: number, quotes: readonly Quote[]) {
    const ms = BigInt(Math.min(at - (last?.at ?? at), 10_000))
    const before = last === undefined ? [] : last.quotes
    const center = before.length === 0 ? 0n : middleOf(before.map(({ price }) => BigInt(price)))
    const old = before.map((quote) => {
      const own = BigInt(quote.correction ?? 0)
      return { ...quote, correction: Number(own + (((BigInt(quote.price) - center) * 1024n - own) * ms) / 1_800_000n) }
    })
    const knownOf = ({ venue, correction }: Quote): bigint | undefined => {
      const there = old.find((one) => one.venue === venue)
      const own = there === undefined ? this.#venues.get(`${market} ${venue}`) : BigInt(there.correction)
      // The state before this piece of the tape is unknown, so the first correction of a venue is taken from the tape.
      return own ?? (this.#isWhole || last === undefined ? undefined : BigInt(correction ?? 0))
    }
    const middle = middleOf(quotes.map(({ price }) => BigInt(price)))
    const heard = quotes.flatMap((quote) => {
      const own = knownOf(quote)
      return own === undefined ? [] : [BigInt(quote.price) - (own >> 10n)]
    })
    const level = heard.length === 0 ? middle : middleOf(heard)
    const now = quotes.map((quote) => {
      const own = knownOf(quote) ?? (BigInt(quote.price) - level) << 10n
      return { ...quote, correction: Number(limited(own, (middle / 25n) << 10n)) }
    })
    const here = (list: readonly Quote[], other: readonly Quote[]): bigint =>
      middleOf(list.filter(({ venue }) => other.some((one) => one.venue === venue)).map(lessCorrection))
    const hasStayed = old.some(({ venue }) => now.some((one) => one.venue === venue))
    const taken = hasStayed ? here(old, now) - here(old, old) + here(now, now) - here(now, old) : 0n
    const shift = (last?.shift ?? 0n) - ((last?.shift ?? 0n) * ms) / 1_800_000n + (taken << 10n)
    return {
      old,
      by: new Map(now.map(({ venue, correction }) => [venue, correction])),
      shift: Number(limited(shift, (middle / 4_000n) << 10n)),
    }
  }
}

function limited(value: bigint, most: bigint): bigint {
  return value > most ? most : value < -most ? -most : value
}

type Point = { readonly tick: number; readonly at: number; readonly price: bigint; readonly isGood: boolean }
type Found = { readonly result: string; readonly reason: string; readonly strike?: bigint; readonly tick?: number; readonly price?: bigint }

/** Checks an order against the tape: one sentence for each fault. `points`: the index of its market. */
export function checkOrder(order: Order, points: readonly Point[]): readonly string[] {
  const first = points[0]
  if (first === undefined || first.at > order.strikeFrom) return [`order ${order.id}: the tape does not reach back to its strike`]
  const found = decide(order, points)
  if (found === undefined) return [`order ${order.id}: the tape ends before it`]
  const stake = integerOf(order.stake, 6)
  const profit = (stake * BigInt(order.profitPpm)) / 1_000_000n
  const net = found.result === 'win' ? profit : found.result === 'lose' ? -stake : 0n
  const claims: readonly (readonly [string, unknown, unknown])[] = [
    ['result', order.result, found.result],
    ['reason', order.voidReason ?? 'none', found.reason],
    ['strike', order.strike === undefined ? undefined : integerOf(order.strike, 8), found.strike],
    ['strike tick', order.strikeTick, found.tick],
    ['settlement price', order.settlePrice === undefined ? undefined : integerOf(order.settlePrice, 8), found.price],
    ['profit of a win', integerOf(order.profit, 6), profit],
    ['profit', integerOf(order.settleProfit ?? '0', 6), net],
  ]
  return claims.flatMap(([name, said, is]) => (said === is ? [] : [`order ${order.id}: ${name} is ${said}, the tape says ${is}`]))
}

/** Finds the price for each millisecond of the window, sorts these prices and takes the middle one (for an even number, the lower). */
function decide(order: Order, points: readonly Point[]): Found | undefined {
  const strike = points.find(({ at }) => at >= order.strikeFrom)
  if (strike === undefined) return undefined
  if (strike.at - order.strikeFrom > order.gapMaxMs) return { result: 'void', reason: 'gap' }
  if (!strike.isGood) return { result: 'void', reason: 'sources' }
  const struck = { strike: strike.price, tick: strike.tick }
  const reference = integerOf(order.reference, 8)
  const distance = strike.price > reference ? strike.price - reference : reference - strike.price
  const isOutside = order.guardPpm > 0 && distance * 1_000_000n > BigInt(order.guardPpm) * reference
  if (isOutside) return { ...struck, result: 'void', reason: 'guard' }

  const end = points.findIndex(({ at }) => at >= order.expiresAt)
  if (end < 0) return undefined
  const opens = order.expiresAt - order.windowMs
  const stood = new BigUint64Array(order.windowMs)
  let hasGap = false
  let isGood = true
  let n = points.findLastIndex(({ at }) => at <= opens)
  for (let ms = opens; ms < order.expiresAt; ms++) {
    while (points[n + 1]!.at <= ms) n++
    const point = points[n]!
    if (points[n + 1]!.at - point.at > order.gapMaxMs) hasGap = true
    if (!point.isGood) isGood = false
    stood[ms - opens] = point.price
  }
  if (hasGap) return { ...struck, result: 'void', reason: 'gap' }
  if (!isGood) return { ...struck, result: 'void', reason: 'sources' }
  stood.sort()
  const price = stood[Math.ceil(stood.length / 2) - 1]!
  const won = order.direction === 'up' ? price > strike.price : price < strike.price
  return { ...struck, price, reason: 'none', result: price === strike.price ? 'tie' : won ? 'win' : 'lose' }
}

/** The tape from the point of view of one market, from the first tick that names it. */
export function pointsOf(ticks: readonly Tick[], market: number): readonly Point[] {
  const points: Point[] = []
  let standing: { readonly price: bigint; readonly isGood: boolean } | undefined
  for (const { tick, at, prices } of ticks) {
    for (const one of prices) if (one.market === market) standing = { price: BigInt(one.price), isGood: one.isGood }
    if (standing !== undefined) points.push({ tick, at, ...standing })
  }
  return points
}

/** Checks these orders and this tape. */
export function verify(tape: Tape, orders: readonly Order[]): { readonly checked: number; readonly faults: readonly string[] } {
  const faults = [...checkTape(tape)]
  const points = new Map<string, readonly Point[]>()
  let checked = 0
  for (const order of orders) {
    if (order.result === undefined) continue
    const market = tape.markets.find(({ symbol }) => symbol === order.symbol)
    let seen = points.get(order.symbol)
    if (seen === undefined) {
      seen = market === undefined ? [] : pointsOf(tape.ticks, market.id)
      points.set(order.symbol, seen)
    }
    checked++
    faults.push(...checkOrder(order, cut(seen, order)))
  }
  return { checked, faults }
}

/** Keeps only the points around the order: from the tick before its strike to the first one at or after its expiry. */
function cut(points: readonly Point[], order: Order): readonly Point[] {
  const from = Math.max(0, lowerBound(points, order.strikeFrom + 1) - 1)
  return points.slice(from, lowerBound(points, order.expiresAt) + 1)
}

function lowerBound(points: readonly Point[], at: number): number {
  let [low, high] = [0, points.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (points[middle]!.at < at) low = middle + 1
    else high = middle
  }
  return low
}

/** Decimal text as a whole number of its smallest unit. */
function integerOf(text: string, digits: number): bigint {
  const [whole, fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(`${whole}${fraction.padEnd(digits, '0')}`)
  return text.startsWith('-') ? -value : value
}

/** A saved tape: its head on the first line, then one tick per line. */
export function parseTape(text: string): Tape {
  const [head, ...lines] = text.trimEnd().split('\n')
  return { ...(JSON.parse(head!) as Omit<Tape, 'ticks'>), ticks: lines.map((line) => JSON.parse(line) as Tick) }
}

/** Ticks to read at once. The exchange limits how many one address may read; the tool then waits. */
const pageMax = 1_000

async function fetchText(url: string): Promise<string> {
  const cookie = process.env['CANDOR_COOKIE']
  const response = await fetch(url, cookie === undefined ? {} : { headers: { cookie } })
  const wait = Number(response.headers.get('retry-after'))
  if (response.status === 429 && wait > 0) {
    await sleep(wait * 1_000)
    return fetchText(url)
  }
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.text()
}

async function fetchTape(base: string): Promise<Tape> {
  const first = parseTape(await fetchText(`${base}/app/v1/proof/tape.ndjson?limit=${pageMax}&from=1`))
  const ticks = [...first.ticks]
  for (;;) {
    const next = (ticks.at(-1)?.tick ?? 0) + 1
    const more = parseTape(await fetchText(`${base}/app/v1/proof/tape.ndjson?limit=${pageMax}&from=${next}`)).ticks
    if (more.length === 0) return { ...first, ticks }
    ticks.push(...more)
    if (more.length < pageMax) return { ...first, ticks }
  }
}

async function fetchOrders(base: string): Promise<readonly Order[]> {
  if (process.env['CANDOR_COOKIE'] === undefined) return []
  const orders: Order[] = []
  for (let before = ''; ; ) {
    const page = JSON.parse(await fetchText(`${base}/app/v1/option/orders/history?limit=200${before}`)) as { items: Order[]; next?: string }
    orders.push(...page.items)
    if (page.next === undefined) return orders
    before = `&before=${page.next}`
  }
}

async function main([source, file]: readonly string[]): Promise<number> {
  if (source === undefined) throw new Error('node tools/verify-options.ts <base url> | <tape.ndjson> <orders.json>')
  const isUrl = /^https?:/.test(source)
  const base = source.replace(/\/$/, '')
  // Orders are read first, so that the tape read afterwards reaches beyond the last one.
  const saved = file === undefined ? undefined : (JSON.parse(readFileSync(file, 'utf8')) as Order[] | { items: Order[] })
  const orders = saved === undefined ? await fetchOrders(base) : Array.isArray(saved) ? saved : saved.items
  const tape = isUrl ? await fetchTape(base) : parseTape(readFileSync(source, 'utf8'))
  const { checked, faults } = verify(tape, orders)
  for (const fault of faults.slice(0, 50)) process.stdout.write(`${fault}\n`)
  process.stdout.write(`${tape.ticks.length} ticks, ${checked} settled orders, ${faults.length} differences\n`)
  return faults.length === 0 ? 0 : 1
}

if (import.meta.main) {
  main(process.argv.slice(2)).then(
    (code) => process.exit(code),
    (cause: unknown) => {
      process.stderr.write(`${cause instanceof Error ? cause.message : String(cause)}\n`)
      process.exit(1)
    },
  )
}
