/**
 * Recomputes settled orders of Second from the public tape, without a line of the exchange's own code: every hash, every
 * strike, every median, every sum.
 *
 *   node tools/verify-options.ts https://exchange.example               the chain of the whole tape
 *   CANDOR_COOKIE='candor=…' node tools/verify-options.ts https://…     and every settled order of that customer
 *   node tools/verify-options.ts tape.ndjson orders.json                a saved tape (`/app/v1/proof/tape.ndjson`) and orders
 *
 * Orders are what `/app/v1/option/orders/history` gives: an array, or an object with `items`. It ends with 1 when
 * anything differs, or when the tape does not reach back to an order.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export type Tick = {
  readonly tick: number
  readonly at: number
  readonly hash: string
  readonly prices: readonly {
    readonly market: number
    readonly price: string
    readonly sources: number
    readonly isGood: boolean
    readonly quotes: readonly { readonly venue: number; readonly price: string }[]
  }[]
}
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

/** One sentence for each thing on the tape that is not what it must be. */
export function checkTape({ before, ticks }: Tape): readonly string[] {
  const faults: string[] = []
  let hash = Buffer.from(before, 'hex')
  let last: Tick | undefined
  for (const tick of ticks) {
    if (last !== undefined && tick.tick !== last.tick + 1) faults.push(`tick ${tick.tick} follows ${last.tick}`)
    if (last !== undefined && tick.at < last.at) faults.push(`tick ${tick.tick} is earlier than the one before`)
    hash = createHash('sha256').update(hash).update(bytesOf(tick)).digest()
    if (hash.toString('hex') !== tick.hash) faults.push(`tick ${tick.tick} does not have its hash`)
    for (const price of tick.prices) {
      const fault = quotesFault(price)
      if (fault !== undefined) faults.push(`tick ${tick.tick}, market ${price.market}: ${fault}`)
    }
    hash = Buffer.from(tick.hash, 'hex')
    last = tick
  }
  return faults
}

function bytesOf({ tick, at, prices }: Tick): Buffer {
  const slots = [tick, at, prices.length]
  for (const { market, price, sources, isGood, quotes } of prices) {
    slots.push(market, Number(price), sources, isGood ? 1 : 0, quotes.length)
    for (const quote of quotes) slots.push(Number((BigInt(quote.price) - BigInt(price) + (1n << 46n)) * 32n) + quote.venue)
  }
  const bytes = Buffer.alloc(slots.length * 8)
  slots.forEach((slot, n) => bytes.writeDoubleLE(slot, n * 8))
  return bytes
}

/** The price is the median of its quotes, of an even number the mean of the middle two without its fraction. */
function quotesFault({ price, sources, isGood, quotes }: Tick['prices'][number]): string | undefined {
  if (isGood && sources < 3) return `good with ${sources} sources`
  if (quotes.length === 0) return undefined
  if (quotes.length !== sources) return `${quotes.length} quotes of ${sources} sources`
  const sorted = quotes.map((quote) => BigInt(quote.price)).sort((a, b) => Number(a - b))
  const middle = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!]
  return (middle[0]! + middle[1]!) / 2n === BigInt(price) ? undefined : 'not the median of its quotes'
}

type Point = { readonly tick: number; readonly at: number; readonly price: bigint; readonly isGood: boolean }
type Found = { readonly result: string; readonly reason: string; readonly strike?: bigint; readonly tick?: number; readonly price?: bigint }

/** One sentence for each thing about the order that does not follow from the tape. `points`: what its market's index was. */
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

/** Millisecond by millisecond: what stood in each of the window's, sorted; the one in the middle, of an even number the lower. */
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

/** The tape as one market sees it, from the first tick that names it. */
export function pointsOf(ticks: readonly Tick[], market: number): readonly Point[] {
  const points: Point[] = []
  let standing: { readonly price: bigint; readonly isGood: boolean } | undefined
  for (const { tick, at, prices } of ticks) {
    for (const one of prices) if (one.market === market) standing = { price: BigInt(one.price), isGood: one.isGood }
    if (standing !== undefined) points.push({ tick, at, ...standing })
  }
  return points
}

/** Everything about these orders and this tape. */
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

/** Only what lies around the order: from the tick before its strike to the first one from its expiry on. */
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

/** A saved tape: its head on the first line, then a tick a line. */
export function parseTape(text: string): Tape {
  const [head, ...lines] = text.trimEnd().split('\n')
  return { ...(JSON.parse(head!) as Omit<Tape, 'ticks'>), ticks: lines.map((line) => JSON.parse(line) as Tick) }
}

async function fetchText(url: string): Promise<string> {
  const cookie = process.env['CANDOR_COOKIE']
  const response = await fetch(url, cookie === undefined ? {} : { headers: { cookie } })
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`)
  return response.text()
}

async function fetchTape(base: string): Promise<Tape> {
  const first = parseTape(await fetchText(`${base}/app/v1/proof/tape.ndjson?from=1`))
  const ticks = [...first.ticks]
  for (;;) {
    const next = (ticks.at(-1)?.tick ?? 0) + 1
    const more = parseTape(await fetchText(`${base}/app/v1/proof/tape.ndjson?from=${next}`)).ticks
    if (more.length === 0) return { ...first, ticks }
    ticks.push(...more)
    if (more.length < 1_000) return { ...first, ticks }
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
  // Orders first: the tape that is read after them reaches beyond the last one.
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
