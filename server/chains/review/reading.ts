import type {
  AttemptShown,
  CustomerShown,
  DestinationShown,
  EarlierMove,
  EndingShown,
  Flag,
  PayoutShown,
  PayoutState,
  SigningShown,
  VerdictShown,
  WithdrawalDetail,
  WithdrawalPage,
  WithdrawalRow,
  WithdrawalState,
  WithdrawalView,
} from '@candor/core/protocol/wire/console/withdrawals.ts'
import { areAlike } from '@candor/core/risk/addresses.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { Refused } from '../../refused.ts'
import { isLeftBehind, leftBehind } from '../../store/query/left-behind.ts'
import { priceBefore } from '../../store/query/worth.ts'
import type { AddressBook } from '../book/book.ts'
import { isOfPayment } from '../payout/refused.ts'
import { claimMs } from './desk.ts'
import type { Officer, ReviewDb } from './tables.ts'

/** A network as pages name it. `explorer`: a page of a transaction, with `{txid}` in it. */
export type ShownNetwork = {
  readonly number: number
  readonly name: string
  readonly label: string
  readonly explorer?: string | undefined
}

export type WithdrawalReadingOptions = {
  readonly pool: pg.Pool
  readonly db: ReviewDb
  readonly clock: Clock
  readonly networks: readonly ShownNetwork[]
  readonly book: Pick<AddressBook, 'payee'>
}

const pageSize = 50
const movesMax = 20
/** A request that waits longer is late. */
export const lateMs = 24 * 60 * 60_000
/** One entry in the log for a member's looks at a request within this time. */
const lookMs = 15 * 60_000

const statesOf: Readonly<Record<WithdrawalView, readonly WithdrawalState[]>> = {
  requested: ['requested'],
  approved: ['approved'],
  ended: ['rejected', 'cancelled', 'paid', 'failed'],
}

/** `bound` has its place in the order of the chain, and waits for the signature as `taken` waits for the place. */
const payoutStates: Readonly<Record<string, PayoutState>> = {
  taken: 'queued',
  bound: 'signing',
  signed: 'sent',
  settled: 'settled',
  done: 'done',
}

/** `$1`: time from which on a claim counts. */
const rowText = `
  select w.id, a.uid, a.id as account, a.frozen_at is not null as "isFrozen", w.asset, trim_scale(w.amount)::text as amount,
    trim_scale(w.fee)::text as fee, trim_scale(w.amount - w.fee)::text as arrives,
    trim_scale(round(w.amount * ${priceBefore('w.asset', '$2::bigint')}, 2))::text as "worthUsdt", w.network,
    d.address, w.state, w.requested_at_ms as "requestedAt", w.decided_at_ms as "decidedAt", w.ended_at_ms as "endedAt",
    coalesce(r.people, w.people) as people, r.flags, m.email as "claimedBy", p.state as payout,
    coalesce(p.trouble, case when ${isLeftBehind('w', 'p', '$2')} then '${leftBehind}' end) as trouble, w.destination, w.user_id, w.reason,
    coalesce((
      select json_agg(s.email order by v.at) from withdrawal_verdicts v join staff s on s.id = v.staff
      where v.withdrawal = w.id and v.is_approved and withdrawals_may(v.staff)
        and v.round = (select count(*) from withdrawal_decisions c where c.withdrawal = w.id and c.refusal is not null)
    ), '[]') as approvals
  from core_withdrawals w
  join accounts a on a.core_user = w.user_id
  left join withdrawal_addresses d on d.number = w.destination
  left join withdrawal_reviews r on r.withdrawal = w.id
  left join withdrawal_claims k on k.withdrawal = w.id and k.claimed_at > $1 and w.state = 'requested'
  left join staff m on m.id = k.staff
  left join payouts p on p.withdrawal = w.id`

type Row = Omit<WithdrawalRow, 'network' | 'payout'> & {
  readonly account: string
  readonly network: number
  readonly payout: string | null
  readonly destination: number
  readonly user_id: number
  readonly reason: string | null
}

/** Withdrawals as the staff see them. Requests that wait longest come first, all others newest first. */
export class WithdrawalReading {
  readonly #options: WithdrawalReadingOptions

  constructor(options: WithdrawalReadingOptions) {
    this.#options = options
  }

