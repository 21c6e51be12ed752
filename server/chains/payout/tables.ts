/** The two tables of payouts, on the one connection that holds the network's lock. Each change names the state that it starts from. */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { lockNetwork, networkWork, unlockNetwork } from './network-lock.ts'
import type { Signed, Slot } from '../ports.ts'
import type { Proof } from './chain.ts'
import { type Approvals, type Approved, type AttemptRow, type PayoutRow, slotText } from './rows.ts'

const columns =
  'withdrawal, network, chain_id, user_no, client_id, contract, recipient, value::text, proofs, state, nonce, fate, txid, trouble, retry_at'

const isEnded = `exists (
  select from chain_decisions d where d.kind = 'ending' and d.withdrawal = payouts.withdrawal and d.state = 'approved') as is_ended`

const addAttempt = `
  insert into payout_attempts (withdrawal, n, slot, fate, planned_at)
  select $1::bigint, (select coalesce(max(n), 0) + 1 from payout_attempts where withdrawal = $1), $2::jsonb, 'open', $3::bigint`

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

  /** returns  whether it is new */
  async take({ payment, proofs }: Approved): Promise<boolean> {
    const { withdrawal, network, chainId, user, clientId, contract = null, to, value } = payment
    if (network !== this.#network) throw new Error(`Withdrawal ${withdrawal} is of another network`)
    const { rowCount } = await this.#client.query(
      `insert into payouts (withdrawal, network, chain_id, user_no, client_id, contract, recipient, value, proofs, state, taken_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'taken', $10) on conflict (withdrawal) do nothing`,
      [withdrawal, network, chainId, user, clientId, contract, to, value.toString(), JSON.stringify(proofs), this.#clock()],
    )
    return rowCount === 1
  }

  /** All that did not end, in the order of the chain: by nonce, then by number. */
  open(): Promise<readonly PayoutRow[]> {
    return this.#rows<PayoutRow>(
      `select ${columns}, ${isEnded} from payouts where network = $1 and state <> 'done' order by nonce nulls last, withdrawal`,
      this.#network,
    )
  }

  attempts(withdrawal: number): Promise<readonly AttemptRow[]> {
    return this.#rows<AttemptRow>('select * from payout_attempts where withdrawal = $1 order by n', withdrawal)
  }

  /** Signatures of operators whose keys are in the signer's policy, of members who still may. */
  async approvals(withdrawal: number): Promise<Approvals> {
    const rows = await this.#rows<{ approval: Approvals[number] }>(
      `select a.approval from payout_approvals a
       join payout_operators o on o.operator = a.operator and o.key = a.approval -> 'assertion' ->> 'id'
       where a.withdrawal = $1 and withdrawals_may(a.staff) order by a.signed_at limit 8`,
      withdrawal,
    )
    return rows.map(({ approval }) => approval)
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

  /** Sum of the same token in payouts whose fate is open, without this one. */
  async underway({ withdrawal, contract }: PayoutRow): Promise<bigint> {
    const [row] = await this.#rows<{ sum: string }>(
      `select coalesce(sum(value), 0)::text as sum from payouts
       where network = $1 and state in ('bound', 'signed') and withdrawal <> $2 and contract is not distinct from $3`,
      ...[this.#network, withdrawal, contract],
    )
    return BigInt(row?.sum ?? 0)
  }

  async lastNonce(): Promise<number | undefined> {
    const [row] = await this.#rows<{ last: number | null }>('select max(nonce) as last from payouts where network = $1', this.#network)
    return row?.last ?? undefined
  }

  /** A nonce and the first slot, at once: a payout without a slot has no place. returns  the number of the attempt */
  bind(withdrawal: number, nonce: number | undefined, slot: Slot): Promise<number> {
    return this.#planned(
      `with bound as (update payouts set state = 'bound', nonce = $4 where withdrawal = $1 and state = 'taken' returning withdrawal)
       ${addAttempt} from bound returning n`,
      ...[withdrawal, slotText(slot), this.#clock(), nonce ?? null],
    )
  }

  /** Another slot of a payout that has a signed transaction. returns  the number of the attempt */
  plan(withdrawal: number, slot: Slot): Promise<number> {
    const text = `${addAttempt} from payouts where withdrawal = $1 and state = 'signed' returning n`
    return this.#planned(text, withdrawal, slotText(slot), this.#clock())
  }

  /** Both at once: what the signer gave, and that only the chain decides from now on. */
  store(withdrawal: number, n: number, { raw, txid }: Signed): Promise<void> {
    return this.#one(
      `with kept as (
         update payout_attempts set raw = $3, txid = $4, signed_at = $5 where withdrawal = $1 and n = $2 and raw is null returning withdrawal
       )
       update payouts set state = 'signed', trouble = null where withdrawal in (select withdrawal from kept) and state in ('bound', 'signed')`,
      ...[withdrawal, n, raw, txid, this.#clock()],
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

  sent(withdrawal: number, n: number, hint: string): Promise<void> {
    return this.#one(
      'update payout_attempts set sent_at = $3, sends = sends + 1, hint = $4 where withdrawal = $1 and n = $2 and raw is not null',
      ...[withdrawal, n, this.#clock(), hint],
    )
  }

  async bury(withdrawal: number): Promise<void> {
    await this.#client.query(`update payout_attempts set fate = 'dead' where withdrawal = $1 and fate = 'open' and raw is not null`, [
      withdrawal,
    ])
  }

  settle(withdrawal: number, fate: 'paid' | 'reverted', { txid, block, fee }: Extract<Proof, { kind: 'settled' }>): Promise<void> {
    return this.#one(
      `with ended as (
         update payout_attempts set fate = case when txid = $3 then $2 when raw is null then 'void' when fate = 'open' then 'replaced' else fate end
         where withdrawal = $1
       )
       update payouts set state = 'settled', fate = $2, txid = $3, block = $4, fee = $5, settled_at = $6, trouble = null
       where withdrawal = $1 and state = 'signed'`,
      ...[withdrawal, fate, txid, block, fee.toString(), this.#clock()],
    )
  }

  /** It fails without a transaction: the signer never signs for it. */
  refuse(withdrawal: number): Promise<void> {
    return this.#one(
      `update payouts set state = 'settled', fate = 'refused', settled_at = $2, trouble = null where withdrawal = $1 and state = 'taken'`,
      withdrawal,
      this.#clock(),
    )
  }

  done(withdrawal: number): Promise<void> {
    return this.#one(
      `update payouts set state = 'done', done_at = $2 where withdrawal = $1 and state = 'settled'`,
      withdrawal,
      this.#clock(),
    )
  }

  async trouble(withdrawal: number, reason: string | undefined, retryAt: number): Promise<void> {
    await this.#client.query('update payouts set trouble = $2, retry_at = $3 where withdrawal = $1', [withdrawal, reason ?? null, retryAt])
  }

  async #rows<Row extends object>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#client.query<Row>(text, [...values])).rows
  }

  async #planned(text: string, ...values: readonly unknown[]): Promise<number> {
    const [row] = await this.#rows<{ n: number }>(text, ...values)
    if (row === undefined) throw new Error(`A payout is not in the state that its slot needs: ${String(values[0])}`)
    return row.n
  }

  async #one(text: string, ...values: readonly unknown[]): Promise<void> {
    const { rowCount } = await this.#client.query(text, [...values])
    if (rowCount !== 1) throw new Error(`A payout is not in the state that this change starts from: ${String(values[0])}`)
  }
}
