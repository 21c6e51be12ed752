import { CompiledQuery, type Kysely } from 'kysely'
import type pg from 'pg'
import type { PasskeyJson } from '../../identity/factors/passkeys.ts'
import { Refused } from '../../refused.ts'
import type { Destination } from '../book/book.ts'
import type { ChainsConfig } from '../config.ts'
import type { Payment } from '../signer/statement.ts'
import { assertion, type RequestJson } from '../signer/wire.ts'

/** The customer's proof that a wish is theirs. */
export type CustomerProof = Extract<RequestJson, { kind: 'sign' }>['customer']

/** What a customer asks for, as the signer will check it. `contract` null: the network's own coin. */
export type Wish = { readonly payment: Payment; readonly asset: string; readonly destination: Destination }

/** Runs a statement and returns its rows. */
export type Run = (text: string, values: readonly unknown[]) => Promise<readonly unknown[]>

export const byPool =
  (pool: pg.Pool): Run =>
  async (text, values) =>
    (await pool.query(text, [...values])).rows

/** In the transaction of another room. */
export const within =
  <Tables>(transaction: Kysely<Tables>): Run =>
  async (text, values) =>
    (await transaction.executeQuery(CompiledQuery.raw(text, [...values]))).rows

type Row = {
  readonly withdrawal: number | null
  readonly destination: number
  readonly network: string
  readonly asset: string
  readonly recipient: string
  readonly value: string
}

/**
 * The wish as it was written under its client id, if it was. `withdrawal` null: the core has refused it, or its answer was not noted.
 *
 * throws  Refused CLIENT_ID_REUSED when another one was
 */
export async function written(run: Run, { payment, asset, destination }: Wish): Promise<Pick<Row, 'withdrawal'> | undefined> {
  const [row] = (await run(
    'select withdrawal, destination, network, asset, recipient, value::text from withdrawal_wishes where user_no = $1 and client_id = $2',
    [payment.user, payment.clientId],
  )) as readonly Row[]
  if (row === undefined) return undefined
  const isSame =
    row.destination === destination.number &&
    row.network === destination.network &&
    row.asset === asset &&
    row.recipient === destination.address &&
    BigInt(row.value) === payment.value
  if (!isSame) throw new Refused('CLIENT_ID_REUSED', { field: 'clientId' })
  return row
}

/** What was to arrive by the wish of this client id, in the smallest unit of the token; undefined without one. */
export async function valueWritten(run: Run, user: number, clientId: string): Promise<bigint | undefined> {
  const [row] = (await run('select value::text from withdrawal_wishes where user_no = $1 and client_id = $2', [
    user,
    clientId,
  ])) as readonly {
    value: string
  }[]
  return row === undefined ? undefined : BigInt(row.value)
}

/**
 * `isForFirm`: a request of the firm was approved.
 *
 * throws  Refused FIRM_NEEDS_REQUEST for an account of a firm otherwise; WITHDRAWALS_PAUSED with the seconds to wait, after a change of the
 *         account's protection
 */
export async function refusePaused(run: Run, account: string, now: number, isForFirm = false): Promise<void> {
  const [row] = (await run('select withdrawals_closed_until as until, firm from accounts where id = $1', [account])) as readonly {
    until: number
    firm: string | null
  }[]
  if (row !== undefined && row.firm !== null && !isForFirm) throw new Refused('FIRM_NEEDS_REQUEST')
  if (row !== undefined && row.until > now) throw new Refused('WITHDRAWALS_PAUSED', { retryAfter: Math.ceil((row.until - now) / 1_000) })
}

/** Written once, before the core is asked. It never changes, apart from its number. */
export async function writeWish(
  run: Run,
  { payment, asset, destination }: Wish,
  { account, customer, now }: { readonly account: string; readonly customer: CustomerProof; readonly now: number },
): Promise<void> {
  const { user, clientId, network, chainId, contract = null, to, value } = payment
  await run(
    `insert into withdrawal_wishes
       (user_no, client_id, account, destination, network, chain_id, asset, contract, recipient, value, customer, made_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      ...[user, clientId, account, destination.number, network, chainId, asset, contract, to],
      ...[String(value), JSON.stringify(customer), now],
    ],
  )
}

/** Notes the number that the core gave to the wish. */
export async function numberWish(pool: pg.Pool, user: number, clientId: string, withdrawal: number): Promise<void> {
  await pool.query('update withdrawal_wishes set withdrawal = $3 where user_no = $1 and client_id = $2 and withdrawal is null', [
    ...[user, clientId, withdrawal],
  ])
}

/** By then the gateway that asked the core has noted the number, unless it has ended. */
const mendAfterMs = 60_000
/** How far the clocks of gateway and engine may differ. */
const clockMs = 5_000

/**
 * Gives wishes their numbers where a gateway ended between the core's answer and the note of it. Of several equal wishes the oldest is
 * taken: the customer signed each of them, and the same payment follows.
 *
 * returns  how many
 */
export async function mendWishes(pool: pg.Pool, { networks }: ChainsConfig, now: number): Promise<number> {
  const coins = networks.flatMap(({ name, number, tokens }) => tokens.map(({ asset, decimals }) => ({ name, number, asset, decimals })))
  const { rows } = await pool.query<{ id: number; user: number; client: string }>(
    `select w.id, w.user_id as user, s.client_id as client
     from core_withdrawals w
     join unnest($1::int[], $2::text[], $3::text[], $4::int[]) as c (number, name, asset, decimals)
       on c.number = w.network and c.asset = w.asset
     join withdrawal_wishes s on s.user_no = w.user_id and s.withdrawal is null and s.destination = w.destination
       and s.network = c.name and s.asset = c.asset and s.value = (w.amount - w.fee) * power(10::numeric, c.decimals)
       and s.made_at <= w.requested_at_ms + ${clockMs}
     where w.state in ('requested', 'approved') and w.requested_at_ms < $5
       and not exists (select from withdrawal_wishes known where known.withdrawal = w.id)
     order by w.id, s.made_at`,
    [
      ...[coins.map(({ number }) => number), coins.map(({ name }) => name), coins.map(({ asset }) => asset)],
      ...[coins.map(({ decimals }) => decimals), now - mendAfterMs],
    ],
  )
  const [withdrawals, wishes] = [new Set<number>(), new Set<string>()]
  for (const { id, user, client } of rows) {
    if (withdrawals.has(id) || wishes.has(`${user} ${client}`)) continue
    await numberWish(pool, user, client, id)
    withdrawals.add(id)
    wishes.add(`${user} ${client}`)
  }
  return withdrawals.size
}

/** What the signer wants of an answer, in its own form. throws  Refused PASSKEY_WRONG for one that it would not read */
export function assertionOf({ id, response }: PasskeyJson): Extract<CustomerProof, { kind: 'passkey' }>['assertion'] {
  const { clientDataJSON, authenticatorData, signature } = (response ?? {}) as Readonly<Record<string, unknown>>
  const read = assertion.safeParse({ id, clientDataJSON, authenticatorData, signature })
  if (!read.success) throw new Refused('PASSKEY_WRONG')
  return read.data
}
