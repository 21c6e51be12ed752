import type { Context as Shared } from '../live/context.ts'
import type { OrderCounts } from './order-counts.ts'

/** Everything that the routes of programs work with: the exchange, and each account's order counts, separately for spot and contracts. */
export type Context = Shared & { readonly orderCounts: Readonly<Record<'spot' | 'futures', OrderCounts>> }
