import type { PresaleNumber, UserId } from '../../protocol/ids.ts'
import type { PresaleView } from '../../protocol/port.ts'
import type { Units } from '../../money/brand.ts'
import type { State } from '../state/state.ts'
import { tokensRow } from './rows.ts'
import type { AssetId } from '../../protocol/ids.ts'

/** Reads of presales, for queries. */
export type PresaleReads = {
  /** Those that are not over, in the order in which they were opened. */
  all(): readonly PresaleView[]
  /** What the user subscribed to a presale that has not ended. */
  subscribed(user: UserId, presale: PresaleNumber): Units
  /** How many presales that have not ended hold a sum of the user. */
  subscriptions(user: UserId): number
  /** Tokens that no presale promises. */
  free(token: AssetId): Units
}

export function presaleReads(x: State): PresaleReads {
  return {
    all: () =>
      [...x.presale.presales.values()].map(({ number, terms, sums, subscribed, holders }) => ({
        ...{ presale: number, terms, subscribed, subscribers: sums.size, isEnded: holders !== undefined },
      })),
    subscribed: (user, presale) => x.presale.presales.get(presale)?.sums.get(user) ?? (0 as Units),
    subscriptions: (user) => [...x.presale.presales.values()].filter(({ sums }) => sums.has(user)).length,
    free: (token) => (x.isAsset(token) ? x.ledger.available(tokensRow(x, token)) : (0 as Units)),
  }
}
