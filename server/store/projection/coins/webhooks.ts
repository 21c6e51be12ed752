import type { Units } from '@candor/core/money/brand.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import type { ChainEvent } from '@candor/core/protocol/event/chain.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { WebhookKind } from '@candor/core/protocol/wire/webhooks.ts'
import type { NetworkNames } from './notices.ts'
import type { Known } from '../known.ts'

const states = {
  ...({ 'deposit.credited': 'credited', 'deposit.final': 'final', 'deposit.orphaned': 'dropped' } as const),
  ...({ 'withdrawal.requested': 'requested', 'withdrawal.approved': 'approved', 'withdrawal.rejected': 'rejected' } as const),
  ...({ 'withdrawal.cancelled': 'cancelled', 'withdrawal.paid': 'paid', 'withdrawal.failed': 'failed' } as const),
} as const satisfies { readonly [Name in ChainEvent['type']]?: string }

type Told = keyof typeof states
/** A step of a deposit or a withdrawal. */
export type CoinStep = Extract<ChainEvent, { readonly type: Told }>

export function isCoinStep(event: Event): event is CoinStep {
  return Object.hasOwn(states, event.type)
}

export function kindOfStep({ type }: CoinStep): WebhookKind {
  return type.startsWith('deposit.') ? 'deposit.update' : 'withdrawal.update'
}

/** What a webhook is told about it. The statement that hands it over exchanges `credit` for the id and the transaction of the deposit. */
export function dataOfStep(event: CoinStep, known: Known, names: NetworkNames): object {
  const { asset, network, amount } = event
  const { symbol, scale } = known.asset(asset)
  const sum = (units: Units): string => formatUnits(units, scale)
  const about = { asset: symbol, network: names.get(network)?.word ?? String(network), state: states[event.type] }
  if ('credit' in event) {
    const isFinal = event.type === 'deposit.final' || (event.type === 'deposit.credited' && event.isFinal)
    const debt = 'debt' in event ? { debt: sum(event.debt) } : {}
    return { ...about, amount: sum(amount), isFinal, ...debt, credit: event.credit }
  }
  const { withdrawal, fee } = event
  const reason = event.type === 'withdrawal.rejected' ? { reason: event.reason } : {}
  return { ...about, id: String(withdrawal), amount: sum(amount), fee: sum(fee), received: sum((amount - fee) as Units), ...reason }
}

/** The data of a row of `event`: deposits with their id and transaction, withdrawals with their address and transaction. */
export const withTransaction = `
  case kind when 'deposit.update' then (data::jsonb - 'credit' || coalesce((
    select jsonb_build_object('id', d.id::text, 'address', d.address, 'txid', d.txid) from deposit_postings p join deposits d on d.id = p.deposit
    where p.credit = (data::jsonb ->> 'credit')::bigint and p.kind = 'credit'), '{}'))::text
  when 'withdrawal.update' then (data::jsonb || coalesce((
    select jsonb_strip_nulls(jsonb_build_object('address', a.address, 'txid', case data::jsonb ->> 'state' when 'paid' then p.txid end))
    from core_withdrawals w left join withdrawal_addresses a on a.number = w.destination left join payouts p on p.withdrawal = w.id
    where w.id = (data::jsonb ->> 'id')::bigint), '{}'))::text
  else data end`
