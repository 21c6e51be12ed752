import type { Units } from '@candor/core/money/brand.ts'
import type { PresaleTerms } from '@candor/core/protocol/command/presale.ts'
import type { PresaleNumber, UserId } from '@candor/core/protocol/ids.ts'
import type { PresaleOutcome } from '@candor/core/protocol/wire/presale.ts'
import type pg from 'pg'

/** A presale in units, with the text of its details as they were hashed. Null for details that are not there. */
export type PresaleRow = {
  readonly number: PresaleNumber
  readonly terms: PresaleTerms
  readonly subscribed: Units
  readonly subscribers: number
  readonly outcome: PresaleOutcome | null
  readonly sold: Units | null
  readonly proceeds: Units | null
  readonly decidedAt: number | null
  readonly unlockedAt: number | null
  readonly details: string | null
}

export type SubscriptionRow = {
  readonly amount: Units
  readonly firstAt: number
  readonly lastAt: number
  readonly allocated: Units | null
  readonly cost: Units | null
  readonly refunded: Units | null
  readonly released: Units | null
}

const saleColumns = `sale.number, sale.terms, sale.subscribed, sale.subscribers, sale.outcome, sale.sold, sale.proceeds,
  sale.decided_at_ms as "decidedAt", sale.unlocked_at_ms as "unlockedAt", given.details`
const details = `left join presale_details given on given.number = sale.number and given.hash = sale.terms ->> 'detailsHash'`
const subscriptionColumns = `own.amount, own.first_at_ms as "firstAt", own.last_at_ms as "lastAt", own.allocated, own.cost, own.refunded,
  own.released`

/** The newest presales. */
const shownMax = 200

/** All presales, or one; the one that begins last first. */
export async function presalesOf(pool: pg.Pool, number?: PresaleNumber): Promise<readonly PresaleRow[]> {
  const { rows } = await pool.query<PresaleRow>(
    `select ${saleColumns} from presales sale ${details} where $1::bigint is null or sale.number = $1
     order by (sale.terms ->> 'startsAt')::bigint desc, sale.number desc limit ${shownMax}`,
    [number ?? null],
  )
  return rows
}

/** A user's subscriptions, or the one to a presale; the newest first. */
export async function subscriptionsOf(
  pool: pg.Pool,
  user: UserId,
  number?: PresaleNumber,
): Promise<readonly (PresaleRow & { readonly own: SubscriptionRow })[]> {
  const { rows } = await pool.query<PresaleRow & SubscriptionRow>(
    `select ${saleColumns}, ${subscriptionColumns} from presale_subscriptions own join presales sale on sale.number = own.presale ${details}
     where own.user_id = $1 and ($2::bigint is null or own.presale = $2) order by own.first_at_ms desc, own.presale desc limit ${shownMax}`,
    [user, number ?? null],
  )
  return rows.map((row) => ({ ...row, own: row }))
}

/** The bytes of a whitepaper by its hash; undefined when there is none. */
export async function paperOf(pool: pg.Pool, hash: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query<{ bytes: Buffer }>('select bytes from presale_papers where hash = $1', [hash])
  return rows[0]?.bytes
}

/** A whitepaper that some terms name. Others are not public: one member alone could hand out any file in the name of the exchange. */
export async function publicPaperOf(pool: pg.Pool, hash: string): Promise<Buffer | undefined> {
  const { rows } = await pool.query("select from presales where terms ->> 'documentHash' = $1 limit 1", [hash])
  return rows.length === 0 ? undefined : paperOf(pool, hash)
}

/** The text of details by its hash. Only those that some terms named are public. */
export async function detailsOf(pool: pg.Pool, hash: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ details: string }>(
    `select given.details from presale_details given join presales sale on sale.number = given.number
     where given.hash = $1 and sale.terms ->> 'detailsHash' = $1`,
    [hash],
  )
  return rows[0]?.details
}
