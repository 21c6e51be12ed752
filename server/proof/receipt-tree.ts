import { GrowingTree } from '@candor/core/proof/merkle.ts'
import type pg from 'pg'
import { type ReceiptLeaf, rowHashes } from '../store/query/proof/receipts.ts'

/** Hashes of one level that are not in a row yet. `seq`, `user`: of the first receipt below them. */
type Open = { place: number; first: Pick<ReceiptLeaf, 'seq' | 'user'> | undefined; hashes: Uint8Array[] }

/**
 * Stores the tree of one head's receipts in rows of hashes: at level 0 the leaves, at each next level the roots of the rows below, up to
 * one row, whose root is that of the tree. The tree is that of RFC 6962, because a row begins where a subtree does.
 */
export class ReceiptTree {
  readonly #client: Pick<pg.PoolClient, 'query'>
  readonly #head: number
  readonly #tree = new GrowingTree()
  readonly #levels: Open[] = []

  constructor(client: Pick<pg.PoolClient, 'query'>, head: number) {
    this.#client = client
    this.#head = head
  }

  async add({ hash, ...first }: ReceiptLeaf): Promise<void> {
    this.#tree.add(hash)
    await this.#put(0, hash, first)
  }

  /** Stores what is open. Returns the count of leaves and the root. */
  async end(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    for (let level = 0; level < this.#levels.length; level++) {
      const open = this.#levels[level]!
      const isTop = level === this.#levels.length - 1
      if (open.hashes.length > 0) await this.#close(level, open, isTop && open.place === 0)
    }
    return { size: this.#tree.size, root: this.#tree.root() }
  }

  async #put(level: number, hash: Uint8Array, first: Open['first']): Promise<void> {
    const open = (this.#levels[level] ??= { place: 0, first: undefined, hashes: [] })
    // A full row is closed by the next hash: only then is it certain that there is a level above.
    if (open.hashes.length === rowHashes) await this.#close(level, open, false)
    open.first ??= first
    open.hashes.push(hash)
  }

  async #close(level: number, open: Open, isRoot: boolean): Promise<void> {
    const { place, first, hashes } = open
    await this.#client.query('insert into receipt_trees (head, level, place, seq, user_id, hashes) values ($1, $2, $3, $4, $5, $6)', [
      ...[this.#head, level, place, first!.seq, first!.user, Buffer.concat(hashes)],
    ])
    Object.assign(open, { place: place + 1, first: undefined, hashes: [] })
    if (isRoot) return
    const row = new GrowingTree()
    for (const hash of hashes) row.add(hash)
    await this.#put(level + 1, row.root(), first)
  }
}
