/**
 * Checks a settled order on this device: reads the pieces of the public tape that decided it, checks their hash chain, and computes
 * opening price, window, median and result with the core's own functions.
 */
import type { Decimal, Ppm, Units } from '@candor/core/money/brand.ts'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { outcomeOf, pointsOf, type SecondOutcome, type SecondTerms, type TapePoint } from '@candor/core/proof/second.ts'
import { compositionFault } from '@candor/core/proof/composition.ts'
import { tapeFault } from '@candor/core/proof/tape.ts'
import type { WireOption, WireTape, WireTapeTick } from '@candor/core/protocol/wire/option.ts'
import { optionProfit } from '@candor/core/risk/option.ts'

/** Index prices are integers at 1e-8 of the quote. */
const indexScale = 8
/** Decimal places of USDT. */
const stakeScale = 6
/** Up to this length an order's tape is read in one piece; for longer orders, only the two decisive ends. */
const wholeUpToMs = 80_000
/** Ticks to read at once. */
const pageMax = 400
/** Extra time to read before each piece, tried in turn until the price at its beginning is known. */
const margins = [4_000, 20_000, 120_000] as const

export type Tape = (query: {
  readonly at?: number
  readonly from?: number
  readonly until?: number
  readonly limit?: number
}) => Promise<WireTape>

export type Piece = {
  readonly from: number
  readonly to: number
  readonly ticks: number
  /** The first tick whose hash does not follow from the last; undefined if the chain is intact. */
  readonly fault: number | undefined
  /** The first tick whose price or corrections do not follow from its quotes and the last tick; undefined if all do. */
  readonly unexplained: number | undefined
}

export type Claim = { readonly name: 'strike' | 'settle' | 'result' | 'profit'; readonly said: string; readonly found: string }

export type Verdict = {
  readonly pieces: readonly Piece[]
  /** Undefined if the tape does not reach far enough. */
  readonly outcome: SecondOutcome | undefined
  readonly strike: { readonly tick: number; readonly at: number; readonly price: Decimal } | undefined
  /** Prices of the window in ascending order, with the milliseconds for which each held. */
  readonly window: readonly { readonly price: Decimal; readonly ms: number; readonly isMedian: boolean }[]
  readonly claims: readonly Claim[]
  readonly isEqual: boolean
}

/** Reads the tape and checks the order. Throws errors of reading. */
export async function check(order: WireOption, tape: Tape): Promise<Verdict> {
  let pieces: readonly Read[] = []
  for (const marginMs of margins) {
    const spans = spansOf(order, marginMs)
    pieces = await Promise.all(spans.map((span) => read(span, tape)))
    if (pieces.every((piece, n) => reaches(piece, spans[n]!, order))) break
  }
  return judge(order, pieces)
}

type Span = { readonly at: number; readonly until: number; readonly counts: number }
type Read = { readonly tape: WireTape; readonly ticks: readonly WireTapeTick[] }

/** Spans of the tape, in milliseconds, with every relevant tick. `counts`: from this time on a price must be known. */
export function spansOf(order: WireOption, marginMs: number): readonly Span[] {
  const window = order.expiresAt - order.windowMs
  const first = { at: order.strikeFrom - marginMs, until: order.strikeFrom + order.gapMaxMs + marginMs, counts: order.strikeFrom }
  const last = { at: window - marginMs, until: order.expiresAt + order.gapMaxMs + marginMs, counts: window }
  return last.until - first.at <= wholeUpToMs ? [{ ...first, until: last.until }] : [first, last]
}

/** Whether a piece has the price at the time from which it counts. A tape without a tick there has a gap. */
function reaches({ tape, ticks }: Read, span: Span, order: WireOption): boolean {
  const first = pointsOf(ticks.map(numbers), idOf(tape, order))[0]
  return first !== undefined && first.at <= span.counts
}

export function judge(order: WireOption, read: readonly Read[]): Verdict {
  const pieces = read.map(({ tape, ticks }) => ({
    from: ticks[0]?.tick ?? 0,
    to: ticks.at(-1)?.tick ?? 0,
    ticks: ticks.length,
    fault: tapeFault(tape.before, ticks.map(numbers)),
    unexplained: compositionFault(ticks.map(numbers)),
  }))
  const points = read.flatMap(({ tape, ticks }) => pointsOf(ticks.map(numbers), idOf(tape, order)))
  const terms = termsOf(order)
  const outcome = safely(() => outcomeOf(points, terms))
  const claims = outcome === undefined ? [] : claimsOf(order, outcome)
  return {
    pieces,
    outcome,
    strike: outcome?.strike === undefined ? undefined : { ...outcome.strike, price: priceOf(outcome.strike.price) },
    window: outcome === undefined || outcome.price === 0 ? [] : windowOf(points, terms, outcome.price),
    claims,
    isEqual:
      claims.length > 0 &&
      claims.every(({ said, found }) => said === found) &&
      pieces.every(({ fault, unexplained, ticks }) => ticks > 0 && fault === undefined && unexplained === undefined),
  }
}

