import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { OrderStatus } from '@candor/core/protocol/wire/spot.ts'

/** Filters of the lists of closed orders and of fills; every product has both lists. */
export type HistoryQuery = {
  readonly symbol?: string
  readonly side?: Side
  readonly status?: OrderStatus
  /** Both bounds in milliseconds and included. */
  readonly from?: number
  readonly to?: number
  /** `next` of the previous page. */
  readonly before?: string
  readonly limit?: number
}

export type FillsQuery = {
  readonly symbol?: string
  readonly orderId?: string
  /** Both bounds in milliseconds and included. */
  readonly from?: number
  readonly to?: number
  readonly before?: string
  readonly limit?: number
}
