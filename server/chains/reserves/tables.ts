/** Signatures of addresses, and statements of reserves. */
import { coldDaysMax } from '@candor/core/proof/chain/reserves.ts'
import type pg from 'pg'

type Queries = Pick<pg.Pool, 'query'>

/** `address`: as statements write it. */
export type StoredPossession = {
  readonly network: string
  readonly address: string
  readonly day: string
  readonly head: number
  readonly signature: string
}

/** A signature of the day stays as it was: there is one. */
export async function keepPossession(queries: Queries, one: StoredPossession, now: number): Promise<void> {
  await queries.query(
    `insert into reserve_signatures (network, address, day, head, signature, made_at) values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [one.network, one.address, one.day, one.head, one.signature, now],
  )
}

/** The newest signature of an address that still counts on a day, for a cold one. */
export async function coldPossession(
  queries: Queries,
  network: string,
  address: string,
  day: string,
): Promise<StoredPossession | undefined> {
  const { rows } = await queries.query<StoredPossession>(
    `select network, address, day, head, signature from reserve_signatures
     where network = $1 and address = $2 and day <= $3 and day::date >= $3::date - $4::integer order by day desc limit 1`,
    [network, address, day, coldDaysMax],
  )
  return rows[0]
}

/**
 * The head that addresses sign on a day: its first one that names a statement of liabilities. So it is the same after whatever failed
 * meanwhile: no address signs two.
 */
export async function headOfDay(queries: Queries, day: string): Promise<{ readonly n: number; readonly text: string } | undefined> {
  const from = Date.parse(day)
  const { rows } = await queries.query<{ n: number; text: string }>(
    `select n, body as text from proof_heads
     where at_ms >= $1 and at_ms < $2 and body not like '%' || chr(10) || 'liabilities 0 %' order by n limit 1`,
    [from, from + 86_400_000],
  )
  return rows[0]
}

/** The public key, in hex, of the first key that signs heads: who signs them. There is one where there is a head. */
export async function firstKey(queries: Queries): Promise<string> {
  const { rows } = await queries.query<{ key: string }>('select public_key as key from proof_keys order by key limit 1')
  return rows[0]!.key
}

/** The head of each day since, as `headOfDay`, newest first. */
export async function recentHeads(
  queries: Queries,
  since: number,
): Promise<readonly { readonly n: number; readonly at: number; readonly text: string }[]> {
  const { rows } = await queries.query<{ n: number; at: number; text: string }>(
    `select distinct on (at_ms / 86400000) n, at_ms as at, body as text from proof_heads
     where at_ms >= $1::bigint / 86400000 * 86400000 and body not like '%' || chr(10) || 'liabilities 0 %' order by at_ms / 86400000 desc, n`,
    [since],
  )
  return rows
}

/** Deposit addresses that have something that was not swept, those with the most deposits first. */
export async function heldDeposits(
  queries: Queries,
  network: string,
  most: number,
): Promise<readonly { readonly address: string; readonly place: number }[]> {
  const { rows } = await queries.query<{ address: string; place: number }>(
    `select a.address, a.place from deposit_addresses a join (
       select address, max(raw) as most from deposits
       where network = $1 and swept_block is null and asset is not null and state not in ('orphaned', 'failed') group by address
     ) d on d.address = a.address where a.network = $1 order by d.most desc, a.place limit $2`,
    [network, most],
  )
  return rows
}

export async function newestStatement(
  queries: Queries,
): Promise<{ readonly n: number; readonly at: number; readonly text: string } | undefined> {
  const { rows } = await queries.query<{ n: number; at: number; text: string }>(
    'select n, at_ms as at, body as text from reserve_statements order by n desc limit 1',
  )
  return rows[0]
}

export async function keepStatement(
  queries: Queries,
  { n, at, head, text }: { readonly n: number; readonly at: number; readonly head: number; readonly text: string },
): Promise<void> {
  await queries.query('insert into reserve_statements (n, at_ms, head, body) values ($1, $2, $3, $4)', [n, at, head, text])
}