function claimsOf(order: WireOption, outcome: SecondOutcome): readonly Claim[] {
  const ppmProfit = optionProfit((parseUnits(order.stake, stakeScale) ?? 0) as Units, order.profitPpm as Ppm)
  const net = outcome.result === 'win' ? ppmProfit : outcome.result === 'lose' ? -(parseUnits(order.stake, stakeScale) ?? 0) : 0
  const claims: Claim[] = []
  if (outcome.strike !== undefined || order.strike !== undefined)
    claims.push({ name: 'strike', said: plain(order.strike), found: outcome.strike === undefined ? '' : priceOf(outcome.strike.price) })
  if (outcome.price !== 0 || (order.settlePrice !== undefined && Number(order.settlePrice) !== 0))
    claims.push({ name: 'settle', said: plain(order.settlePrice), found: outcome.price === 0 ? '' : priceOf(outcome.price) })
  claims.push({ name: 'result', said: wordOf(order.result, order.voidReason), found: wordOf(outcome.result, outcome.reason) })
  claims.push({
    name: 'profit',
    said: formatUnits(parseUnits(order.settleProfit ?? '0', stakeScale) ?? 0, stakeScale),
    found: formatUnits(net, stakeScale),
  })
  return claims
}

/** The prices of the window with their times, which show the median. */
function windowOf(points: readonly TapePoint[], terms: SecondTerms, median: number): Verdict['window'] {
  const from = terms.expiresAt - terms.windowMs
  const times = new Map<number, number>()
  points.forEach((point, n) => {
    const end = Math.min(points[n + 1]?.at ?? point.at, terms.expiresAt)
    const ms = end - Math.max(point.at, from)
    if (ms > 0) times.set(point.price, (times.get(point.price) ?? 0) + ms)
  })
  return [...times].sort(([a], [b]) => a - b).map(([price, ms]) => ({ price: priceOf(price), ms, isMedian: price === median }))
}

async function read(span: Span, tape: Tape): Promise<Read> {
  const first = await tape({ at: span.at, until: span.until, limit: pageMax })
  const ticks = [...first.ticks]
  // A page may end before the span. The rest is requested by tick number.
  for (let last = ticks.at(-1); last !== undefined && last.at < span.until && last.tick < first.head.tick; last = ticks.at(-1)) {
    const { ticks: more } = await tape({ from: last.tick + 1, until: span.until, limit: pageMax })
    if (more.length === 0) break
    ticks.push(...more)
  }
  return { tape: first, ticks }
}

function idOf(tape: WireTape, order: WireOption): number {
  return tape.markets.find(({ symbol }) => symbol === order.symbol)?.id ?? 0
}

function numbers(tick: WireTapeTick) {
  return {
    ...tick,
    prices: tick.prices.map((one) => ({
      ...one,
      price: Number(one.price),
      quotes: one.quotes.map((quote) => ({ ...quote, price: Number(quote.price) })),
    })),
  }
}

function termsOf(order: WireOption): SecondTerms {
  return {
    direction: order.direction,
    strikeFrom: order.strikeFrom,
    expiresAt: order.expiresAt,
    windowMs: order.windowMs,
    gapMaxMs: order.gapMaxMs,
    guardPpm: order.guardPpm,
    reference: parseUnits(order.reference, indexScale) ?? 0,
  }
}

function priceOf(price: number): Decimal {
  return formatUnits(price, indexScale)
}

/** The number in its shortest text, so that "67412.50" equals "67412.5". */
function plain(price: Decimal | undefined): string {
  const units = price === undefined ? undefined : parseUnits(price, indexScale)
  return units === undefined || units === 0 ? '' : formatUnits(units, indexScale)
}

function wordOf(result: string | undefined, reason: string | undefined): string {
  return result === 'void' ? `void ${reason ?? ''}`.trim() : (result ?? '')
}

function safely<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
