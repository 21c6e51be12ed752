/**
 * The engine's word for the signer: which withdrawals the core approved, which of them two members ended, and which passkeys customers have. Runs in the engine's
 * process, with the core's own state: what the tables say is compared with it, and never believed alone.
 */
import type { Asset } from '@candor/core/protocol/market.ts'
import type { WithdrawalView } from '@candor/core/protocol/port.ts'
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { ChainsConfig } from '../config.ts'
import type { DigestSigner } from '../keys.ts'
import { type Ending, endingDigest, intentDigest, keyDigest, keyRemovalDigest, type Payment } from '../signer/statement.ts'

export type NotaryOptions = {
  readonly pool: pg.Pool
  readonly config: ChainsConfig
  readonly sign: DigestSigner
  /** Open withdrawals and assets, by the core in this process. */
  readonly state: () => Promise<{ readonly withdrawals: readonly WithdrawalView[]; readonly assets: readonly Asset[] }>
  readonly clock: Clock
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
}

type WishRow = {
  readonly user_no: number
  readonly client_id: string
  readonly network: string
  readonly chain_id: number
  readonly asset: string
  readonly contract: string | null
  readonly recipient: string
  readonly value: string
  readonly withdrawal: number
  readonly destination: number
  /** Of the customer's list. */
  readonly address: string
  readonly listed_on: string
  readonly core_user: number | null
}

/** What is known of a withdrawal that two members ended. `engine`: what was signed for it, perhaps with an earlier key. */
type EndingRow = {
  readonly withdrawal: number
  readonly warranted: string | null
  readonly client_id: string | null
  readonly user_no: number | null
  readonly engine: string | null
}

export class Notary {
  readonly #options: NotaryOptions
  /** Withdrawals that can't be signed for, which are told once. */
  readonly #told = new Set<number>()

  constructor(options: NotaryOptions) {
    this.#options = options
  }

  async turn(): Promise<void> {
    await this.#signApproved()
    await this.#signKeys()
  }

