import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { Decimal, IndexPrice, Lots, Ticks, Units } from '@candor/core/money/brand.ts'
import type { MarginMode } from '@candor/core/protocol/command/perp.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { LiquidationStep } from '@candor/core/protocol/event/perp.ts'
import type { MarketId, OrderId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Market } from '@candor/core/protocol/market.ts'
import type {
  LiquidationExplanation,
  LiquidationStage,
  LiquidationState,
  LiquidationStepExplanation,
  LiquidationTrigger,
} from '@candor/core/protocol/wire/explain/liquidation.ts'
import type { Look, LookFault, Seen } from '../../journal/looks.ts'
import { venueNames } from '../../feeds/venue/names.ts'
import { careful } from '../careful.ts'
import { Differs } from '../differs.ts'
import { priceOf, quantityOf, Words } from '../words.ts'
import { FuturesAccount, type Standing } from './futures-account.ts'
import { Parts } from './parts.ts'

/** What the tables have of one step. */
export type RecordedStep = {
  readonly seq: Seq
  readonly position: OrderId
  readonly equity: Decimal
  readonly maintenance: Decimal
  readonly closed: Decimal
  readonly fee: Decimal
  readonly insured: Decimal
}

/** A liquidation in the journal: the commands that took a step of it or cancelled orders for it, in order. */
export type LiquidationPlace = {
  readonly user: UserId
  readonly position: OrderId
  readonly symbol: string
  readonly mode: MarginMode
  readonly commands: readonly Seq[]
  readonly omitted: number
  readonly recorded: readonly RecordedStep[]
}

/** A command before it was executed. */
type Before = {
  readonly account: FuturesAccount
  readonly words: Words
  readonly marks: ReadonlyMap<MarketId, Ticks | 0>
  readonly due: ReadonlyMap<OrderId, Ticks | 0>
}

/** Explains one liquidation of Futures from a look at each of its commands. */
export class LiquidationLooks {
  readonly looks: readonly Look[]
  readonly #place: LiquidationPlace
  /** Undefined: the whole cross account counts. */
  readonly #isolated: OrderId | undefined
  readonly #stages: LiquidationStage[] = []
  #before: Before | undefined
  #end: LiquidationState | undefined

