import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'

/** Commands of the core for deposits. `credit`: the number under which a deposit is credited, once. `network`: its number in the core. */
export type DepositCommand =
  | {
      readonly type: 'chain.credit'
      readonly credit: number
      readonly user: UserId
      readonly asset: AssetId
      readonly network: number
      readonly amount: Units
      readonly isFinal: boolean
    }
  | { readonly type: 'chain.final' | 'chain.orphan'; readonly network: number; readonly credit: number }

/** Resolves when the command is durable; rejects when it was not taken or its result is unknown. */
export type SubmitDeposit = (command: DepositCommand) => Promise<{ readonly refusal: string | undefined }>
