import { parseUnits, formatUnits } from '@candor/core/money/units.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireWithdrawal, WireWithdrawalStatus, WireWithdrawalStep } from '@candor/core/protocol/wire/chains.ts'
import type pg from 'pg'
import { decodeCursor, pageLimit, toPage } from '../../store/query/page.ts'
import type { ChainsConfig } from '../config.ts'
import type { AssetNamed } from './coins.ts'

export type WithdrawalFilter = {
  readonly asset?: string | undefined
  readonly status?: WireWithdrawalStatus | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

type State = 'requested' | 'approved' | 'rejected' | 'cancelled' | 'paid' | 'failed'
type Row = {
  readonly id: number
  readonly asset: string
  readonly network: number
  readonly amount: string
  readonly fee: string
  readonly state: State
  readonly requested_at_ms: number
  readonly decided_at_ms: number | null
  readonly ended_at_ms: number | null
  readonly reason: string | null
  readonly address: string | null
  readonly label: string | null
  readonly payout: string | null
  readonly txid: string | null
}

/** Each state by what customers call it. Nothing is completed before the core booked it. */
const statuses: Readonly<Record<State, WireWithdrawalStatus>> = {
  ...({ requested: 'under-review', approved: 'under-review', paid: 'completed' } as const),
  ...({ rejected: 'rejected', failed: 'rejected', cancelled: 'cancelled' } as const),
}

/** A customer's withdrawals, newest first, as the core and the payouts have them. */
export async function withdrawalsOf(
  parts: { readonly pool: pg.Pool; readonly config: ChainsConfig; readonly assetNamed: AssetNamed },
  { account, user }: { readonly account: string; readonly user: number },
  filter: WithdrawalFilter = {},
): Promise<WirePage<WireWithdrawal>> {
  const limit = pageLimit(filter.limit)
  const [before] = decodeCursor(filter.before, 1)
  const states = (Object.keys(statuses) as State[]).filter((state) => filter.status === undefined || statuses[state] === filter.status)
  const { rows } = await parts.pool.query<Row>(
    `select w.id, w.asset, w.network, w.amount, w.fee, w.state, w.requested_at_ms, w.decided_at_ms, w.ended_at_ms, w.reason, a.address,
       case when a.removed_at is null then a.label end as label, p.state as payout, coalesce(p.txid, last.txid) as txid
     from core_withdrawals w
     left join withdrawal_addresses a on a.number = w.destination and a.account = $1
     left join payouts p on p.withdrawal = w.id
     left join lateral (select t.txid from payout_attempts t where t.withdrawal = w.id and t.sent_at is not null
       order by t.n desc limit 1) last on true
     where w.user_id = $2 and w.state = any($3) and ($4::text is null or w.asset = $4) and w.id < $5
     order by w.id desc limit $6`,
    [account, user, states, filter.asset ?? null, before, limit + 1],
  )
  return toPage(
    rows,
    limit,
    (row) => wireWithdrawal(parts, row),
    ({ id }) => [id],
  )
}

function wireWithdrawal(
  { config, assetNamed }: { readonly config: ChainsConfig; readonly assetNamed: AssetNamed },
  row: Row,
): WireWithdrawal {
  const { scale = 0 } = assetNamed(row.asset) ?? {}
  const units = (text: string): number => parseUnits(text, scale) ?? 0
  const [amount, fee] = [units(row.amount), units(row.fee)]
  const step = stepOf(row)
  return {
    ...{ id: String(row.id), asset: row.asset, network: config.networks.find(({ number }) => number === row.network)?.name ?? '' },
    ...{ amount: formatUnits(amount, scale), fee: formatUnits(fee, scale), received: formatUnits(amount - fee, scale) },
    ...{ address: row.address ?? '', status: statuses[row.state], step, requestedAt: row.requested_at_ms },
    ...(row.label === null ? {} : { label: row.label }),
    ...(row.decided_at_ms === null ? {} : { decidedAt: row.decided_at_ms }),
    ...(row.ended_at_ms === null ? {} : { endedAt: row.ended_at_ms }),
    ...(row.state === 'rejected' && row.reason !== null && row.reason !== '' ? { reason: row.reason } : {}),
    ...(row.txid === null ? {} : { txid: row.txid }),
  }
}

function stepOf({ state, payout, txid }: Row): WireWithdrawalStep {
  if (state === 'paid') return 'completed'
  if (state !== 'approved') return state
  if (payout === 'settled' || payout === 'done') return 'confirmed'
  return txid === null ? 'approved' : 'sent'
}
