import type { Millis, Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { AccountKind } from '@candor/core/protocol/account.ts'
import type { EntryEvent, Event } from '@candor/core/protocol/event/index.ts'
import type { LoanCause } from '@candor/core/protocol/event/margin.ts'
import type { AssetId, MarketId, Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type { Known } from '../known.ts'

type MoveKind = Extract<NoticeKind, 'coins-moved' | 'loan-taken' | 'loan-repaid'>

export type MoveNotice = {
  readonly kind: MoveKind
  readonly user: UserId
  readonly values: Readonly<Record<string, string>>
  /** Names the moves of one cause and coin in one minute of the clock, which share a notice. */
  readonly event: string
}

type Account = { readonly kind: AccountKind; readonly market?: MarketId | undefined }
type Moved = {
  readonly kind: MoveKind
  readonly user: UserId
  readonly asset: AssetId
  readonly amount: Units
  readonly from?: Account
  readonly to?: Account
}

const minuteMs = 60_000

/** Interest, and what a liquidation does to a debt, are told elsewhere. */
const kinds: Readonly<Partial<Record<LoanCause, MoveKind>>> = {
  borrow: 'loan-taken',
  'auto-borrow': 'loan-taken',
  repay: 'loan-repaid',
  'auto-repay': 'loan-repaid',
}

/** The notices of transfers between accounts of one customer or firm, and of loans taken and repaid. */
export class MoveNotices {
  readonly #known: Known
  /** The first entry of a transfer, until its second one comes in the same command. */
  #taken: { readonly entry: EntryEvent; readonly seq: Seq } | undefined

  constructor(known: Known) {
    this.#known = known
  }

  /** Undefined for events that make none. */
  of(event: Event, seq: Seq, at: Millis): MoveNotice | undefined {
    if (event.type === 'margin.loan') {
      const kind = kinds[event.cause]
      if (kind === undefined) return undefined
      const { user, market, asset } = event
      const to: Account = market === 0 ? { kind: 'margin-cross' } : { kind: 'margin-isolated', market }
      return this.#notice({ kind, user, asset, amount: Math.abs(event.delta) as Units, to }, event.cause, at)
    }
    if (event.type !== 'entry' || !('user' in event.account)) return undefined
    const { account, delta, reason } = event
    const { user, asset } = account
    const moved = { kind: 'coins-moved', user, asset, amount: Math.abs(delta) as Units } as const
    if (reason === 'firm-move') {
      return delta < 0 ? this.#notice({ ...moved, from: account }, 'sent', at) : this.#notice({ ...moved, to: account }, 'received', at)
    }
    if (reason !== 'transfer') return undefined
    const taken = this.#taken
    this.#taken = delta < 0 ? { entry: event, seq } : undefined
    // The staff move coins between their account and a fund: such an entry has no other of the same user.
    if (delta < 0 || taken?.seq !== seq || !('user' in taken.entry.account) || taken.entry.account.user !== user) return undefined
    return this.#notice({ ...moved, from: taken.entry.account, to: account }, 'transfer', at)
  }

  #notice({ kind, user, asset, amount, from, to }: Moved, cause: string, at: Millis): MoveNotice {
    const { symbol, scale } = this.#known.asset(asset)
    const market = from?.market ?? to?.market
    const values = {
      ...{ cause, asset: symbol, amount: formatUnits(amount, scale) },
      ...(from === undefined ? {} : { from: from.kind }),
      ...(to === undefined ? {} : { to: to.kind }),
      ...(market === undefined ? {} : { symbol: this.#known.market(market).market.symbol }),
    }
    return { kind, user, values, event: `moved-${cause}-${symbol}-${Math.floor(at / minuteMs)}` }
  }
}
