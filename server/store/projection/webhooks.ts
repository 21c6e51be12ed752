import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Millis } from '@candor/core/money/brand.ts'
import { formatFixed, formatUnits } from '@candor/core/money/units.ts'
import type { Event, Traded } from '@candor/core/protocol/event/index.ts'
import type { MarginLiquidated } from '@candor/core/protocol/event/margin.ts'
import type { OptionSettled } from '@candor/core/protocol/event/option.ts'
import type { FundingPaid, LiquidationStep, PositionClosed } from '@candor/core/protocol/event/perp.ts'
import type { WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import { arrayLiteral, type ColumnType, type Statement, type Value } from './columns.ts'
import type { NetworkNames } from './coins/notices.ts'
import { dataOfStep, isCoinStep, kindOfStep, withTransaction } from './coins/webhooks.ts'
import type { Known } from './known.ts'
import type { OptionProjection } from './option.ts'
import type { OrderProjection } from './orders.ts'

/** The events that are wanted, by user. */
export type WebhookUsers = ReadonlyMap<UserId, ReadonlySet<WebhookKind>>

const nobody: WebhookUsers = new Map()
const indexDigits = 8
const rateDigits = 9
const levelDigits = 6

const columns = {
  ...{ seq: 'bigint', line: 'integer', user_id: 'bigint', kind: 'text', at_ms: 'bigint', data: 'text' },
} as const satisfies Record<string, ColumnType>

/**
 * One delivery for each event and webhook that wants it. The list of webhooks is read in the transaction that writes the batch.
 * Tables that are rebuilt don't hand over again the events up to `done_seq`.
 */
const handOver = `
  with event as (
    select seq, line, user_id, kind, at_ms, ${withTransaction} as data from unnest(${Object.values(columns)
      .map((type, at) => `$${at + 1}::${type}[]`)
      .join(', ')}) as event (${Object.keys(columns).join(', ')})
  ), due as (
    select number, seq, line, event.user_id, event.kind, at_ms, data, row_number() over (partition by number order by seq, line) as place
    from event join webhooks using (user_id)
    where deleted_at is null and off_at is null and confirmed_at is not null and seq > (kinds->>kind)::bigint and seq > (select done_seq from webhook_state)
  ), counted as (
    update webhooks set sequence = sequence + found from (select number, count(*) as found from due group by number) news
    where webhooks.number = news.number returning webhooks.number, sequence - found as before
  ), clock as (
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms
  )
  insert into webhook_deliveries (webhook, sequence, event_id, kind, created_at, data, state, since, next_at)
  select number, before + place, seq || '-' || line, kind, at_ms, data, 'waiting', clock.ms, least(at_ms, clock.ms) from clock, due join counted using (number)
  on conflict (webhook, event_id) do nothing`

/**
 * Events of users who have webhooks, in the form in which their programs read them. Any other event costs one map lookup, and
 * nothing while nobody has a webhook.
 */
export class WebhookProjection {
  readonly #known: Known
  readonly #orders: OrderProjection
  readonly #options: OptionProjection
  readonly #names: NetworkNames
  #users = nobody
  #rows: Value[][] = Object.keys(columns).map(() => [])

  constructor(known: Known, orders: OrderProjection, options: OptionProjection, names: NetworkNames) {
    this.#known = known
    this.#names = names
    this.#orders = orders
    this.#options = options
  }

  get size(): number {
    return (this.#rows[0] as Value[]).length
  }

  get isAwake(): boolean {
    return this.#users.size > 0
  }

  /** From the next event on. */
  watch(users: WebhookUsers): void {
    this.#users = users
  }

  /** index  of the event in its command: together with `seq` it identifies the event for good */
  apply(event: Event, index: number, seq: Seq, at: Millis): void {
    switch (event.type) {
      case 'traded':
        this.#fill(event, false, 2 * index, seq, at)
        this.#fill(event, true, 2 * index + 1, seq, at)
        break
      case 'perp.liquidated':
        this.#add('perp.liquidation', event.user, 2 * index, seq, at, () => this.#liquidation(event))
        break
      case 'perp.deleveraged':
        this.#add('perp.deleverage', event.user, 2 * index, seq, at, () => {
          const view = this.#known.market(event.market)
          const [price, quantity] = [view.price(event.price), view.quantity(event.lots)]
          return { symbol: view.market.symbol, positionId: event.position, price, quantity }
        })
        break
      case 'margin.liquidated':
        this.#add('margin.liquidation', event.user, 2 * index, seq, at, () => this.#marginLiquidation(event))
        break
      case 'perp.fundingPaid':
        this.#add('perp.funding', event.user, 2 * index, seq, at, () => this.#funding(event))
        break
      case 'perp.closed':
        this.#add('perp.close', event.user, 2 * index, seq, at, () => this.#close(event))
        break
      case 'option.settled':
        this.#add('option.settlement', event.user, 2 * index, seq, at, () => this.#settlement(event))
        break
      default:
        if (isCoinStep(event))
          this.#add(kindOfStep(event), event.user, 2 * index, seq, at, () => dataOfStep(event, this.#known, this.#names))
    }
  }

  take(): readonly (Statement | undefined)[] {
    if (this.size === 0) return []
    const types = Object.values(columns)
    const values = this.#rows.map((column, index) => arrayLiteral(column, types[index] as ColumnType))
    this.#rows = this.#rows.map(() => [])
    return [{ text: handOver, batches: [values] }]
  }

  #add(kind: WebhookKind, user: UserId, line: number, seq: Seq, at: Millis, data: () => object): void {
    if (!this.#users.get(user)?.has(kind)) return
    const row = [seq, line, user, kind, at, JSON.stringify(data())]
    for (const [index, value] of row.entries()) (this.#rows[index] as Value[]).push(value)
  }

  #fill(event: Traded, isMaker: boolean, line: number, seq: Seq, at: Millis): void {
    const user = isMaker ? event.makerUser : event.takerUser
    if (!this.#users.has(user)) return
    const view = this.#known.market(event.market)
    const order = this.#orders.live(isMaker ? event.makerOrder : event.takerOrder)
    const kind = order.perp !== undefined ? 'perp.fill' : order.margin !== undefined ? 'margin.fill' : 'spot.fill'
    const feeAsset = order.side === 'sell' || order.perp !== undefined ? view.quote : view.base
    this.#add(kind, user, line, seq, at, () => ({
      symbol: view.market.symbol,
      orderId: order.order,
      clientOrderId: order.clientId,
      tradeId: event.trade,
      side: order.side,
      price: view.price(event.price),
      quantity: view.quantity(event.lots),
      quoteQuantity: view.quoteSum(event.quote),
      fee: formatFixed(isMaker ? event.makerFee : event.takerFee, feeAsset.scale),
      feeAsset: feeAsset.symbol,
      isMaker,
      orderExecuted: view.quantity(order.executedLots),
      ...(order.margin === undefined ? {} : { isIsolated: order.margin.account === 'margin-isolated' }),
      ...(order.perp === undefined ? {} : { positionSide: order.perp.position, isLiquidation: order.perp.isLiquidation }),
    }))
  }

  #liquidation(event: LiquidationStep): object {
    const view = this.#known.market(event.market)
    return {
      symbol: view.market.symbol,
      positionId: event.position,
      ...(event.order === 0 ? {} : { orderId: event.order }),
      markPrice: view.price(event.mark),
      indexPrice: formatUnits(event.index, indexDigits),
      equity: view.quoteSum(event.equity),
      maintenance: view.quoteSum(event.maintenance),
      quantity: view.quantity(event.closedLots),
      ...(event.bankruptcyPrice === 0 ? {} : { bankruptcyPrice: view.price(event.bankruptcyPrice) }),
      fee: view.quoteSum(event.fee),
      insured: view.quoteSum(event.insured),
    }
  }

  #marginLiquidation(event: MarginLiquidated): object {
    const scale = this.#known.scaleOf('USDT')
    return {
      ...(event.market === 0 ? {} : { symbol: this.#known.market(event.market).market.symbol }),
      ...(event.order === 0 ? {} : { orderId: event.order }),
      marginLevel: formatUnits(event.levelPpm, levelDigits),
      liquidationLevel: formatUnits(event.liquidationPpm, levelDigits),
      assets: formatFixed(event.assets, scale),
      debt: formatFixed(event.debt, scale),
      fee: formatFixed(event.fee, scale),
      insured: formatFixed(event.insured, scale),
    }
  }

  #funding(event: FundingPaid): object {
    const view = this.#known.market(event.market)
    return {
      symbol: view.market.symbol,
      positionId: event.position,
      quantity: view.quantity(event.lots),
      rate: formatUnits(event.rate, rateDigits),
      amount: view.quoteSum(event.amount),
      asset: view.quote.symbol,
    }
  }

  #close(event: PositionClosed): object {
    const view = this.#known.market(event.market)
    return {
      symbol: view.market.symbol,
      positionId: event.position,
      side: event.side,
      leverage: event.leverage,
      openedQuantity: view.quantity(event.openedLots),
      openedValue: view.quoteSum(event.openedValue),
      closedValue: view.quoteSum(event.closedValue),
      realizedProfit: view.quoteSum(event.realised),
      fees: view.quoteSum(event.fees),
      funding: view.quoteSum(event.funding),
      cause: event.cause,
      openedAt: event.openedAt,
    }
  }

  #settlement(event: OptionSettled): object {
    const view = this.#known.market(event.market)
    const { opened, struck } = this.#options.live(event.order)
    return {
      symbol: view.market.symbol,
      orderId: event.order,
      clientOrderId: opened.clientId,
      direction: opened.direction,
      stake: formatFixed(opened.stake, view.quote.scale),
      result: event.result,
      ...(event.result === 'void' ? { reason: event.reason } : {}),
      ...(struck === undefined ? {} : { strike: formatUnits(struck.strike, indexDigits) }),
      ...(event.price === 0 ? {} : { price: formatUnits(event.price, indexDigits) }),
      payout: formatFixed(event.payout, view.quote.scale),
    }
  }
}
