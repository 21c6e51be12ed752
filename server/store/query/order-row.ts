import type { Decimal } from '@candor/core/money/brand.ts'
import type { SelfTradeMode, Side, TimeInForce } from '@candor/core/protocol/command/spot.ts'
import type { CloseReason } from '@candor/core/protocol/event/index.ts'
import type { MarketId, OrderId } from '@candor/core/protocol/ids.ts'
import type { OrderStatus, WireTrigger } from '@candor/core/protocol/wire/spot.ts'

/** The row of an order of any market, as programs see it. Times in milliseconds. */
export type OrderRow = {
  readonly id: OrderId
  readonly list_id: OrderId | null
  readonly client_id: string
  readonly market_id: MarketId
  readonly side: Side
  readonly type: 'limit' | 'market'
  readonly time_in_force: TimeInForce
  readonly status: OrderStatus
  readonly price: Decimal | null
  readonly quantity: Decimal | null
  readonly executed: Decimal
  readonly executed_quote: Decimal
  readonly post_only: boolean
  readonly trigger: WireTrigger | null
  readonly close_reason: CloseReason | null
  readonly placed_at_ms: number
  readonly updated_at_ms: number
  readonly triggered_at_ms: number | null
  /** When it entered, for an order that waited for the working order of its list. */
  readonly entered_at_ms: number | null
  readonly self_trade: SelfTradeMode | null
}

/** Columns of `OrderRow`, without the numbers of order and market. */
export const orderColumns = `list_id, client_id, side, type, time_in_force, status, price, quantity, executed,
  trim_scale(executed_quote) as executed_quote, post_only, trigger, close_reason, placed_at_ms, updated_at_ms, triggered_at_ms, entered_at_ms,
  self_trade`
