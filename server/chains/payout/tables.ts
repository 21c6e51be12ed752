/** The two tables of payouts, on the one connection that holds the network's lock. Each change names the state that it starts from. */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { lockNetwork, networkWork, unlockNetwork } from './network-lock.ts'
import type { Signed, Slot } from '../ports.ts'
import type { Proof } from './chain.ts'
import { signedEnding } from './endings.ts'
import { type Approvals, type Approved, type AttemptRow, type PayoutRow, slotText } from './rows.ts'

const columns =
  'withdrawal, network, chain_id, user_no, client_id, contract, recipient, value::text, proofs, state, nonce, fate, txid, trouble, refusals, retry_at'

const isEnded = `exists (
  select from chain_decisions d where d.kind = 'ending' and d.withdrawal = payouts.withdrawal and d.state = 'approved') as is_ended`

const ending = `(select ${signedEnding('e')} from payout_endings e where e.withdrawal = payouts.withdrawal) as ending`

/** The number of a payout's next attempt: one that the signer refused is used again. */
const nextAttempt = (withdrawal: string): string => `coalesce((
  select case when a.fate = 'void' then a.n else a.n + 1 end from payout_attempts a where a.withdrawal = ${withdrawal} order by a.n desc limit 1), 1)`

const asNextAttempt = `on conflict (withdrawal, n) do update set slot = excluded.slot, fate = 'open', planned_at = excluded.planned_at`

/** As many as the signer reads. */
const approvalsMax = 8

/** A withdrawal's place in the chain's order. */
type Place = { readonly withdrawal: number; readonly slot: Slot }
/** An attempt. */
type Numbered = { readonly withdrawal: number; readonly n: number }
export type Settled = {
  readonly withdrawal: number
  readonly fate: 'paid' | 'reverted'
  readonly proof: Extract<Proof, { kind: 'settled' }>
}

export class PayoutTables {
  readonly #client: pg.ClientBase
  readonly #network: string
  readonly #clock: Clock

  constructor(client: pg.ClientBase, network: string, clock: Clock) {
    this.#client = client
    this.#network = network
    this.#clock = clock
  }

  lock(): Promise<boolean> {
    return lockNetwork(this.#client, networkWork.payouts, this.#network)
  }

  unlock(): Promise<void> {
    return unlockNetwork(this.#client, networkWork.payouts, this.#network)
  }

  /** returns  those that are new */
  async take(approved: readonly Approved[]): Promise<readonly number[]> {
    if (approved.length === 0) return []
    const payments = approved.map(({ payment }) => payment)
    const foreign = payments.find(({ network }) => network !== this.#network)
    if (foreign !== undefined) throw new Error(`Withdrawal ${foreign.withdrawal} is of another network`)
    const rows = await this.#rows<{ withdrawal: number }>(
      `insert into payouts (withdrawal, network, chain_id, user_no, client_id, contract, recipient, value, proofs, state, taken_at)
       select f.withdrawal, $1, f.chain_id, f.user_no, f.client_id, f.contract, f.recipient, f.value, f.proofs::jsonb, 'taken', $2
       from unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::numeric[], $10::text[])
         as f (withdrawal, chain_id, user_no, client_id, contract, recipient, value, proofs)
       on conflict (withdrawal) do nothing returning withdrawal`,
      ...[this.#network, this.#clock(), payments.map(({ withdrawal }) => withdrawal), payments.map(({ chainId }) => chainId)],
      ...[payments.map(({ user }) => user), payments.map(({ clientId }) => clientId), payments.map(({ contract }) => contract ?? null)],
      ...[payments.map(({ to }) => to), payments.map(({ value }) => String(value)), approved.map(({ proofs }) => JSON.stringify(proofs))],
    )
    return rows.map(({ withdrawal }) => withdrawal)
  }

  /** All that did not end, in the order of the chain: by nonce, then by number. */
  open(): Promise<readonly PayoutRow[]> {
    return this.#rows<PayoutRow>(
      `select ${columns}, ${isEnded}, ${ending} from payouts where network = $1 and state <> 'done' order by nonce nulls last, withdrawal`,
      this.#network,
    )
  }

  /** By withdrawal, in their order. */
  async attempts(withdrawals: readonly number[]): Promise<ReadonlyMap<number, readonly AttemptRow[]>> {
    if (withdrawals.length === 0) return new Map()
    const rows = await this.#rows<AttemptRow>(
      'select * from payout_attempts where withdrawal = any($1) order by withdrawal, n',
      withdrawals,
    )
    return Map.groupBy(rows, ({ withdrawal }) => withdrawal)
  }

  /** By withdrawal: signatures of operators whose keys are in the signer's policy, of members who still may, the oldest ones. */
  async approvals(withdrawals: readonly number[]): Promise<ReadonlyMap<number, Approvals>> {
    if (withdrawals.length === 0) return new Map()
    const rows = await this.#rows<{ withdrawal: number; approvals: Approvals }>(
      `select withdrawal, jsonb_agg(approval order by place) as approvals from (
         select a.withdrawal, a.approval, row_number() over (partition by a.withdrawal order by a.signed_at, a.staff) as place
         from payout_approvals a join payout_operators o on o.operator = a.operator and o.key = a.approval -> 'assertion' ->> 'id'
         where a.withdrawal = any($1) and withdrawals_may(a.staff)
       ) found where place <= ${approvalsMax} group by withdrawal`,
      withdrawals,
    )
    return new Map(rows.map(({ withdrawal, approvals }) => [withdrawal, approvals]))
  }