  /** `before`: of the last one of the page before; for requests, `before` is the one after which the page begins. */
  async page(view: WithdrawalView, before?: number, size = pageSize): Promise<WithdrawalPage> {
    const { pool, clock } = this.#options
    const now = clock()
    const isQueue = view === 'requested'
    const [{ rows }, counts] = await Promise.all([
      pool.query<Row>(
        `${rowText} where w.state = any($3) ${before === undefined ? '' : `and w.id ${isQueue ? '>' : '<'} $5`}
         order by w.id ${isQueue ? 'asc' : 'desc'} limit $4`,
        [now - claimMs, now, statesOf[view], size + 1, ...(before === undefined ? [] : [before])],
      ),
      this.#counts(now),
    ])
    const withdrawals = rows.slice(0, size).map((row) => this.#shown(row))
    const last = withdrawals.at(-1)
    return { withdrawals, counts, ...(rows.length > size && last !== undefined ? { next: last.id } : {}) }
  }

  /** One withdrawal with what is known of it. The look is in the log of the staff first. throws  Refused NOT_FOUND */
  async open(id: number, officer: Officer): Promise<WithdrawalDetail> {
    const detail = await this.one(id, officer.id)
    const { pool, db, clock } = this.#options
    const { rowCount } = await pool.query(
      `select from staff_log where staff = $1 and action = 'withdrawal-opened' and subject = $2 and at > $3 limit 1`,
      [officer.id, String(id), clock() - lookMs],
    )
    if (rowCount === 0) await officer.note(db, 'withdrawal-opened', String(id))
    return detail
  }

  /** As this member sees it. throws  Refused NOT_FOUND */
  async one(id: number, staff: string): Promise<WithdrawalDetail> {
    const { pool, clock } = this.#options
    const now = clock()
    const { rows } = await pool.query<Row>(`${rowText} where w.id = $3`, [now - claimMs, now, id])
    const [row] = rows
    if (row === undefined) throw new Refused('NOT_FOUND')
    const [customer, destination, moves, verdicts, decision, payoutOf, signing, ending] = await Promise.all([
      ...([this.#customer(row, now), this.#destination(row), this.#moves(row), this.#verdicts(id)] as const),
      ...([this.#decision(id), this.#payout(row), this.#signing(row, staff), this.#ending(id, now)] as const),
    ])
    const isEndable = (row.payout === 'taken' && isOfPayment(row.trouble)) || row.trouble === leftBehind
    const about = { customer, destination, moves, verdicts, reason: row.reason, payoutOf, signing, ending, isEndable }
    return { ...this.#shown(row), ...about, ...decision }
  }

  async #counts(now: number): Promise<WithdrawalPage['counts']> {
    const { rows } = await this.#options.pool.query<WithdrawalPage['counts']>(
      `select count(*) filter (where w.state = 'requested')::int as requested,
         count(*) filter (where w.state = 'requested' and w.requested_at_ms <= $1)::int as late,
         count(*) filter (where w.state = 'approved')::int as approved,
         count(*) filter (where (w.state = 'approved' and p.trouble is not null) or ${isLeftBehind('w', 'p', '$2')})::int as troubled
       from core_withdrawals w left join payouts p on p.withdrawal = w.id where w.state in ('requested', 'approved')`,
      [now - lateMs, now],
    )
    return rows[0]!
  }

  #shown(row: Row): WithdrawalRow {
    const { id, uid, asset, amount, fee, arrives, worthUsdt, address, isFrozen, state, requestedAt, decidedAt, endedAt } = row
    const { people, approvals, flags, claimedBy, trouble } = row
    const payout = row.payout === null ? (state === 'approved' ? 'queued' : null) : (payoutStates[row.payout] ?? null)
    return {
      ...{ id, uid, asset, amount, fee, arrives, worthUsdt, network: this.#networkOf(row).label, address, isFrozen, state },
      ...{ requestedAt, decidedAt, endedAt, people, approvals, flags, claimedBy, payout, trouble },
    }
  }

  #networkOf({ network }: Pick<Row, 'network'>): ShownNetwork {
    const found = this.#options.networks.find(({ number }) => number === network)
    return found ?? { number: network, name: '', label: String(network) }
  }

  async #customer({ account, uid }: Row, now: number): Promise<CustomerShown> {
    const { rows } = await this.#options.pool.query<Omit<CustomerShown, 'uid'>>(
      `select created_at as "registeredAt", certification, residence as region, frozen_at as "frozenAt",
         case when withdrawals_closed_until > $2 then withdrawals_closed_until end as "closedUntil"
       from accounts where id = $1`,
      [account, now],
    )
    return { uid, ...rows[0]! }
  }

  async #destination({ account, destination, id }: Row): Promise<DestinationShown | null> {
    const { pool, book } = this.#options
    type Found = Omit<DestinationShown, 'alike' | 'beneficiary' | 'exchange'> & { readonly others: readonly string[] | null }
    const [{ rows }, payee] = await Promise.all([
      pool.query<Found>(
        `select d.address, d.label, d.owner, d.added_at as "addedAt", d.removed_at as "removedAt", (
           select count(*)::int from core_withdrawals w join withdrawal_addresses o on o.number = w.destination
           where o.account = d.account and o.network = d.network and o.address = d.address and w.state = 'paid' and w.id < $3
         ) as "paidBefore",
         (select json_agg(distinct o.address) from withdrawal_addresses o where o.account = d.account and o.number < d.number) as others
         from withdrawal_addresses d where d.number = $1 and d.account = $2`,
        [destination, account, id],
      ),
      book.payee(destination),
    ])
    const [row] = rows
    if (row === undefined) return null
    const { others, ...found } = row
    const alike = (others ?? []).filter((other) => areAlike(other, found.address))
    return { ...found, exchange: payee?.exchange ?? null, beneficiary: payee?.beneficiary ?? null, alike }
  }

