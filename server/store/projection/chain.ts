import type { Millis, Units } from '@candor/core/money/brand.ts'
import type { DepositFinal, WithdrawalFacts } from '@candor/core/protocol/event/chain.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { CreditNumber, NetworkNumber, WithdrawalNumber } from '@candor/core/protocol/ids.ts'
import { formatFixed } from '@candor/core/money/units.ts'
import { Columns, overwrite, type Statement } from './columns.ts'
import type { Known } from './known.ts'

/** What the events of a batch say of a credit. Absent: what an earlier batch wrote stays. */
type CreditRow = {
  readonly deposit: Omit<DepositFinal, 'type'>
  state: 'unfinal' | 'final' | 'orphaned'
  repaid?: Units
  creditedAt?: Millis
  taken?: Units
  endedAt?: Millis
}

type WithdrawalRow = {
  readonly facts: WithdrawalFacts
  state: 'requested' | 'approved' | 'rejected' | 'cancelled' | 'paid' | 'failed'
  requested?: { readonly destination: number; readonly people: number; readonly at: Millis }
  decided?: { readonly first: number; readonly second: number; readonly reason: string; readonly at: Millis }
  endedAt?: Millis
}

/**
 * Credited deposits and withdrawals. The first event of each writes its row; the later ones change a part of it, and their other values,
 * placeholders, are never written because the row exists.
 */
export class ChainProjection {
  readonly #known: Known
  readonly #credits = new Map<string, CreditRow>()
  readonly #withdrawals = new Map<WithdrawalNumber, WithdrawalRow>()
  readonly #creditRows = new Columns(
    'core_credits as old',
    {
      ...({ network: 'integer', credit: 'bigint', user_id: 'bigint', asset: 'text', amount: 'numeric', repaid: 'numeric' } as const),
      ...({ state: 'text', taken: 'numeric', credited_at_ms: 'bigint', ended_at_ms: 'bigint' } as const),
    },
    `(network, credit) do update set ${overwrite('state')}, ${keep('taken', 'ended_at_ms')}`,
  )
  readonly #withdrawalRows = new Columns(
    'core_withdrawals as old',
    {
      ...({ id: 'bigint', user_id: 'bigint', asset: 'text', network: 'integer', amount: 'numeric', fee: 'numeric' } as const),
      ...({ destination: 'bigint', people: 'integer', state: 'text', requested_at_ms: 'bigint', decided_at_ms: 'bigint' } as const),
      ...({ ended_at_ms: 'bigint', first_staff: 'integer', second_staff: 'integer', reason: 'text' } as const),
    },
    `(id) do update set ${overwrite('state')}, ${keep('decided_at_ms', 'ended_at_ms', 'first_staff', 'second_staff', 'reason')}`,
  )

  constructor(known: Known) {
    this.#known = known
  }

  get size(): number {
    return this.#credits.size + this.#withdrawals.size
  }

  apply(event: Event, at: Millis): void {
    switch (event.type) {
      case 'deposit.credited': {
        const row = this.#credit(event, event.isFinal ? 'final' : 'unfinal')
        row.repaid = event.repaid
        row.creditedAt = at
        if (event.isFinal) row.endedAt = at
        break
      }
      case 'deposit.final':
        this.#credit(event, 'final').endedAt = at
        break
      case 'deposit.orphaned': {
        const row = this.#credit(event, 'orphaned')
        row.taken = event.taken
        row.endedAt = at
        break
      }
      case 'withdrawal.requested': {
        const { destination, people } = event
        this.#withdrawal(event, 'requested').requested = { destination, people, at }
        break
      }
      case 'withdrawal.approved':
      case 'withdrawal.rejected': {
        const { first, second, reason } = event
        const isApproved = event.type === 'withdrawal.approved'
        const row = this.#withdrawal(event, isApproved ? 'approved' : 'rejected')
        row.decided = { first, second, reason, at }
        if (!isApproved) row.endedAt = at
        break
      }
      case 'withdrawal.cancelled':
        this.#withdrawal(event, 'cancelled').endedAt = at
        break
      case 'withdrawal.paid':
        this.#withdrawal(event, 'paid').endedAt = at
        break
      case 'withdrawal.failed':
        this.#withdrawal(event, 'failed').endedAt = at
        break
      default:
    }
  }

  take(): readonly (Statement | undefined)[] {
    for (const { deposit, state, repaid, creditedAt, taken, endedAt } of this.#credits.values()) {
      const { symbol, scale } = this.#known.asset(deposit.asset)
      const sum = (units: Units): string => formatFixed(units, scale)
      const { network, credit, user, amount } = deposit
      this.#creditRows.push(network, credit, user, symbol, sum(amount), sum(repaid ?? (0 as Units)), state)
      this.#creditRows.push(taken === undefined ? null : sum(taken), creditedAt ?? 0, endedAt ?? null)
    }
    for (const { facts, state, requested, decided, endedAt } of this.#withdrawals.values()) {
      const { symbol, scale } = this.#known.asset(facts.asset)
      const { withdrawal, user, network, amount, fee } = facts
      const rows = this.#withdrawalRows
      rows.push(withdrawal, user, symbol, network, formatFixed(amount, scale), formatFixed(fee, scale))
      rows.push(requested?.destination ?? 0, requested?.people ?? 0, state, requested?.at ?? 0)
      rows.push(decided?.at ?? null, endedAt ?? null, decided?.first ?? null, decided?.second ?? null, decided?.reason ?? null)
    }
    this.#credits.clear()
    this.#withdrawals.clear()
    return [this.#creditRows.take(), this.#withdrawalRows.take()]
  }

  #credit(event: Omit<DepositFinal, 'type'>, state: CreditRow['state']): CreditRow {
    const { network, credit, user, asset, amount } = event
    const key = keyOf(network, credit)
    const row = this.#credits.get(key) ?? { deposit: { network, credit, user, asset, amount }, state }
    row.state = state
    this.#credits.set(key, row)
    return row
  }

  #withdrawal(facts: WithdrawalFacts, state: WithdrawalRow['state']): WithdrawalRow {
    const row = this.#withdrawals.get(facts.withdrawal) ?? { facts, state }
    row.state = state
    this.#withdrawals.set(facts.withdrawal, row)
    return row
  }
}

function keyOf(network: NetworkNumber, credit: CreditNumber): string {
  return `${network} ${credit}`
}

/** The new value of each of these columns, unless it is null. */
function keep(...columns: readonly string[]): string {
  return columns.map((column) => `${column} = coalesce(excluded.${column}, old.${column})`).join(', ')
}
