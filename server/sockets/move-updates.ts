import type { Decimal, Millis, Units } from '@candor/core/money/brand.ts'
import type { AccountRef } from '@candor/core/protocol/account.ts'
import type { EntryEvent, Event } from '@candor/core/protocol/event/index.ts'
import type { LoanChanged } from '@candor/core/protocol/event/margin.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import type { MoveCause, UserUpdate, WirePlace } from '@candor/core/protocol/wire/stream.ts'
import { amountText, type Listing } from '../live/listing.ts'

type Update = { readonly user: UserId; readonly update: UserUpdate }
type Moved = { readonly asset: AssetId; readonly delta: Units }
type OwnEntry = EntryEvent & { readonly account: Extract<AccountRef, { readonly user: UserId }> }

const told: ReadonlySet<LoanChanged['cause']> = new Set(['borrow', 'auto-borrow', 'repay', 'auto-repay'])

/** Transfers and loans of listening users: what one command moved between their accounts, borrowed and repaid. */
export function moveUpdates(
  listing: Listing,
  events: readonly Event[],
  seq: number,
  at: Millis,
  isListening: (user: UserId) => boolean,
): readonly Update[] {
  const updates: Update[] = []
  const taken = new Map<UserId, OwnEntry>()
  const push = (user: UserId, cause: MoveCause, { asset: id, delta }: Moved, places: { from?: WirePlace; to?: WirePlace }): void => {
    const asset = listing.asset(id)
    const amount = amountText(asset, Math.abs(delta) as Units) as Decimal
    updates.push({ user, update: { e: 'moved', E: at, seq, cause, asset: asset.symbol, amount, ...places } })
  }
  for (const event of events) {
    if (event.type === 'margin.loan' && told.has(event.cause) && isListening(event.user)) {
      const account =
        event.market === 0 ? ({ kind: 'margin-cross' } as const) : ({ kind: 'margin-isolated', market: event.market } as const)
      push(event.user, event.cause as MoveCause, event, { to: placeOf(listing, account) })
    }
    if (!isOwnMove(event) || !isListening(event.account.user)) continue
    const { account, delta, reason } = event
    const place = placeOf(listing, account)
    const moved = { asset: account.asset, delta }
    if (reason === 'firm-move') push(account.user, reason, moved, delta < 0 ? { from: place } : { to: place })
    else if (delta < 0) taken.set(account.user, event)
    else {
      const from = taken.get(account.user)
      if (from !== undefined) push(account.user, 'transfer', moved, { from: placeOf(listing, from.account), to: place })
      taken.delete(account.user)
    }
  }
  return updates
}

function isOwnMove(event: Event): event is OwnEntry {
  return event.type === 'entry' && (event.reason === 'transfer' || event.reason === 'firm-move') && 'user' in event.account
}

function placeOf(listing: Listing, { kind, market }: Pick<OwnEntry['account'], 'kind' | 'market'>): WirePlace {
  return { account: kind, ...(market === undefined ? {} : { symbol: listing.market(market).market.symbol }) }
}