  /** One whose transactions are all dead is not in flight: it waits until another can be signed. */
  async load(): Promise<{ readonly bound: number; readonly inFlight: number; readonly hasForeign: boolean }> {
    const [row] = await this.#rows<{ bound: number; in_flight: number; has_foreign: boolean }>(
      `select count(*) filter (where state = 'bound') as bound,
         count(*) filter (where exists (select from payout_attempts a where a.withdrawal = p.withdrawal and a.fate = 'open')) as in_flight,
         count(*) filter (where trouble = 'NONCE_FOREIGN' and state = 'signed') > 0 as has_foreign
       from payouts p where network = $1 and state in ('bound', 'signed')`,
      this.#network,
    )
    return { bound: row?.bound ?? 0, inFlight: row?.in_flight ?? 0, hasForeign: row?.has_foreign ?? false }
  }

  /** By token, null for the native coin: the sum of payouts whose fate is open. */
  async underway(): Promise<Map<string | null, bigint>> {
    const rows = await this.#rows<{ contract: string | null; sum: string }>(
      `select contract, sum(value)::text as sum from payouts where network = $1 and state in ('bound', 'signed') group by contract`,
      this.#network,
    )
    return new Map(rows.map(({ contract, sum }) => [contract, BigInt(sum)]))
  }

  async lastNonce(): Promise<number | undefined> {
    const [row] = await this.#rows<{ last: number | null }>('select max(nonce) as last from payouts where network = $1', this.#network)
    return row?.last ?? undefined
  }

  /** Nonces and first slots, at once: a payout without a slot has no place. returns  the numbers of the attempts, by withdrawal */
  async bind(places: readonly Place[]): Promise<ReadonlyMap<number, number>> {
    if (places.length === 0) return new Map()
    const nonces = places.map(({ slot }) => (slot.kind === 'evm' ? slot.nonce : null))
    const rows = await this.#rows<{ withdrawal: number; n: number }>(
      `with bound as (
         update payouts p set state = 'bound', nonce = f.nonce from unnest($1::bigint[], $2::bigint[], $3::text[]) as f (withdrawal, nonce, slot)
         where p.withdrawal = f.withdrawal and p.state = 'taken' returning p.withdrawal, f.slot
       )
       insert into payout_attempts (withdrawal, n, slot, fate, planned_at)
       select withdrawal, ${nextAttempt('b.withdrawal')}, slot::jsonb, 'open', $4
       from bound b ${asNextAttempt} returning withdrawal, n`,
      ...[places.map(({ withdrawal }) => withdrawal), nonces, places.map(({ slot }) => slotText(slot)), this.#clock()],
    )
    if (rows.length !== places.length) throw new Error('A payout is not in the state that its slot needs')
    return new Map(rows.map(({ withdrawal, n }) => [withdrawal, n]))
  }

  /** Another slot of a payout that has a signed transaction. returns  the number of the attempt */
  async plan(withdrawal: number, slot: Slot): Promise<number> {
    const [row] = await this.#rows<{ n: number }>(
      `insert into payout_attempts (withdrawal, n, slot, fate, planned_at)
       select withdrawal, ${nextAttempt('$1')}, $2::jsonb, 'open', $3
       from payouts where withdrawal = $1 and state = 'signed' ${asNextAttempt} returning n`,
      ...[withdrawal, slotText(slot), this.#clock()],
    )
    if (row === undefined) throw new Error(`Payout ${withdrawal} is not in the state that its slot needs`)
    return row.n
  }

  /** All at once: what the signer gave, and that only the chain decides from now on. */
  async store(signed: readonly (Signed & Numbered)[]): Promise<void> {
    if (signed.length === 0) return
    await this.#each(
      signed.length,
      `with kept as (
         update payout_attempts a set raw = f.raw, txid = f.txid, signed_at = $1
         from unnest($2::bigint[], $3::int[], $4::text[], $5::text[]) as f (withdrawal, n, raw, txid)
         where a.withdrawal = f.withdrawal and a.n = f.n and a.raw is null returning a.withdrawal
       )
       update payouts set state = 'signed', trouble = null, refusals = 0 where withdrawal in (select withdrawal from kept) and state in ('bound', 'signed')`,
      ...[this.#clock(), signed.map(({ withdrawal }) => withdrawal), signed.map(({ n }) => n)],
      ...[signed.map(({ raw }) => raw), signed.map(({ txid }) => txid)],
    )
  }

  /** The signer refused the slot: nothing was signed for it. If nothing else was, the payout has no place any more either. */
  async release({ withdrawal }: PayoutRow, n: number): Promise<void> {
    await this.#client.query(
      `with voided as (update payout_attempts set fate = 'void' where withdrawal = $1 and n = $2 and raw is null returning withdrawal)
       update payouts set state = 'taken', nonce = null where withdrawal in (select withdrawal from voided) and state = 'bound'`,
      [withdrawal, n],
    )
  }

  async sent(sent: readonly (Numbered & { readonly hint: string })[]): Promise<void> {
    await this.#each(
      sent.length,
      `update payout_attempts a set sent_at = $1, sends = sends + 1, hint = f.hint
       from unnest($2::bigint[], $3::int[], $4::text[]) as f (withdrawal, n, hint)
       where a.withdrawal = f.withdrawal and a.n = f.n and a.raw is not null`,
      ...[this.#clock(), sent.map(({ withdrawal }) => withdrawal), sent.map(({ n }) => n), sent.map(({ hint }) => hint)],
    )
  }

  async bury(withdrawal: number): Promise<void> {
    await this.#client.query(`update payout_attempts set fate = 'dead' where withdrawal = $1 and fate = 'open' and raw is not null`, [
      withdrawal,
    ])
  }

  async settle(ended: readonly Settled[]): Promise<void> {
    if (ended.length === 0) return
    await this.#each(
      ended.length,
      `with f as (
         select * from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::numeric[]) as f (withdrawal, fate, txid, block, fee)
       ), attempts as (
         update payout_attempts a set fate =
           case when a.txid = f.txid then f.fate when a.raw is null then 'void' when a.fate = 'open' then 'replaced' else a.fate end
         from f where a.withdrawal = f.withdrawal
       )
       update payouts p set state = 'settled', fate = f.fate, txid = f.txid, block = f.block, fee = f.fee, settled_at = $1, trouble = null
       from f where p.withdrawal = f.withdrawal and p.state = 'signed'`,
      ...[this.#clock(), ended.map(({ withdrawal }) => withdrawal), ended.map(({ fate }) => fate)],
      ...[ended.map(({ proof }) => proof.txid), ended.map(({ proof }) => proof.block), ended.map(({ proof }) => String(proof.fee))],
    )
  }

  /** It fails without a transaction: the signer never signs for it. */
  async refuse(withdrawal: number): Promise<void> {
    const text = `update payouts set state = 'settled', fate = 'refused', settled_at = $1, trouble = null where withdrawal = $2 and state = 'taken'`
    await this.#each(1, text, this.#clock(), withdrawal)
  }

  async done(withdrawals: readonly number[]): Promise<void> {
    if (withdrawals.length === 0) return
    const text = `update payouts set state = 'done', done_at = $1, trouble = null where withdrawal = any($2) and state = 'settled'`
    await this.#each(withdrawals.length, text, this.#clock(), withdrawals)
  }

  /** Why a payout does not move, when it is tried again, and how often in a row the signer refused it for that. */
  async trouble(withdrawal: number, reason: string | undefined, retryAt: number, refusals: number): Promise<void> {
    const text = 'update payouts set trouble = $2, retry_at = $3, refusals = $4 where withdrawal = $1'
    await this.#client.query(text, [withdrawal, reason ?? null, retryAt, refusals])
  }

  /** Those that the signer refused are tried again now. */
  async wake(): Promise<void> {
    await this.#client.query(`update payouts set retry_at = 0 where network = $1 and state <> 'done' and refusals > 0`, [this.#network])
  }

  async #rows<Row extends object>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#client.query<Row>(text, [...values])).rows
  }

  async #each(count: number, text: string, ...values: readonly unknown[]): Promise<void> {
    const { rowCount } = await this.#client.query(text, [...values])
    if (rowCount !== count) throw new Error('A payout is not in the state that this change starts from')
  }
}
