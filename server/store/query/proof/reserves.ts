import { readReserveText } from '@candor/core/proof/chain/reserve-text.ts'
import type { ReserveFile } from '@candor/core/proof/chain/reserves.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import type pg from 'pg'
import { headKeys, headsFrom, type SignedHead } from './heads.ts'
import { statementOf } from './statements.ts'

type Queries = Pick<pg.Pool, 'query'>

export type ListedReserves = { readonly n: number; readonly at: number; readonly head: number }

/** Signed statements before the number `before`, newest first. */
export async function reservesBefore(queries: Queries, before: number | undefined, limit: number): Promise<readonly ListedReserves[]> {
  const sql = `select n, at_ms as at, head from reserve_statements
    where signature is not null and ($1::bigint is null or n < $1) order by n desc limit $2`
  return (await queries.query<ListedReserves>(sql, [before ?? null, limit])).rows
}

/** The time of the newest statement that anybody can download; undefined before the first. */
export async function reservesAt(queries: Queries): Promise<number | undefined> {
  return (await reservesBefore(queries, undefined, 1))[0]?.at
}

/** A signed statement as it is downloaded; undefined when there is none. */
export async function reserveFile(queries: Queries, n: number): Promise<ReserveFile | undefined> {
  const { rows } = await queries.query<{ body: string; signature: string; head: number }>(
    'select body, signature, head from reserve_statements where n = $1 and signature is not null',
    [n],
  )
  const [row] = rows
  const statement = row && readReserveText(row.body)
  const [head] = row === undefined ? [] : await headsFrom(queries, row.head, 1)
  const read = head && readHeadText(head.text)
  if (row === undefined || statement === undefined || head === undefined || read === undefined) return undefined
  const owed = await statementOf(queries, read.liabilities.n)
  if (owed === undefined) return undefined
  const signed = statement.networks.flatMap(({ name, addresses }) =>
    addresses.flatMap(({ address, signed: day }) => (day === undefined ? [] : [{ network: name, address, day }])),
  )
  const signatures = await signaturesOf(queries, signed)
  const earlier = [...new Set(signatures.map((each) => each.head))].filter((number) => number !== head.n).sort((a, b) => a - b)
  return {
    ...{ reserves: row.body, signature: row.signature, head: shown(head) },
    keys: (await headKeys(queries)).slice(0, read.key),
    liabilities: owed.text,
    heads: await Promise.all(earlier.map(async (number) => shown((await headsFrom(queries, number, 1))[0]!))),
    signatures,
  }
}

type Wanted = { readonly network: string; readonly address: string; readonly day: string }

async function signaturesOf(queries: Queries, wanted: readonly Wanted[]): Promise<ReserveFile['signatures']> {
  const { rows } = await queries.query<ReserveFile['signatures'][number]>(
    `select network, address, head, signature from unnest($1::text[], $2::text[], $3::text[]) with ordinality as w (network, address, day, nth)
     join reserve_signatures using (network, address, day) order by nth`,
    (['network', 'address', 'day'] as const).map((name) => wanted.map((each) => each[name])),
  )
  return rows
}

const shown = ({ n, text, signature }: SignedHead) => ({ n, text, signature })
