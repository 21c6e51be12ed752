import type { Side } from '@candor/core/protocol/command/spot.ts'
import type { OrderStatus } from '@candor/core/protocol/wire/spot.ts'

/** What the lists of closed orders and of fills can be asked for; every product has both. */
export type HistoryQuery = {
  readonly symbol?: string
  readonly side?: Side
  readonly status?: OrderStatus
  /** Milliseconds, from inclusive, to exclusive. */
  readonly from?: number
  readonly to?: number
  /** `next` of the page before. */
  readonly before?: string
  readonly limit?: number
}

export type FillsQuery = { readonly symbol?: string; readonly orderId?: string; readonly before?: string; readonly limit?: number }
