import type { UserId } from '../../protocol/ids.ts'
import type { ConvertTerms, QuoteConversion } from '../../protocol/command/convert.ts'
import type { Refusal } from '../../protocol/refusal.ts'
import type { ConvertStanding, InventoryRow } from '../../protocol/port.ts'
import type { State } from '../state/state.ts'
import { indexOf } from './prices.ts'
import { type Workings, workOut } from './quote.ts'
import { inventoryOf, inventoryRow } from './shelves.ts'

/** Reads of conversions, for queries. */
export type ConvertReads = {
  /** Null until they are opened for the first time. */
  terms(): ConvertTerms | null
  standing(user: UserId): ConvertStanding
  /** By asset. */
  inventory(): readonly InventoryRow[]
  /** How a quote that is asked for now would be worked out. Changes nothing. */
  workings(command: QuoteConversion): Workings | Refusal
}

export function convertReads(x: State): ConvertReads {
  return {
    terms: () => x.convert.terms ?? null,
    standing: (user) => viewConversions(x, user),
    inventory: () => viewInventory(x),
    workings: (command) => (x.convert.terms === undefined ? 'PRODUCT_CLOSED' : workOut(x, command, x.convert.terms)),
  }
}

/** A user's open quote, conversions that are not decided, and use of the daily limit, as of the last command. */
function viewConversions(x: State, user: UserId): ConvertStanding {
  const quote = x.convert.quotes.get(user)
  const { delayMs: _delayMs, waitMs: _waitMs, driftPpm: _driftPpm, ...open } = quote ?? ({} as Partial<NonNullable<typeof quote>>)
  return {
    quote: quote === undefined || quote.expiresAt < x.atMs ? null : (open as ConvertStanding['quote']),
    accepted: [...x.convert.accepted.values()]
      .filter((acceptance) => acceptance.user === user)
      .map(({ acceptedAt: _at, driftPpm: _drift, endsAt: _endsAt, ...view }) => view),
    today: {
      limit: x.convert.terms?.userMax ?? 0,
      used: x.convert.convertedOn(x.firm.customerOf(user), x.atMs),
    } as ConvertStanding['today'],
  }
}

function viewInventory(x: State): readonly InventoryRow[] {
  return (x.convert.terms?.shelves ?? []).map(({ asset, target, band }) => ({
    asset,
    target,
    band,
    available: x.ledger.available(inventoryRow(x, asset)),
    held: x.ledger.held(inventoryRow(x, asset)),
    expected: inventoryOf(x, asset),
    price: indexOf(x, asset) ?? null,
  }))
}