  async #moves({ user_id: user, id }: Row): Promise<readonly EarlierMove[]> {
    const { rows } = await this.#options.pool.query<Omit<EarlierMove, 'network'> & { readonly network: number }>(
      `select kind, asset, trim_scale(amount)::text as amount, network, state, at from (
         (select 'withdrawal' as kind, asset, amount, network, state, requested_at_ms as at from core_withdrawals
           where user_id = $1 and id <> $2 order by id desc limit ${movesMax})
         union all
         (select 'deposit', asset, amount, network, state, credited_at_ms from core_credits
           where user_id = $1 order by credited_at_ms desc limit ${movesMax})
       ) moves order by at desc limit ${movesMax}`,
      [user, id],
    )
    return rows.map((row) => ({ ...row, network: this.#networkOf(row).label }))
  }

  async #verdicts(id: number): Promise<readonly VerdictShown[]> {
    const { rows } = await this.#options.pool.query<VerdictShown>(
      `select s.email as by, v.at, v.is_approved as "isApproved", v.reason, v.note
       from withdrawal_verdicts v join staff s on s.id = v.staff where v.withdrawal = $1 order by v.at, v.member`,
      [id],
    )
    return rows
  }

  async #decision(id: number): Promise<Pick<WithdrawalDetail, 'isSending' | 'refusal'>> {
    const { rows } = await this.#options.pool.query<Pick<WithdrawalDetail, 'isSending' | 'refusal'>>(
      `select done_at is null as "isSending", refusal from withdrawal_decisions where withdrawal = $1 order by round desc limit 1`,
      [id],
    )
    return rows[0] ?? { isSending: false, refusal: null }
  }

  async #signing({ id, trouble }: Row, staff: string): Promise<SigningShown | null> {
    const { pool } = this.#options
    const { rows: by } = await pool.query<SigningShown['by'][number]>(
      `select s.email as by, a.signed_at as at from payout_approvals a join staff s on s.id = a.staff
       where a.withdrawal = $1 order by a.signed_at`,
      [id],
    )
    if (trouble !== 'APPROVALS_MISSING') return by.length === 0 ? null : { by, isOperator: false }
    const { rowCount } = await pool.query(
      `select from payout_operators o join staff_passkeys k on k.credential = o.key
       where k.account = $2 and withdrawals_may($2) and not withdrawal_is_own($2, $1) limit 1`,
      [id, staff],
    )
    return { by, isOperator: rowCount === 1 }
  }

  /** The decision that two members made, or the proposal that waits. */
  async #ending(id: number, now: number): Promise<EndingShown | null> {
    const { rows } = await this.#options.pool.query<EndingShown>(
      `select d.id, d.reason, p.email as "proposedBy", d.expires_at as "expiresAt", q.email as "approvedBy"
       from chain_decisions d join staff p on p.id = d.proposed_by left join staff q on q.id = d.decided_by
       where d.kind = 'ending' and d.withdrawal = $1 and (d.state = 'approved' or (d.state = 'open' and d.expires_at > $2))`,
      [id, now],
    )
    return rows[0] ?? null
  }

  async #payout(row: Row): Promise<PayoutShown | null> {
    if (row.state !== 'approved' && row.state !== 'paid' && row.state !== 'failed') return null
    const { pool } = this.#options
    const [{ rows }, { rows: attempts }] = await Promise.all([
      pool.query<Omit<PayoutShown, 'attempts' | 'state'> & { readonly state: string }>(
        `select state, trouble, block, trim_scale(fee)::text as fee, taken_at as "takenAt", settled_at as "settledAt"
         from payouts where withdrawal = $1`,
        [row.id],
      ),
      pool.query<Omit<AttemptShown, 'url'>>(
        `select n, txid, fate, signed_at as "signedAt", sent_at as "sentAt" from payout_attempts where withdrawal = $1 order by n`,
        [row.id],
      ),
    ])
    const { explorer } = this.#networkOf(row)
    const urlOf = (txid: string | null): string | null =>
      txid === null || explorer === undefined ? null : explorer.replace('{txid}', txid)
    const [payout] = rows
    if (payout === undefined)
      return { state: 'queued', trouble: row.trouble, block: null, fee: null, takenAt: null, settledAt: null, attempts: [] }
    return {
      ...{ ...payout, state: payoutStates[payout.state] ?? 'queued' },
      attempts: attempts.map((one) => ({ ...one, url: urlOf(one.txid) })),
    }
  }
}

/** Kinds of flags of a row, for a file. */
export const kindsOf = (flags: readonly Flag[] | null): string => (flags ?? []).map(({ kind }) => kind).join(' ')
