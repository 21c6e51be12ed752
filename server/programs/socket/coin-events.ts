import type { Units } from '@candor/core/money/brand.ts'
import type { ChainEvent } from '@candor/core/protocol/event/chain.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import { amountText, type Listing } from '../../live/listing.ts'

/** The words of programs for networks, by their numbers in the core. */
export type NetworkWords = ReadonlyMap<number, string>

/** What happened, by event. */
const states: { readonly [Name in ChainEvent['type']]?: string } = {
  ...{ 'deposit.credited': 'CREDITED', 'deposit.final': 'FINAL', 'deposit.orphaned': 'DROPPED' },
  ...{ 'withdrawal.requested': 'REQUESTED', 'withdrawal.approved': 'APPROVED', 'withdrawal.rejected': 'REJECTED' },
  ...{ 'withdrawal.cancelled': 'CANCELED', 'withdrawal.paid': 'COMPLETED', 'withdrawal.failed': 'FAILED' },
}

/** Messages about coins that come and go; undefined for other events. */
export class CoinEvents {
  readonly #listing: Pick<Listing, 'asset'>
  readonly #words: NetworkWords

  constructor(listing: Pick<Listing, 'asset'>, words: NetworkWords) {
    this.#listing = listing
    this.#words = words
  }

  of(event: Event, at: number): object | undefined {
    switch (event.type) {
      case 'deposit.credited':
      case 'deposit.final':
      case 'deposit.orphaned': {
        const { asset, network, amount } = event
        const isFinal = event.type === 'deposit.final' || (event.type === 'deposit.credited' && event.isFinal)
        const debt = event.type === 'deposit.final' ? {} : { D: this.#sum(asset, event.debt) }
        return { e: 'depositUpdate', ...this.#about(event.type, asset, network, at), d: this.#sum(asset, amount), w: isFinal, ...debt }
      }
      case 'withdrawal.requested':
      case 'withdrawal.approved':
      case 'withdrawal.rejected':
      case 'withdrawal.cancelled':
      case 'withdrawal.paid':
      case 'withdrawal.failed': {
        const { withdrawal, asset, network, amount, fee } = event
        const sums = { q: this.#sum(asset, (amount - fee) as Units), f: this.#sum(asset, fee) }
        return { e: 'withdrawUpdate', ...this.#about(event.type, asset, network, at), i: String(withdrawal), ...sums }
      }
      default:
        return undefined
    }
  }

  #about(type: ChainEvent['type'], asset: AssetId, network: number, at: number): object {
    return { E: at, T: at, X: states[type], a: this.#listing.asset(asset).symbol, n: this.#words.get(network) ?? String(network) }
  }

  #sum(asset: AssetId, units: Units): string {
    return amountText(this.#listing.asset(asset), units)
  }
}
