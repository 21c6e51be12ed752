import type { Context as Shared } from '../live/context.ts'
import type { ChainsConfig } from '../chains/config.ts'
import type { DepositDesk } from '../chains/desk/deposit-desk.ts'
import type { WithdrawDesk } from '../chains/desk/withdraw-desk.ts'
import type { FirmEntry } from '../firms/log.ts'
import type { OrderCounts } from './order-counts.ts'

/** Deposits and withdrawals. `config` undefined: no coins come or go. `withdrawals` undefined: none go. */
export type ChainDesks = {
  readonly config: ChainsConfig | undefined
  readonly deposits: DepositDesk
  readonly withdrawals: WithdrawDesk | undefined
}

/**
 * Everything that the routes of programs work with: the exchange, each account's order counts, separately for spot and contracts, the
 * desks of deposits and withdrawals, and the logs of firms.
 */
export type Context = Shared & {
  readonly orderCounts: Readonly<Record<'spot' | 'futures', OrderCounts>>
  readonly chains: ChainDesks
  readonly noteFirm: (entry: FirmEntry) => Promise<void>
}
