import type { AnchorLine } from '@candor/core/proof/chain/anchor.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import type pg from 'pg'
import { headKeys, type SignedHead } from './heads.ts'

type Queries = Pick<pg.Pool, 'query'>

/** An anchor that was sent: the transaction that is in a final block, or else the newest one. */
type AnchorRow = {
  readonly network: string
  readonly day: string
  readonly raw: string
  readonly txid: string
  readonly block: number | null
  readonly block_hash: string | null
} & SignedHead

/** Anchors of days before `before`, newest first. */
export async function anchorsBefore(queries: Queries, before: string | undefined, limit: number): Promise<readonly AnchorLine[]> {
  const { rows } = await queries.query<AnchorRow>(
    `select a.network, a.day, t.raw, t.txid, a.block, a.block_hash, h.n, h.at_ms as at, h.seq, h.body as text, h.signature
     from anchors a join proof_heads h on h.n = a.head join lateral (
       select raw, txid from anchor_attempts t
       where t.network = a.network and t.day = a.day and t.sent_at is not null and (a.txid is null or t.txid = a.txid) order by t.n desc limit 1
     ) t on true
     where $1::text is null or a.day < $1 order by a.day desc, a.network limit $2`,
    [before ?? null, limit],
  )
  const keys = await headKeys(queries)
  return rows.map(({ network, raw, txid, block, block_hash: hash, n, text, signature }) => ({
    ...{ anchor: raw, txid, network, block: block === null || hash === null ? null : { number: block, hash } },
    ...{ head: { n, text, signature }, keys: keys.slice(0, readHeadText(text)?.key) },
  }))
}

/** By network that has ever written one: the time of the newest head that is in a final block, and that of the first plan. */
export async function anchorTimes(
  queries: Queries,
): Promise<readonly { readonly network: string; readonly at: number | undefined; readonly since: number }[]> {
  const { rows } = await queries.query<{ network: string; at: number | null; since: number }>(
    `select a.network, max(h.at_ms) filter (where a.state = 'settled') as at, min(a.made_at) as since
     from anchors a join proof_heads h on h.n = a.head group by a.network`,
  )
  return rows.map(({ network, at, since }) => ({ network, at: at ?? undefined, since }))
}