  /** `onFault`: is told why an explanation failed. */
  constructor(place: LiquidationPlace, onFault: (cause: unknown) => void) {
    this.#place = place
    this.#isolated = place.mode === 'isolated' ? place.position : undefined
    this.looks = place.commands.map((seq) => ({
      seq,
      before: (exchange) => {
        // Where it fails, nothing may be told from the command before.
        this.#before = undefined
        careful(() => void (this.#before = beforeOf(exchange, place.user)), onFault)
      },
      after: (_exchange, events, seen) => careful(() => this.#explain(events, seen), onFault),
    }))
  }

  /** The explanation, or why there is none. */
  result(missed: ReadonlyMap<Look, LookFault>): LiquidationExplanation | LookFault {
    const fault = this.looks.map((look) => missed.get(look)).find((one) => one !== undefined)
    if (fault !== undefined) return fault
    const { position, symbol, mode, commands, omitted } = this.#place
    if (this.#end === undefined || this.#stages.length < commands.length) return 'failed'
    const stages = this.#stages.filter(({ steps, cancelled }) => steps.length + cancelled.length > 0)
    return { symbol, positionId: String(position), mode, stages, omitted, end: this.#end }
  }

  #explain(events: readonly Event[], { seq, at, command }: Seen): void {
    const { account, words } = this.#before!
    const steps = new StepWalk(this.#before!, this.#place, this.#isolated, events)
    requireRecorded(
      steps.told,
      seq,
      this.#place.recorded.filter((one) => one.seq === seq),
    )
    const [first] = steps.told
    const quotes = command.type === 'index.tick' ? command.prices : []
    const sourcesOf = (market: MarketId): LiquidationTrigger['sources'] =>
      (quotes.find((one) => one.market === words.market(market).perp?.index)?.quotes ?? []).map(({ venue, price }) => ({
        venue: venueNames[venue] ?? String(venue),
        price: words.index(price),
      }))
    this.#stages.push({
      ...{ seq, at, cancelled: this.#cancelled(events), steps: steps.told },
      ...(first === undefined || steps.first === undefined
        ? {}
        : { trigger: this.#trigger(steps.first.event, sourcesOf), before: steps.first.state }),
    })
    this.#end = account.state(this.#isolated)
  }

  #trigger(event: LiquidationStep, sourcesOf: (market: MarketId) => LiquidationTrigger['sources']): LiquidationTrigger {
    const { words, marks, due } = this.#before!
    const market = words.market(event.market)
    const [markBefore, dueAt] = [marks.get(event.market) ?? 0, due.get(event.position) ?? 0]
    return {
      symbol: market.symbol,
      ...(markBefore === 0 ? {} : { markBefore: priceOf(market, markBefore) }),
      mark: priceOf(market, event.mark),
      index: words.index(event.index as IndexPrice),
      ...(dueAt === 0 ? {} : { due: priceOf(market, dueAt) }),
      sources: sourcesOf(event.market),
    }
  }

  /** A cross account loses its orders of all contracts, an isolated position those beside it. */
  #cancelled(events: readonly Event[]): readonly string[] {
    const { words } = this.#before!
    const { user, symbol } = this.#place
    const isMeant = (of: Market): boolean => (this.#isolated === undefined ? of.perp !== undefined : of.symbol === symbol)
    return events
      .filter((event) => event.type === 'order.closed')
      .filter((event) => event.user === user && event.reason === 'liquidation' && isMeant(words.market(event.market)))
      .map(({ order }) => String(order))
  }
}

function beforeOf(exchange: Exchange, user: UserId): Before {
  const words = new Words(exchange.listing())
  return {
    words,
    account: new FuturesAccount(exchange, words, user),
    marks: new Map(exchange.marks().map(({ market, mark }) => [market, mark])),
    due: new Map(exchange.perpAccount(user).positions.map(({ position, liquidationPrice }) => [position, liquidationPrice])),
  }
}

/** The account when a step began. */
type Begun = { readonly standing: Standing; readonly state: LiquidationState; readonly realised: ReadonlyMap<OrderId, Units> }

/** Follows the events of one command, and tells the steps of one liquidation in it. */
class StepWalk {
  readonly told: readonly LiquidationStepExplanation[]
  /** The first of them, and the account before it. */
  first: { readonly event: LiquidationStep; readonly state: LiquidationState } | undefined
  readonly #before: Before
  readonly #user: UserId
  readonly #isolated: OrderId | undefined
  readonly #orders: ReadonlySet<OrderId>
  readonly #parts = new Parts()
  #begun: Begun | undefined

  constructor(before: Before, { user }: LiquidationPlace, isolated: OrderId | undefined, events: readonly Event[]) {
    this.#before = before
    this.#user = user
    this.#isolated = isolated
    this.#orders = new Set(events.flatMap((event) => (event.type === 'perp.liquidated' && event.order > 0 ? [event.order] : [])))
    this.told = events.flatMap((event) => this.#follow(event) ?? [])
  }

  #isMeant(position: OrderId): boolean {
    return this.#isolated === undefined ? this.#before.account.position(position)?.mode === 'cross' : position === this.#isolated
  }

  #follow(event: Event): LiquidationStepExplanation | undefined {
    const { account } = this.#before
    if (this.#begins(event)) this.#begin()
    account.apply(event)
    if (event.type === 'traded' && this.#orders.has(event.takerOrder) && event.takerUser === this.#user) this.#parts.add('fills', event)
    if (event.type === 'perp.takenOver' && event.user === this.#user) this.#parts.add('takenOver', event)
    if (event.type === 'perp.deleveraged' && event.bankruptUser === this.#user) this.#parts.add('deleveraged', event)
    if (event.type !== 'perp.liquidated' || event.user !== this.#user) return undefined
    const told = this.#isMeant(event.position) ? this.#tell(event) : undefined
    this.#parts.clear()
    this.#begun = undefined
    return told
  }

  /** An order of a step is placed, or the first lots are handed over. */
  #begins(event: Event): boolean {
    if (event.type === 'order.accepted') return this.#orders.has(event.order) && event.user === this.#user
    if (event.type === 'perp.takenOver') return event.user === this.#user
    return event.type === 'perp.deleveraged' && event.bankruptUser === this.#user
  }

  #begin(): void {
    const { account } = this.#before
    this.#begun ??= {
      standing: account.standing(this.#isolated),
      state: account.state(this.#isolated),
      realised: account.realised(),
    }
  }

  #tell(event: LiquidationStep): LiquidationStepExplanation {
    const { account, words } = this.#before
    if (this.#begun === undefined) throw new Differs(`a step of position ${event.position} has no beginning`)
    const { standing, state, realised } = this.#begun
    if (standing.equity !== event.equity || standing.maintenance !== event.maintenance)
      throw new Differs(
        `the account of position ${event.position} has ${standing.equity} of ${standing.maintenance}, not ${event.equity} of ${event.maintenance}`,
      )
    this.first ??= { event, state }
    const market = words.market(event.market)
    const quantity = (lots: Lots): Decimal => quantityOf(market, lots)
    const now = account.position(event.position)!
    const after = account.standing(this.#isolated)
    return {
      symbol: market.symbol,
      positionId: String(event.position),
      mark: priceOf(market, event.mark),
      equity: words.usdt(event.equity),
      maintenance: words.usdt(event.maintenance),
      ...(event.bankruptcyPrice === 0 ? {} : { bankruptcyPrice: priceOf(market, event.bankruptcyPrice) }),
      ...(event.order === 0 ? {} : { orderId: String(event.order) }),
      asked: quantity(event.askedLots),
      closed: quantity(event.closedLots),
      ...this.#parts.told(market),
      realised: words.usdt((now.realised - (realised.get(event.position) ?? 0)) as Units),
      fee: words.usdt(event.fee),
      insured: words.usdt(event.insured),
      left: quantity(Math.abs(now.lots) as Lots),
      equityAfter: words.usdt(after.equity),
      maintenanceAfter: words.usdt(after.maintenance),
    }
  }
}

/** throws  Differs when the tables have other steps of this command, or other sums */
function requireRecorded(told: readonly LiquidationStepExplanation[], seq: number, recorded: readonly RecordedStep[]): void {
  if (told.length !== recorded.length) throw new Differs(`command ${seq} has ${told.length} steps, and ${recorded.length} are recorded`)
  for (const [n, step] of told.entries())
    for (const name of ['equity', 'maintenance', 'closed', 'fee', 'insured'] as const)
      if (Number(step[name]) !== Number(recorded[n]![name]))
        throw new Differs(`the ${name} of a step of command ${seq} is recorded as ${recorded[n]![name]}, not ${step[name]}`)
}
