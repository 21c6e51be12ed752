import { parseUnits, formatUnits } from '@candor/core/money/units.ts'
import type { WirePage } from '@candor/core/protocol/wire/funds.ts'
import type { WireWithdrawal, WireWithdrawalStatus, WireWithdrawalStep } from '@candor/core/protocol/wire/chains.ts'
import type pg from 'pg'
import { decodeCursor, endOfTime, pageLimit, toPage } from '../../store/query/page.ts'
import type { ChainsConfig } from '../config.ts'
import type { AssetNamed } from './coins.ts'
import type { Span } from './deposits.ts'

/** `since`, `until`: when it was asked for, milliseconds, both inclusive. */
export type WithdrawalFilter = Pick<Span, 'since' | 'until'> & {
  readonly asset?: string | undefined
  readonly status?: WireWithdrawalStatus | undefined
  readonly before?: string | undefined
  readonly limit?: number | undefined
}

/** Of a program's history. */
export type HistoryFilter = Span & {
  readonly asset?: string | undefined
  readonly step?: WireWithdrawalStep | undefined
  readonly clientId?: string | undefined
  readonly limit: number
}

/** `clientId`: under which it was asked for, where it is known. */
export type PastWithdrawal = WireWithdrawal & { readonly clientId: string | undefined }

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
  readonly client: string | null
}

/** Each state by what customers call it. Nothing is completed before the core booked it. */
const statuses: Readonly<Record<State, WireWithdrawalStatus>> = {
  ...({ requested: 'under-review', approved: 'under-review', paid: 'completed' } as const),
  ...({ rejected: 'rejected', failed: 'rejected', cancelled: 'cancelled' } as const),
}

type Parts = { readonly pool: pg.Pool; readonly config: ChainsConfig; readonly assetNamed: AssetNamed }
type Customer = { readonly account: string; readonly user: number }

/** A customer's withdrawals, newest first, as the core and the payouts have them. */
export async function withdrawalsOf(parts: Parts, customer: Customer, filter: WithdrawalFilter = {}): Promise<WirePage<WireWithdrawal>> {
  const limit = pageLimit(filter.limit)
  const [before] = decodeCursor(filter.before, 1)
  const states = (Object.keys(statuses) as State[]).filter((state) => filter.status === undefined || statuses[state] === filter.status)
  const rows = await rowsOf(parts.pool, customer, { ...filter, states, before, count: limit + 1 })
  return toPage(
    rows,
    limit,
    (row) => wireWithdrawal(parts, row),
    ({ id }) => [id],
  )
}

/** Newest first. */
export async function pastWithdrawals(parts: Parts, customer: Customer, filter: HistoryFilter): Promise<readonly PastWithdrawal[]> {
  const { step, limit, ...rest } = filter
  const states = step === undefined ? (Object.keys(statuses) as State[]) : [stateOf(step)]
  const rows = await rowsOf(parts.pool, customer, { ...rest, states, before: endOfTime, count: limit })
  return rows.map((row) => ({ ...wireWithdrawal(parts, row), clientId: row.client ?? undefined }))
}

type Wanted = Span & {
  readonly asset?: string | undefined
  readonly clientId?: string | undefined
  readonly states: readonly State[]
  readonly before: number | undefined
  readonly count: number
}

async function rowsOf(pool: pg.Pool, { account, user }: Customer, wanted: Wanted): Promise<readonly Row[]> {
  const { asset, clientId, states, before, count, since = 0, until = endOfTime, offset = 0 } = wanted
  const { rows } = await pool.query<Row>(
    `select w.id, w.asset, w.network, w.amount, w.fee, w.state, w.requested_at_ms, w.decided_at_ms, w.ended_at_ms, w.reason, a.address,
       case when a.removed_at is null then a.label end as label, p.state as payout, coalesce(p.txid, last.txid) as txid,
       s.client_id as client
     from core_withdrawals w
     left join withdrawal_addresses a on a.number = w.destination and a.account = $1
     left join payouts p on p.withdrawal = w.id
     left join withdrawal_wishes s on s.withdrawal = w.id and s.user_no = w.user_id
     left join lateral (select t.txid from payout_attempts t where t.withdrawal = w.id and t.sent_at is not null
       order by t.n desc limit 1) last on true
     where w.user_id = $2 and w.state = any($3) and ($4::text is null or w.asset = $4) and w.id < $5
       and w.requested_at_ms between $6 and $7 and ($8::text is null or s.client_id = $8)
     order by w.id desc limit $9 offset $10`,
    [account, user, states, asset ?? null, before, since, until, clientId ?? null, count, offset],
  )
  return rows
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

/** The steps of an approved one are one state. */
function stateOf(step: WireWithdrawalStep): State {
  if (step === 'completed') return 'paid'
  return step === 'approved' || step === 'sent' || step === 'confirmed' ? 'approved' : step
}
