import { headLeaf, headText, noLiabilities, type ProofHead } from '@candor/core/proof/head.ts'
import { liabilityHash } from '@candor/core/proof/liabilities.ts'
import { nodeHash, rootOfSubtrees, subtreesOf } from '@candor/core/proof/merkle.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import { type KeyObject, sign } from 'node:crypto'
import type pg from 'pg'
import { headKeys, lastHead, treeNodes } from '../store/query/proof/heads.ts'
import { ReceiptTree } from '../store/query/proof/receipt-tree.ts'
import { leavesOf, type ReceiptRange } from '../store/query/proof/receipts.ts'
import { statementFor } from '../store/query/proof/statements.ts'
import { inTransaction } from '../store/transaction.ts'
import { drawHeadKey, publicHeadKey, readHeadKey } from './head-key.ts'
import { admitUsers } from './receipt-users.ts'

/** Advisory lock: one process at a time makes heads. */
const lockKey = 0x68656164
const minuteMs = 60_000

export type HeadMakerParts = {
  readonly pool: pg.Pool
  /** File of the key. It is generated before the first head, and never again. */
  readonly keyFile: string
  readonly clock?: () => number
  /** Tests only: a clock that never jumps. */
  readonly steady?: () => number
  /** Called once when the newest head turns out to be later than the clock, by so much. */
  readonly onAhead?: (ms: number) => void
}

/**
 * Signs a head of the journal in each minute in which the journal is not empty. It ends where the tables end, so that all receipts up to
 * there are known.
 *
 * A head that was signed under a clock that was wrong may be later than the present by any time. Its followers must be later still, so they
 * are one millisecond apart in it, and a minute of steady time: to stop until the clock has come so far would leave a gap of that length.
 */
export class HeadMaker {
  readonly #parts: HeadMakerParts
  /** On the steady clock. */
  #madeAt = Number.NEGATIVE_INFINITY
  #isAhead = false

  constructor(parts: HeadMakerParts) {
    this.#parts = parts
  }

  /**
   * Makes the head of this minute unless there is one. It is durable before anybody can read it.
   *
   * Returns the head that was made; undefined also while the tables are behind the last head, because they are being filled again.
   * throws  Error when the key is missing or another one than the one that signed so far, or the journal is shorter than the last head
   */
  async turn(): Promise<ProofHead | undefined> {
    const { pool, clock = Date.now, steady = performance.now.bind(performance) } = this.#parts
    const at = clock()
    const before = await lastHead(pool)
    this.#tell(before, at)
    if (!this.#isDue(before, at, steady())) return undefined
    const key = await this.#key()
    const made = await inTransaction(pool, async (client) => {
      await client.query('set local synchronous_commit = on')
      const { rows } = await client.query<{ has: boolean }>('select pg_try_advisory_xact_lock($1) as has', [lockKey])
      if (rows[0]?.has !== true) return undefined
      const last = await lastHead(client)
      if (!this.#isDue(last, at, steady())) return undefined
      return makeHead(client, { n: (last?.n ?? 0) + 1, at: Math.max(at, (last?.at ?? 0) + 1), after: last?.seq ?? 0, key })
    })
    if (made !== undefined) this.#madeAt = steady()
    return made
  }

  #isDue(last: Pick<ProofHead, 'at'> | undefined, at: number, steadyMs: number): boolean {
    if (last === undefined) return true
    return isAhead(last.at, at) ? steadyMs - this.#madeAt >= minuteMs : minuteOf(last.at) < minuteOf(at)
  }

  #tell(last: Pick<ProofHead, 'at'> | undefined, at: number): void {
    const ahead = last !== undefined && isAhead(last.at, at)
    if (ahead && !this.#isAhead) this.#parts.onAhead?.(last.at - at)
    this.#isAhead = ahead
  }

  /** The private key and its number. The first key enters the table with the first head. */
  async #key(): Promise<NumberedKey> {
    const { pool, keyFile } = this.#parts
    let newest = (await headKeys(pool)).at(-1)
    if (newest === undefined) drawHeadKey(keyFile)
    const secret = readHeadKey(keyFile)
    const publicKey = publicHeadKey(secret)
    if (newest === undefined) {
      await pool.query('insert into proof_keys (key, public_key) values (1, $1) on conflict do nothing', [publicKey])
      // Another process may have been first, with a key of its own in another folder.
      newest = (await headKeys(pool)).at(-1)!
    }
    if (newest.publicKey !== publicKey) throw new Error(`${keyFile} is not key ${newest.key}, which signs heads: bring that one back`)
    return { number: newest.key, secret }
  }
}

