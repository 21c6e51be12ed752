import { receiptText } from '@candor/core/proof/receipt.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { createHmac, hash } from 'node:crypto'
import type pg from 'pg'

type Queries = Pick<pg.Pool, 'query'>

/** A receipt that has, or will have, a leaf: what its text and its salt are made of. */
export type ReceiptRow = {
  readonly seq: number
  readonly user: number
  readonly at: number
  readonly lines: string
  readonly uid: string
  readonly secret: Buffer
}

/** A leaf in the order of its tree, with what it is of. */
export type ReceiptLeaf = { readonly seq: number; readonly user: number; readonly hash: Buffer }

/** Commands whose receipts are in the tree of a head: after `after`, up to `seq`. */
export type ReceiptRange = { readonly head: number; readonly after: number; readonly seq: number }

/** Hashes in one row of `receipt_trees`: 8 KB. */
export const rowHashes = 256

/** Few, because the follower has other work beside the heads. */
const pageRows = 200

/** The customer's secret and the place of the command make the salt, so that no leaf of another customer can be guessed. */
export function saltOf(of: Pick<ReceiptRow, 'secret' | 'seq'>): Buffer {
  return Buffer.from(saltText(of), 'latin1')
}

/** One-shot hashes as text of one byte per letter are several times as fast as those in buffers. */
function saltText({ secret, seq }: Pick<ReceiptRow, 'secret' | 'seq'>): string {
  return createHmac('sha256', secret).update(String(seq)).digest('latin1')
}

export function textOf({ seq, at, uid, lines }: Pick<ReceiptRow, 'seq' | 'at' | 'uid' | 'lines'>): string {
  return receiptText({ seq, at, user: uid }, lines)
}

const saltBytes = 32
/** A zero, the salt, and the text, which is ASCII. As long as the longest one so far. */
let leafBytes = Buffer.alloc(8_192)

/** The hash of `receiptLeaf` of the core, computed by the platform. */
export function leafOf(row: ReceiptRow): Buffer {
  const text = textOf(row)
  const end = 1 + saltBytes + text.length
  if (end > leafBytes.length) leafBytes = Buffer.alloc(end)
  leafBytes.write(saltText(row), 1, saltBytes, 'latin1')
  leafBytes.write(text, 1 + saltBytes, text.length, 'latin1')
  return Buffer.from(hash('sha256', leafBytes.subarray(0, end), 'latin1'), 'latin1')
}

const columns = 'seq, user_id as user, at_ms as at, lines, uid, secret'

/** Time of the first receipt at this place or later, of anybody: times rise with places, and a customer's receipts are found by their time. */
const timeAt = (place: string): string =>
  `coalesce((select at_ms from receipts where seq >= ${place} order by seq limit 1), ${Number.MAX_SAFE_INTEGER})`

/** Which receipts of a customer: before the command `before`, and of the commands at the time `at`. */
export type ReceiptsWanted = { readonly before?: number | undefined; readonly at?: number | undefined; readonly limit: number }

/** A customer's receipts, newest first. Those without a secret yet are in no head either. */
export async function receiptsBefore(
  queries: Queries,
  user: UserId,
  { before = Number.MAX_SAFE_INTEGER, at, limit }: ReceiptsWanted,
): Promise<readonly Pick<ReceiptRow, 'seq' | 'at' | 'lines'>[]> {
  const { rows } = await queries.query<Pick<ReceiptRow, 'seq' | 'at' | 'lines'>>(
    `select seq, at_ms as at, lines from receipts where user_id = $1 and at_ms <= ${timeAt('$2')} and seq < $2
     and ($3::bigint is null or at_ms = $3) order by at_ms desc, seq desc limit $4`,
    [user, before, at ?? null, limit],
  )
  return rows
}

/** A customer's receipts of the commands from `from` to `to` that a head may cover, oldest first. */
export async function receiptsFrom(
  queries: Queries,
  user: UserId,
  { from, to, limit }: { readonly from: number; readonly to: number; readonly limit: number },
): Promise<readonly ReceiptRow[]> {
  const { rows } = await queries.query<ReceiptRow>(
    `select ${columns} from receipts join receipt_users using (user_id) where user_id = $1
     and at_ms between ${timeAt('$2')} and ${timeAt('$3')} and seq between $2 and $3 order by at_ms, seq limit $4`,
    [user, from, to, limit],
  )
  return rows
}

/**
 * Leaves of a head's tree, in pages. Customers who had no leaf yet at that head are left out. Reads the real table also where
 * an audit has another one in front of it.
 */
export async function* leavesOf(queries: Queries, { head, after, seq }: ReceiptRange): AsyncGenerator<readonly ReceiptLeaf[]> {
  for (let last = { seq: after, user: Number.MAX_SAFE_INTEGER }; ; ) {
    const { rows } = await queries.query<ReceiptRow>(
      `select ${columns} from public.receipts join receipt_users using (user_id)
       where (seq, user_id) > ($1, $2) and seq <= $3 and head <= $4 order by seq, user_id limit ${pageRows}`,
      [last.seq, last.user, seq, head],
    )
    yield rows.map((row) => ({ seq: row.seq, user: row.user, hash: leafOf(row) }))
    if (rows.length < pageRows) return
    last = rows.at(-1)!
  }
}

/** A salt, what it is of, and the first head in which the user has leaves. */
export type ReceiptSalt = Pick<ReceiptRow, 'seq' | 'user' | 'uid'> & { readonly head: number; readonly salt: Buffer }

const saltsPerRead = 5_000

/** Salts of the receipts of the commands after `after`, up to `to`, in the order of leaves. Users without a secret are left out. */
export async function* saltsOf(
  queries: Queries,
  { after, to }: { readonly after: number; readonly to: number },
): AsyncGenerator<ReceiptSalt> {
  for (let last = { seq: after, user: Number.MAX_SAFE_INTEGER }; ; ) {
    const { rows } = await queries.query<Pick<ReceiptRow, 'seq' | 'user' | 'uid' | 'secret'> & { readonly head: number }>(
      `select seq, user_id as user, uid, secret, head from receipts join receipt_users using (user_id)
       where (seq, user_id) > ($1, $2) and seq <= $3 order by seq, user_id limit ${saltsPerRead}`,
      [last.seq, last.user, to],
    )
    for (const { secret, ...row } of rows) yield { ...row, salt: saltOf({ secret, seq: row.seq }) }
    if (rows.length < saltsPerRead) return
    last = rows.at(-1)!
  }
}
