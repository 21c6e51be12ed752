import { formatUnits } from '@candor/core/money/units.ts'
import type { Units } from '@candor/core/money/brand.ts'
import type { WithdrawalFacts } from '@candor/core/protocol/event/chain.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { AssetId, NetworkNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { NoticeKind } from '@candor/core/protocol/wire/notices.ts'
import type { Known } from '../known.ts'

/** What each network is called, by its number in the core: `label` by customers, `word` by programs. */
export type NetworkNames = ReadonlyMap<number, { readonly label: string; readonly word: string }>

export type ChainNotice = {
  readonly kind: NoticeKind
  readonly user: UserId
  readonly values: Readonly<Record<string, string>>
  /** Names the event for good. */
  readonly event: string
}

type About = { readonly asset: AssetId; readonly network: NetworkNumber }

/** The notices of coins that come and go. */
export class ChainNotices {
  readonly #known: Known
  readonly #names: NetworkNames

  constructor(known: Known, names: NetworkNames) {
    this.#known = known
    this.#names = names
  }

  /** Undefined for events that make none. */
  of(event: Event): ChainNotice | undefined {
    switch (event.type) {
      case 'deposit.credited': {
        const { network, credit, user, amount, repaid, debt } = event
        const kind = repaid > 0 ? 'deposit-repaid' : 'deposit-credited'
        const sums = repaid > 0 ? { quantity: amount, repaid, debt } : { quantity: amount }
        return { kind, user, values: this.#values(event, sums), event: `deposit-credited-${network}-${credit}` }
      }
      case 'deposit.final': {
        const { network, credit, user, amount } = event
        return {
          kind: 'deposit-final',
          user,
          values: this.#values(event, { quantity: amount }),
          event: `deposit-final-${network}-${credit}`,
        }
      }
      case 'deposit.orphaned': {
        const { network, credit, user, amount, debt } = event
        const about = { user, event: `deposit-dropped-${network}-${credit}` }
        if (debt > 0) return { kind: 'deposit-debt', values: this.#values(event, { quantity: amount, debt }), ...about }
        return { kind: 'deposit-dropped', values: this.#values(event, { quantity: amount }), ...about }
      }
      case 'withdrawal.requested':
        return this.#withdrawal('withdrawal-requested', event)
      case 'withdrawal.approved':
        return this.#withdrawal('withdrawal-approved', event)
      case 'withdrawal.rejected':
        return this.#withdrawal('withdrawal-rejected', event, { reason: event.reason })
      case 'withdrawal.paid':
        return this.#withdrawal('withdrawal-paid', event)
      case 'withdrawal.failed':
        return this.#withdrawal('withdrawal-failed', event)
      default:
        return undefined
    }
  }

  /** The statement that writes the notice adds the address, and the transaction once there is one. */
  #withdrawal(kind: NoticeKind, facts: WithdrawalFacts, more: ChainNotice['values'] = {}): ChainNotice {
    const { withdrawal, user, amount, fee } = facts
    const sums = { quantity: amount, fee, received: (amount - fee) as Units }
    const values = { ...this.#values(facts, sums), ...more, withdrawal: String(withdrawal) }
    return { kind, user, values, event: `${kind}-${withdrawal}` }
  }

  #values({ asset, network }: About, sums: Readonly<Record<string, Units>>): ChainNotice['values'] {
    const { symbol, scale } = this.#known.asset(asset)
    const texts = Object.entries(sums).map(([name, units]) => [name, formatUnits(units, scale)])
    return { asset: symbol, network: this.#names.get(network)?.label ?? String(network), ...Object.fromEntries(texts) }
  }
}

/** The values of a notice as JSON, those of a withdrawal with its address and the transaction that paid it. Needs `event`. */
export const withWithdrawal = `
  case when event.kind like 'withdrawal-%' then (event.data::jsonb || coalesce((
    select jsonb_build_object('destination', coalesce(a.address, ''))
      || case when event.kind = 'withdrawal-paid' then jsonb_build_object('txid', coalesce(p.txid, '')) else '{}' end
    from core_withdrawals w left join withdrawal_addresses a on a.number = w.destination left join payouts p on p.withdrawal = w.id
    where w.id = (event.data::jsonb ->> 'withdrawal')::bigint), '{}'))::text else event.data end`
