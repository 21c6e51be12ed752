/** The two tables of anchors, on the one connection that holds the network's lock. */
import { headHash } from '@candor/core/proof/chain/possession.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import { lockNetwork, networkWork, unlockNetwork } from '../payout/network-lock.ts'
import { type Attempt, type AttemptRow, attemptsOf, slotText } from '../payout/rows.ts'
import type { Proof } from '../payout/chain.ts'
import type { Signed, Slot } from '../ports.ts'

export type AnchorRow = {
  readonly network: string
  readonly day: string
  /** Number of the head, and its leaf. */
  readonly head: number
  readonly hash: string
  /** As of sweeps. `void`: nothing was signed for the day, and nothing will be. */
  readonly state: 'planned' | 'bound' | 'signed'
  readonly nonce: number | null
  readonly retry_at: number
}
export type AnchorAttempt = Pick<AttemptRow, 'n' | 'slot' | 'raw' | 'txid' | 'planned_at' | 'signed_at' | 'sent_at'>

export class AnchorTables {
  readonly #client: pg.ClientBase
  readonly #network: string
  readonly #clock: Clock

  constructor(client: pg.ClientBase, network: string, clock: Clock) {
    this.#client = client
    this.#network = network
    this.#clock = clock
  }

  lock(): Promise<boolean> {
    return lockNetwork(this.#client, networkWork.anchors, this.#network)
  }

  unlock(): Promise<void> {
    return unlockNetwork(this.#client, networkWork.anchors, this.#network)
  }

  /** The one that did not end. There is at most one: the next day waits for it. */
  async open(): Promise<AnchorRow | undefined> {
    const [row] = await this.#rows<Omit<AnchorRow, 'hash'> & { body: string }>(
      `select a.network, a.day, a.head, h.body, a.state, a.nonce, a.retry_at from anchors a join proof_heads h on h.n = a.head
       where a.network = $1 and a.state in ('planned', 'bound', 'signed') order by a.day limit 1`,
    )
    if (row === undefined) return undefined
    const { body, ...rest } = row
    return { ...rest, hash: headHash(body) }
  }

  async has(day: string): Promise<boolean> {
    return (await this.#rows('select from anchors where network = $1 and day = $2', day)).length > 0
  }

  /** Plans the newest head, if it is of the day. */
  async plan(day: string): Promise<void> {
    const from = Date.parse(day)
    await this.#client.query(
      `insert into anchors (network, day, head, state, made_at)
       select $1, $2, n, 'planned', $5 from proof_heads where n = (select max(n) from proof_heads) and at_ms >= $3 and at_ms < $4
       on conflict do nothing`,
      [this.#network, day, from, from + 86_400_000, this.#clock()],
    )
  }

  async lastNonce(): Promise<number | undefined> {
    const [row] = await this.#rows<{ last: number | null }>('select max(nonce) as last from anchors where network = $1')
    return row?.last ?? undefined
  }

  attempts(day: string): Promise<readonly AnchorAttempt[]> {
    return this.#rows<AnchorAttempt>(
      'select n, slot, raw, txid, planned_at, signed_at, sent_at from anchor_attempts where network = $1 and day = $2 order by n',
      day,
    )
  }

  /** A nonce and the first slot, at once. */
  bind(day: string, nonce: number, slot: Slot): Promise<number> {
    return this.#number(
      `with bound as (update anchors set state = 'bound', nonce = $5 where network = $1 and day = $2 and state = 'planned' returning day)
       insert into anchor_attempts (network, day, n, slot, planned_at) select $1, day, 1, $3::jsonb, $4 from bound returning n`,
      ...[day, slotText(slot), this.#clock(), nonce],
    )
  }

  /** The signer refused the slot, for which it has signed nothing: another one is tried later. */
  async unbind(day: string): Promise<void> {
    await this.#client.query(
      `with gone as (delete from anchor_attempts where network = $1 and day = $2 and raw is null)
       update anchors set state = 'planned', nonce = null where network = $1 and day = $2 and state = 'bound'`,
      [this.#network, day],
    )
  }

  /** Another slot of one that has a signed transaction. */
  replan(day: string, slot: Slot): Promise<number> {
    return this.#number(
      `insert into anchor_attempts (network, day, n, slot, planned_at)
       select $1, day, (select max(n) + 1 from anchor_attempts where network = $1 and day = $2), $3::jsonb, $4
       from anchors where network = $1 and day = $2 and state = 'signed' returning n`,
      ...[day, slotText(slot), this.#clock()],
    )
  }

  store(day: string, n: number, { raw, txid }: Signed): Promise<void> {
    return this.#one(
      `with kept as (
         update anchor_attempts set raw = $4, txid = $5, signed_at = $6 where network = $1 and day = $2 and n = $3 and raw is null returning day
       )
       update anchors set state = 'signed', trouble = null
       where network = $1 and day in (select day from kept) and state in ('bound', 'signed')`,
      ...[day, n, raw, txid, this.#clock()],
    )
  }

  sent(day: string, n: number, hint: string): Promise<void> {
    return this.#one(
      'update anchor_attempts set sent_at = $4, sends = sends + 1, hint = $5 where network = $1 and day = $2 and n = $3 and raw is not null',
      ...[day, n, this.#clock(), hint],
    )
  }

  /** The signer refused what nothing was signed for: the day has no anchor. */
  async abandon(day: string, why: string): Promise<void> {
    await this.#client.query(
      `update anchors set state = 'void', nonce = null, trouble = $3
       where network = $1 and day = $2 and state in ('planned', 'bound')
         and not exists (select from anchor_attempts where network = $1 and day = $2 and raw is not null)`,
      [this.#network, day, why],
    )
  }

  settle(day: string, { txid, block, fee }: Extract<Proof, { kind: 'settled' }>, blockHash: string): Promise<void> {
    return this.#one(
      `update anchors set state = 'settled', txid = $3, block = $4, block_hash = $5, fee = $6, settled_at = $7, trouble = null
       where network = $1 and day = $2 and state = 'signed'`,
      ...[day, txid, block, blockHash, String(fee), this.#clock()],
    )
  }

  async trouble(day: string, reason: string, retryAt: number): Promise<void> {
    await this.#client.query('update anchors set trouble = $3, retry_at = $4 where network = $1 and day = $2', [
      ...[this.#network, day, reason, retryAt],
    ])
  }

  async #rows<Row extends object>(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    return (await this.#client.query<Row>(text, [this.#network, ...values])).rows
  }

  async #number(text: string, ...values: readonly unknown[]): Promise<number> {
    const [row] = await this.#rows<{ n: number }>(text, ...values)
    if (row === undefined) throw new Error(`The anchor of ${String(values[0])} is not in the state that its slot needs`)
    return row.n
  }

  async #one(text: string, ...values: readonly unknown[]): Promise<void> {
    const { rowCount } = await this.#client.query(text, [this.#network, ...values])
    if (rowCount !== 1) throw new Error(`The anchor of ${String(values[0])} is not in the state that this change starts from`)
  }
}

/** All that were signed, in their order. */
export const signedOf = (rows: readonly AnchorAttempt[]): readonly Attempt[] =>
  attemptsOf(rows.map((row) => ({ ...row, withdrawal: 0, fate: 'open' as const })))