  async #signApproved(): Promise<void> {
    const { pool, state } = this.#options
    const { withdrawals, assets } = await state()
    const approved = withdrawals.filter(({ isApproved }) => isApproved)
    if (approved.length === 0) return
    const ended = await this.#signEndings(approved)
    const numbers = approved.map(({ withdrawal }) => withdrawal)
    const { rows: done } = await pool.query<{ withdrawal: number }>('select withdrawal from payout_warrants where withdrawal = any($1)', [
      numbers,
    ])
    const signed = new Set(done.map(({ withdrawal }) => withdrawal))
    for (const each of approved) if (!signed.has(each.withdrawal) && !ended.has(each.withdrawal)) await this.#signOne(each, assets)
  }

  /** returns  the withdrawals that two members ended: nothing else is signed for them */
  async #signEndings(approved: readonly WithdrawalView[]): Promise<ReadonlySet<number>> {
    const { pool, sign, clock } = this.#options
    const { rows } = await pool.query<EndingRow>(
      `select d.withdrawal, w.payment ->> 'clientId' as warranted, c.client_id, c.user_no, e.engine
       from chain_decisions d left join payout_warrants w using (withdrawal) left join withdrawal_wishes c using (withdrawal)
         left join payout_endings e using (withdrawal)
       where d.kind = 'ending' and d.state = 'approved' and d.withdrawal = any($1)`,
      [approved.map(({ withdrawal }) => withdrawal)],
    )
    const users = new Map(approved.map(({ withdrawal, user }) => [withdrawal as number, user as number]))
    for (const row of rows) {
      const ending = endingOf(row, users.get(row.withdrawal)!)
      const engine = sign(endingDigest(ending))
      // What another key signed, the signer may not take any more.
      if (engine === row.engine) continue
      await pool.query(
        `insert into payout_endings (withdrawal, user_no, client_id, engine, signed_at) values ($1, $2, $3, $4, $5)
         on conflict (withdrawal) do update set client_id = excluded.client_id, engine = excluded.engine, signed_at = excluded.signed_at`,
        [ending.withdrawal, ending.user, ending.clientId ?? null, engine, clock()],
      )
    }
    return new Set(rows.map(({ withdrawal }) => withdrawal))
  }

  async #signOne(view: WithdrawalView, assets: readonly Asset[]): Promise<void> {
    const { pool, sign, clock, log } = this.#options
    const { rows } = await pool.query<WishRow>(
      `select w.user_no, w.client_id, w.network, w.chain_id, w.asset, w.contract, w.recipient, w.value::text, w.withdrawal,
         w.destination, l.address, l.network as listed_on, a.core_user
       from withdrawal_wishes w join withdrawal_addresses l on l.number = w.destination join accounts a on a.id = l.account
       where w.withdrawal = $1`,
      [view.withdrawal],
    )
    const [row] = rows
    const payment = row && this.#paymentOf(view, row, assets)
    if (row === undefined || payment === undefined) {
      if (!this.#told.has(view.withdrawal))
        log({ message: `Withdrawal ${view.withdrawal} is not what its customer wished: it is not signed` })
      this.#told.add(view.withdrawal)
      return
    }
    const { value, ...rest } = payment
    await pool.query(
      `insert into payout_warrants (withdrawal, network, payment, engine, signed_at) values ($1, $2, $3, $4, $5) on conflict do nothing`,
      [view.withdrawal, payment.network, { ...rest, value: String(value) }, sign(intentDigest(payment)), clock()],
    )
  }

  /** The payment by the core, where the customer's wish and the customer's list agree with it; undefined where they do not. */
  #paymentOf(view: WithdrawalView, row: WishRow, assets: readonly Asset[]): Payment | undefined {
    const network = this.#options.config.networks.find(({ number }) => number === view.network)
    const asset = assets.find(({ id }) => id === view.asset)
    const token = network?.tokens.find((one) => one.asset === asset?.symbol)
    if (network === undefined || asset === undefined || token === undefined) return undefined
    const value = BigInt(view.amount - view.fee) * 10n ** BigInt(token.decimals - asset.scale)
    const isSame =
      [row.user_no, row.core_user].every((user) => user === view.user) &&
      row.destination === view.destination &&
      [row.network, row.listed_on].every((name) => name === network.name) &&
      row.chain_id === network.chainId &&
      row.asset === asset.symbol &&
      row.contract === (token.contract ?? null) &&
      row.recipient === row.address &&
      BigInt(row.value) === value
    if (!isSame) return undefined
    const contract = token.contract === undefined ? {} : { contract: token.contract }
    return {
      ...{ withdrawal: view.withdrawal, user: view.user, clientId: row.client_id, network: network.name, chainId: network.chainId },
      ...{ ...contract, to: row.address, value },
    }
  }

  async #signKeys(): Promise<void> {
    const { pool } = this.#options
    const { rows: added } = await pool.query<{ user: number; id: string; public_key: Buffer }>(
      `select a.core_user as user, p.credential as id, p.public_key from passkeys p join accounts a on a.id = p.account
       where a.core_user is not null and not exists (select from signer_keys k where k.id = p.credential)`,
    )
    for (const { user, id, public_key } of added) {
      const key = public_key.toString('base64url')
      await this.#signKey('add', { user, id, key }, keyDigest(user, id, key))
    }
    const { rows: gone } = await pool.query<{ user: number; id: string; key: string }>(
      `select k.user_no as user, k.id, k.public_key as key from signer_keys k
       where k.what = 'add' and not exists (select from passkeys p where p.credential = k.id)
         and not exists (select from signer_keys r where r.id = k.id and r.what = 'remove')`,
    )
    for (const { user, id, key } of gone) await this.#signKey('remove', { user, id, key }, keyRemovalDigest(user, id))
  }

  async #signKey(what: 'add' | 'remove', about: { readonly user: number; readonly id: string; readonly key: string }, digest: Buffer) {
    const { pool, sign, clock } = this.#options
    await pool.query(
      `insert into signer_keys (user_no, id, what, public_key, engine, signed_at) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
      [about.user, about.id, what, about.key, sign(digest), clock()],
    )
  }
}

/** Nothing is signed for the customer's request under another number either. A wish of another customer is none of this one. */
function endingOf({ withdrawal, warranted, client_id: clientId, user_no: by }: EndingRow, user: number): Ending {
  const wish = warranted ?? (by === user ? clientId : null)
  return { withdrawal, user, ...(wish === null ? {} : { clientId: wish }) }
}
