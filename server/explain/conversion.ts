import type { IndexPrice, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { QuoteConversion } from '@candor/core/protocol/command/convert.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { AssetId, QuoteNumber, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { ConversionExplanation } from '@candor/core/protocol/wire/explain/explanation.ts'
import { usdtPrice } from '@candor/core/risk/convert.ts'
import type { Look, LookFault, Seen } from '../journal/looks.ts'
import { careful } from './careful.ts'
import { Differs } from './differs.ts'
import { Words } from './words.ts'

/** Digits that show what was rounded. */
const moreDigits = 4
const million = 1_000_000n

/** A conversion in the journal. Its quote is the command with its number. */
export type ConversionPlace = {
  readonly user: UserId
  readonly quote: QuoteNumber
  /** The command whose index decided it. */
  readonly decidedSeq: Seq | undefined
  readonly recorded: { readonly give: string; readonly get: string }
}

type Quoted = Omit<ConversionExplanation, 'decision'>

/** Explains one conversion from a look at its quote and one at the index that decided it. */
export class ConversionLooks {
  readonly looks: readonly Look[]
  readonly #place: ConversionPlace
  readonly #quoteLook: Look
  readonly #decisionLook: Look | undefined
  #quoted: Quoted | undefined
  #decision: ConversionExplanation['decision']

  /** `onFault`: is told why an explanation failed. */
  constructor(place: ConversionPlace, onFault: (cause: unknown) => void) {
    this.#place = place
    const { quote, decidedSeq } = place
    this.#quoteLook = { seq: quote, before: (exchange, seen) => careful(() => this.#explain(exchange, seen), onFault) }
    if (decidedSeq !== undefined)
      this.#decisionLook = {
        seq: decidedSeq,
        after: (exchange, events, seen) => careful(() => this.#decide(exchange, events, seen), onFault),
      }
    this.looks = this.#decisionLook === undefined ? [this.#quoteLook] : [this.#quoteLook, this.#decisionLook]
  }

  /** The explanation, or why there is none. */
  result(missed: ReadonlyMap<Look, LookFault>): ConversionExplanation | LookFault {
    const fault = this.looks.map((look) => missed.get(look)).find((one) => one !== undefined)
    if (fault !== undefined) return fault
    if (this.#quoted === undefined || (this.#decisionLook !== undefined && this.#decision === undefined)) return 'failed'
    return { ...this.#quoted, ...(this.#decision === undefined ? {} : { decision: this.#decision }) }
  }

  #explain(exchange: Exchange, { seq, at, command }: Seen): void {
    const { user, recorded } = this.#place
    const terms = exchange.convert.terms()
    if (command.type !== 'convert.quote' || command.user !== user || terms === null)
      throw new Differs(`command ${seq} is no quote of the customer`)
    const worked = exchange.convert.workings(command)
    if (typeof worked === 'string') throw new Differs(`the quote ${seq} can't be worked out: ${worked}`)
    const words = new Words(exchange.listing())
    const { from, to, isGet } = command
    const sums = { give: words.sum(worked.give, from), get: words.sum(worked.get, to) }
    for (const name of ['give', 'get'] as const)
      if (Number(sums[name]) !== Number(recorded[name]))
        throw new Differs(`the conversion ${seq} is recorded with ${recorded[name]}, not ${sums[name]}`)
    this.#quoted = {
      ...{ id: String(seq), seq, at, from: words.asset(from).symbol, to: words.asset(to).symbol, ...sums },
      named: isGet ? 'get' : 'give',
      fromIndex: words.index(worked.fromPrice),
      toIndex: words.index(worked.toPrice),
      fromPrice: words.index(worked.taken),
      toPrice: words.index(worked.handed),
      spreadPpm: terms.spreadPpm,
      exact: exactOf(words, command, worked, terms.spreadPpm),
      driftPpm: terms.driftPpm,
    }
  }

  #decide(exchange: Exchange, events: readonly Event[], { seq, at }: Seen): void {
    const { quote } = this.#place
    const found = events.find((event) => (event.type === 'convert.filled' || event.type === 'convert.ended') && event.quote === quote)
    if (found === undefined) throw new Differs(`command ${seq} does not decide the conversion ${quote}`)
    const { from, to } = found as Extract<typeof found, { readonly from: AssetId }>
    const words = new Words(exchange.listing())
    const index = (asset: AssetId): string => words.index(goodIndex(exchange, words, asset))
    this.#decision = { seq, at, fromIndex: index(from), toIndex: index(to) }
  }
}

/** The index price of an asset in USDT after a command. */
function goodIndex(exchange: Exchange, words: Words, asset: AssetId): IndexPrice {
  const { symbol } = words.asset(asset)
  if (symbol === 'USDT') return usdtPrice
  const prices = exchange.goodPrices()
  const market = words.listing.markets.find(
    ({ base, quote, perp }) => base === asset && words.asset(quote).symbol === 'USDT' && perp === undefined,
  )
  const found = prices.find((one) => one.market === market?.id)
  if (found === undefined) throw new Differs(`${symbol} has no good index price where it decided a conversion`)
  return found.price
}

/** The sum that was not named, before it was rounded: the formula of `converted` and of `giveFor` with more digits. */
function exactOf(
  words: Words,
  { from, to, isGet, amount }: QuoteConversion,
  { taken, handed }: { readonly taken: IndexPrice; readonly handed: IndexPrice },
  spreadPpm: number,
): string {
  const [source, target] = [words.asset(from), words.asset(to)]
  const ten = (digits: number): bigint => 10n ** BigInt(digits)
  const sides = {
    from: BigInt(taken) * ten(target.scale) * (million - BigInt(spreadPpm)),
    to: BigInt(handed) * ten(source.scale) * million,
  }
  const [dividend, divisor] = isGet ? [sides.to, sides.from] : [sides.from, sides.to]
  return formatUnits((BigInt(amount as Units) * dividend * ten(moreDigits)) / divisor, (isGet ? source : target).scale + moreDigits)
}
