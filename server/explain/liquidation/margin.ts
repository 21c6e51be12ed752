import type { Decimal, Ppm, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { Side } from '@candor/core/protocol/command/order.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { MarginLiquidated } from '@candor/core/protocol/event/margin.ts'
import type { AssetId, MarketId, OrderId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type {
  MarginLiquidationExplanation,
  MarginLiquidationStage,
  MarginOrderStep,
  MarginStepExplanation,
  MarginSum,
  MarginWorth,
} from '@candor/core/protocol/wire/explain/liquidation.ts'
import { thresholds } from '@candor/core/risk/margin.ts'
import type { Look, LookFault, Seen } from '../../journal/looks.ts'
import { careful } from '../careful.ts'
import { Differs } from '../differs.ts'
import { Words } from '../words.ts'
import { MarginAccount, told, type Worth } from './margin-account.ts'
import { Parts } from './parts.ts'

const levelDigits = 6

/** What the tables have of one step. */
export type RecordedMarginStep = {
  readonly seq: Seq
  readonly level: Decimal
  readonly assets: Decimal
  readonly debt: Decimal
  readonly fee: Decimal
  readonly insured: Decimal
}

/** A liquidation in the journal, from the command in which the level fell to the limit. */
export type MarginLiquidationPlace = {
  readonly user: UserId
  /** Undefined: the cross account. */
  readonly symbol: string | undefined
  readonly market: MarketId
  readonly commands: readonly Seq[]
  readonly omitted: number
  readonly recorded: readonly RecordedMarginStep[]
}

/** Explains one liquidation of a margin account from a look at each of its commands. */
export class MarginLiquidationLooks {
  readonly looks: readonly Look[]
  readonly #place: MarginLiquidationPlace
  readonly #stages: MarginLiquidationStage[] = []
  #account: MarginAccount | undefined
  #words: Words | undefined
  #end: MarginWorth | undefined

  /** `onFault`: is told why an explanation failed. */
  constructor(place: MarginLiquidationPlace, onFault: (cause: unknown) => void) {
    this.#place = place
    this.looks = place.commands.map((seq) => ({
      seq,
      before: (exchange) => {
        // Where it fails, nothing may be told from the command before.
        this.#account = undefined
        careful(() => {
          this.#words = new Words(exchange.listing())
          this.#account = new MarginAccount(exchange, this.#words, place.user, place.market)
        }, onFault)
      },
      after: (exchange, events, seen) =>
        careful(() => {
          this.#account!.price(exchange)
          const isLiquidated = (debt: Units): Ppm => thresholds(exchange.marginTerms()!, place.market !== 0, debt).liquidation
          this.#explain(events, seen, isLiquidated)
        }, onFault),
    }))
  }

  /** The explanation, or why there is none. */
  result(missed: ReadonlyMap<Look, LookFault>): MarginLiquidationExplanation | LookFault {
    const fault = this.looks.map((look) => missed.get(look)).find((one) => one !== undefined)
    if (fault !== undefined) return fault
    const { symbol, commands, omitted } = this.#place
    if (this.#end === undefined || this.#stages.length < commands.length) return 'failed'
    const isUsed = ({ trigger, steps, cancelled, repaid }: MarginLiquidationStage): boolean =>
      trigger !== undefined || steps.length + cancelled.length + repaid.length > 0
    return { ...(symbol === undefined ? {} : { symbol }), stages: this.#stages.filter(isUsed), omitted, end: this.#end }
  }

  #explain(events: readonly Event[], { seq, at }: Seen, limitOf: (debt: Units) => Ppm): void {
    const walk = new MarginWalk(this.#account!, this.#words!, this.#place, events, limitOf)
    requireRecorded(
      walk.steps,
      seq,
      this.#place.recorded.filter((one) => one.seq === seq),
    )
    const { trigger, cancelled, repaid, steps } = walk
    this.#stages.push({ seq, at, ...(trigger === undefined ? {} : { trigger }), cancelled, repaid, steps })
    this.#end = this.#account!.state()
  }
}

type Placed = { readonly market: MarketId; readonly side: Side; readonly trades: Traded[] }

/** Follows the events of one command, and tells what it did to one account in liquidation. */
class MarginWalk {
  trigger: MarginLiquidationStage['trigger']
  readonly cancelled: string[] = []
  readonly repaid: MarginSum[] = []
  readonly steps: MarginStepExplanation[] = []
  readonly #account: MarginAccount
  readonly #words: Words
  readonly #user: UserId
  readonly #market: MarketId
  readonly #limitOf: (debt: Units) => Ppm
  /** Since the last step: debts repaid, orders, and the worth before each order and before the fund's first payment. */
  #loans: { readonly sum: MarginSum; readonly order: OrderId | 0; readonly byFund: boolean }[] = []
  #orders = new Map<OrderId, Placed & { readonly before: Worth }>()
  #beforeFund: Worth | undefined

  constructor(
    account: MarginAccount,
    words: Words,
    { user, market }: MarginLiquidationPlace,
    events: readonly Event[],
    limitOf: (debt: Units) => Ppm,
  ) {
    this.#account = account
    this.#words = words
    this.#user = user
    this.#market = market
    this.#limitOf = limitOf
    for (const event of events) this.#follow(event)
    this.#keepRepaid(undefined)
  }

  #follow(event: Event): void {
    if (this.#isFunds(event)) this.#beforeFund ??= this.#account.worth()
    if (event.type === 'order.accepted' && event.user === this.#user && this.#isMarket(event))
      this.#orders.set(event.order, { market: event.market, side: event.side, trades: [], before: this.#account.worth() })
    this.#account.apply(event)
    if (event.type === 'traded') this.#orders.get(event.takerOrder)?.trades.push(event)
    if (event.type === 'order.closed' && event.user === this.#user && event.reason === 'liquidation' && !this.#orders.has(event.order))
      if (this.#account.hadOrder(event.order)) this.cancelled.push(String(event.order))
    if (event.type === 'margin.loan' && event.user === this.#user && event.market === this.#market) this.#note(event)
    if (event.type === 'margin.level' && event.user === this.#user && event.market === this.#market && event.state === 'liquidating') {
      const { level, debt } = this.#account.worth()
      // An order that entered the book by this very command also counts, and no event says with how much.
      if (level === event.levelPpm)
        this.trigger = { liquidationLevel: formatUnits(this.#limitOf(debt), levelDigits), worth: this.#account.state() }
    }
    if (event.type === 'margin.liquidated' && event.user === this.#user && event.market === this.#market) this.#tell(event)
  }

  #isMarket({ margin, market }: Extract<Event, { readonly type: 'order.accepted' }>): boolean {
    return this.#market === 0 ? margin?.account === 'margin-cross' : margin?.account === 'margin-isolated' && market === this.#market
  }

  /** The fund settles the account: it takes what is left, gives money to buy with, or repays. */
  #isFunds(event: Event): boolean {
    if (event.type === 'entry') return event.reason === 'insurance' && this.#account.isEntry(event)
    return event.type === 'margin.loan' && event.user === this.#user && event.market === this.#market && event.cause === 'insurance'
  }

  #note({ cause, asset, delta }: Extract<Event, { readonly type: 'margin.loan' }>): void {
    if (cause !== 'liquidation' && cause !== 'insurance') return
    const order = [...this.#orders.keys()].at(-1) ?? 0
    const sum = { asset: this.#words.asset(asset).symbol, amount: this.#words.sum(-delta as Units, asset) }
    this.#loans.push({ sum, order, byFund: cause === 'insurance' })
  }

  #tell(event: MarginLiquidated): void {
    const { order, insured } = event
    const by = order > 0 ? 'order' : insured > 0 ? 'fund' : 'takeOver'
    const before = by === 'order' ? this.#orders.get(order)?.before : by === 'fund' ? this.#beforeFund : this.#account.worth()
    if (before === undefined) throw new Differs(`a step of user ${this.#user} has no beginning`)
    if (before.assets !== event.assets || before.debt !== event.debt || before.level !== event.levelPpm)
      throw new Differs(
        `the account of user ${this.#user} has ${before.assets} for ${before.debt}, not ${event.assets} for ${event.debt} before a step by ${by}`,
      )
    const isOfStep = by === 'order' ? (one: OrderId | 0) => one === order : () => by === 'fund'
    this.steps.push({
      by,
      orders: [...this.#orders].flatMap(([number, one]) => (isOfStep(number) ? this.#toldOrder(number, one) : [])),
      before: told(this.#words, before),
      liquidationLevel: formatUnits(event.liquidationPpm, levelDigits),
      repaid: this.#keepRepaid(by === 'order' ? (one) => one.order === order : by === 'fund' ? (one) => one.byFund : () => false),
      fee: this.#words.usdt(event.fee),
      insured: this.#words.usdt(insured),
      after: told(this.#words, this.#account.worth()),
    })
    this.#orders = new Map()
    this.#beforeFund = undefined
  }

  /** Divides the debts repaid since the last step: those of the step are returned, the others come from what the account had. */
  #keepRepaid(isOfStep: ((loan: { readonly order: OrderId | 0; readonly byFund: boolean }) => boolean) | undefined): readonly MarginSum[] {
    const mine = this.#loans.filter((one) => isOfStep?.(one) === true)
    this.repaid.push(...this.#loans.filter((one) => !mine.includes(one)).map(({ sum }) => sum))
    this.#loans = []
    return mine.map(({ sum }) => sum)
  }

  #toldOrder(order: OrderId, { market: id, side, trades }: Placed): MarginOrderStep {
    const market = this.#words.market(id)
    const parts = new Parts()
    for (const trade of trades) parts.add('fills', trade)
    const feeAsset: AssetId = side === 'buy' ? market.base : market.quote
    const fee = trades.reduce((sum, { takerFee }) => sum + takerFee, 0) as Units
    return {
      ...{ symbol: market.symbol, orderId: String(order), side, fills: parts.told(market).fills },
      ...{ fee: this.#words.sum(fee, feeAsset), feeAsset: this.#words.asset(feeAsset).symbol },
    }
  }
}

/** throws  Differs when the tables have other steps of this command, or other sums */
function requireRecorded(steps: readonly MarginStepExplanation[], seq: number, recorded: readonly RecordedMarginStep[]): void {
  if (steps.length !== recorded.length) throw new Differs(`command ${seq} has ${steps.length} steps, and ${recorded.length} are recorded`)
  for (const [n, { before, fee, insured }] of steps.entries()) {
    const now = { level: before.level ?? recorded[n]!.level, assets: before.assets, debt: before.debt, fee, insured }
    for (const name of ['level', 'assets', 'debt', 'fee', 'insured'] as const)
      if (Number(now[name]) !== Number(recorded[n]![name]))
        throw new Differs(`the ${name} of a step of command ${seq} is recorded as ${recorded[n]![name]}, not ${now[name]}`)
  }
}
