import type { AlgoCommand } from './algo.ts'
import type { ChainCommand } from './chain.ts'
import type { ConvertCommand } from './convert.ts'
import type { FirmCommand } from './firm.ts'
import type { Faucet, FundSystem, PostFunds, Transfer } from './funds.ts'
import type { ClockTick, IndexTick, ListAsset, ListMarket, SetFees, SetMarket } from './market.ts'
import type { MarginCommand } from './margin.ts'
import type { SetMode } from './mode.ts'
import type { OperateExchange } from './operate.ts'
import type { ReferralCommand } from './referral.ts'
import type { RegionCommand } from './region.ts'
import type { OptionCommand } from './option.ts'
import type { PerpCommand } from './perp.ts'
import type { PresaleCommand } from './presale.ts'
import type { PlaceList } from './order-list.ts'
import type { AmendOrder, CancelAll, CancelOrder, PlaceOco, PlaceOrder } from './spot.ts'
import type { CertifyUser, HouseUser, OpenUser, RestUser, SetUser, StaffUser } from './user.ts'

/** All commands: nothing else changes the exchange. `../codec/` has the number of each on disk; add new ones there. */
export type Command =
  | OpenUser
  | SetUser
  | CertifyUser
  | HouseUser
  | RestUser
  | StaffUser
  | OperateExchange
  | SetMode
  | RegionCommand
  | ListAsset
  | ListMarket
  | SetMarket
  | SetFees
  | IndexTick
  | ClockTick
  | Faucet
  | Transfer
  | FundSystem
  | PostFunds
  | ChainCommand
  | ConvertCommand
  | ReferralCommand
  | PresaleCommand
  | FirmCommand
  | AlgoCommand
  | PlaceOrder
  | PlaceOco
  | PlaceList
  | AmendOrder
  | CancelOrder
  | CancelAll
  | PerpCommand
  | MarginCommand
  | OptionCommand

/** Stamp that the sequencer adds to a command before it is journaled. `keyId` 0: the exchange itself. No personal data. */
export type Stamp = { readonly seq: number; readonly at: number; readonly keyId: number }