type NumberedKey = { readonly number: number; readonly secret: KeyObject }

async function makeHead(
  client: pg.PoolClient,
  { n, at, after, key }: { readonly n: number; readonly at: number; readonly after: number; readonly key: NumberedKey },
): Promise<ProofHead | undefined> {
  const { rows } = await client.query<{ seq: number; epoch: number; hash: Buffer; end: number }>(
    'select seq, epoch, hash, (select max(seq) from journal) as end from journal where seq = (select seq from projection)',
  )
  const [row] = rows
  const end = row?.end ?? (await client.query<{ end: number | null }>('select max(seq) as end from journal')).rows[0]?.end ?? 0
  if (end < after) throw new Error(`the journal ends at ${end}, and head ${n - 1} covers ${after}`)
  if (row === undefined || row.seq < after) return undefined
  const range = { head: n, after, seq: row.seq }
  const receipts = await makeTree(client, range)
  const before = await treeNodes(client, subtreesOf(n - 1))
  const statement = await statementFor(client, { seq: row.seq, at })
  const head = {
    n,
    at,
    seq: row.seq,
    epoch: row.epoch,
    hash: row.hash.toString('hex'),
    log: toHex(rootOfSubtrees(before)),
    receipts,
    liabilities: statement === undefined ? noLiabilities : { n: statement.n, hash: liabilityHash(statement.text) },
    key: key.number,
  }
  const text = headText(head)
  await client.query('insert into proof_heads (n, at_ms, seq, body, signature) values ($1, $2, $3, $4, $5)', [
    ...[n, at, row.seq, text, sign(null, Buffer.from(text), key.secret).toString('hex')],
  ])
  await keepNodes(client, n - 1, headLeaf(text), before)
  return head
}

/** Builds and stores the tree of the receipts since the head before. */
async function makeTree(client: pg.PoolClient, range: ReceiptRange): Promise<ProofHead['receipts']> {
  await admitUsers(client, range)
  const tree = new ReceiptTree(async ({ level, place, seq, user, hashes }) => {
    const row = [range.head, level, place, seq, user, hashes]
    await client.query('insert into receipt_trees (head, level, place, seq, user_id, hashes) values ($1, $2, $3, $4, $5, $6)', row)
  })
  for await (const leaves of leavesOf(client, range)) await tree.add(leaves)
  const { size, root } = await tree.end()
  return { size, root: toHex(root) }
}

/** Stores the leaf at this index and every subtree that it completes. `left`: complete subtrees of the leaves before it. */
async function keepNodes(client: pg.PoolClient, index: number, leaf: Uint8Array, left: readonly Uint8Array[]): Promise<void> {
  const open = [...left]
  let hash = leaf
  for (let [level, place] = [0, index]; ; level++) {
    await client.query('insert into proof_nodes (level, place, hash) values ($1, $2, $3)', [level, place, hash])
    if (place % 2 === 0) return
    hash = nodeHash(open.pop()!, hash)
    place = (place - 1) / 2
  }
}

/** More than clocks are apart that are set over the network. */
const isAhead = (last: number, at: number): boolean => last - at > minuteMs
const minuteOf = (at: number): number => Math.floor(at / minuteMs)
