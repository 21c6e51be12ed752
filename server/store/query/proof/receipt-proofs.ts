import { levelsOf, pathInLevels } from '@candor/core/proof/merkle.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import type pg from 'pg'
import { type HeadKey, headKeys } from './heads.ts'
import { leafOf, type ReceiptRow, rowHashes, saltOf, textOf } from './receipts.ts'

type Queries = Pick<pg.Pool, 'query'>

/** A receipt with everything that proves it, in the order in which it is downloaded. */
export type ProvedReceipt = {
  readonly text: string
  readonly salt: string
  readonly index: number
  readonly path: readonly string[]
  readonly head: { readonly n: number; readonly text: string; readonly signature: string }
  readonly keys: readonly HeadKey[]
}

type Covering = { readonly n: number; readonly text: string; readonly signature: string }
type Place = { readonly level: number; readonly place: number }

const hashBytes = 32
/** Rows of trees that are kept for further receipts of the same heads. */
const keptMax = 64

/** Proves receipts of one request, mostly of the same few heads: their rows are read once. */
export class ReceiptProofs {
  readonly #queries: Queries
  readonly #rows = new Map<string, readonly (readonly Uint8Array[])[]>()
  #keys: Promise<readonly HeadKey[]> | undefined

  constructor(queries: Queries) {
    this.#queries = queries
  }

  /**
   * The receipt with its proof; undefined while no head covers it.
   *
   * throws  Error when the tree of its head has another leaf in its place
   */
  async prove(row: ReceiptRow): Promise<ProvedReceipt | undefined> {
    const { rows } = await this.#queries.query<Covering>(
      'select n, body as text, signature from proof_heads where seq >= $1 order by seq, n limit 1',
      [row.seq],
    )
    const [head] = rows
    if (head === undefined) return undefined
    const { index, path } = await this.#place(row, head.n)
    this.#keys ??= headKeys(this.#queries)
    return { text: textOf(row), salt: toHex(saltOf(row)), index, path, head, keys: await this.#keys }
  }

  async #place(row: ReceiptRow, head: number): Promise<Pick<ProvedReceipt, 'index' | 'path'>> {
    const { rows } = await this.#queries.query<{ place: number | null; levels: number | null }>(
      `select (select max(level) from receipt_trees where head = $1) as levels,
         (select place from receipt_trees where head = $1 and level = 0 and (seq, user_id) <= ($2, $3) order by place desc limit 1) as place`,
      [head, row.seq, row.user],
    )
    const levels = rows[0]?.levels ?? 0
    const leaf = leafOf(row)
    let place = rows[0]?.place ?? 0
    const leaves = await this.#row(head, { level: 0, place })
    const inRow = leaves[0]!.findIndex((hash) => leaf.equals(hash))
    if (inRow < 0) throw new Error(`the tree of head ${head} has no leaf of command ${row.seq} and user ${row.user}`)
    const index = place * rowHashes + inRow
    const path = [...pathInLevels(leaves, inRow)]
    for (let level = 1; level <= levels; level++) {
      const below = place
      place = Math.floor(below / rowHashes)
      path.push(...pathInLevels(await this.#row(head, { level, place }), below % rowHashes))
    }
    return { index, path: path.map(toHex) }
  }

  /** The part of the tree above the hashes of a row. */
  async #row(head: number, { level, place }: Place): Promise<readonly (readonly Uint8Array[])[]> {
    const key = `${head} ${level} ${place}`
    const kept = this.#rows.get(key)
    if (kept !== undefined) return kept
    const { rows } = await this.#queries.query<{ hashes: Buffer }>(
      'select hashes from receipt_trees where head = $1 and level = $2 and place = $3',
      [head, level, place],
    )
    const bytes = rows[0]?.hashes ?? Buffer.alloc(0)
    const hashes = Array.from({ length: bytes.length / hashBytes }, (_, n) => bytes.subarray(n * hashBytes, (n + 1) * hashBytes))
    const levels = levelsOf(hashes)
    if (this.#rows.size >= keptMax) this.#rows.clear()
    this.#rows.set(key, levels)
    return levels
  }
}
