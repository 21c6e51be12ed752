import { emptyRoot } from '@candor/core/proof/merkle.ts'
import { hash } from 'node:crypto'
import { type ReceiptLeaf, rowHashes } from './receipts.ts'

type First = Pick<ReceiptLeaf, 'seq' | 'user'>

/** A row of `receipt_trees`. `seq`, `user`: of the first receipt below it. */
export type TreeRow = First & { readonly level: number; readonly place: number; readonly hashes: Buffer }

/** Hashes of one level that are not in a row yet. `first`: the first receipt below them. */
type Open = { place: number; count: number; first: First; readonly hashes: Buffer }

const hashBytes = 32

/**
 * The tree of one head's receipts in rows of hashes: at level 0 the leaves, at each next level the roots of the rows below, up to one row,
 * whose root is that of the tree. The tree is that of RFC 6962, because a row begins where a subtree does.
 */
export class ReceiptTree {
  readonly #give: (row: TreeRow) => Promise<void>
  readonly #levels: Open[] = []
  #size = 0

  /** `give` gets each row once it is complete. */
  constructor(give: (row: TreeRow) => Promise<void>) {
    this.#give = give
  }

  async add(leaves: readonly ReceiptLeaf[]): Promise<void> {
    for (const leaf of leaves) {
      const open = this.#levels[0]
      // A full row is closed by the next hash: only then is it certain that there is a level above.
      if (open?.count === rowHashes) await this.#lift(0, open)
      this.#put(0, leaf.hash, leaf)
    }
    this.#size += leaves.length
  }

  /** Gives the rows that are open. Returns the count of leaves and the root. */
  async end(): Promise<{ readonly size: number; readonly root: Uint8Array }> {
    for (const [level, open] of this.#levels.entries()) {
      if (level === this.#levels.length - 1 && open.place === 0) return { size: this.#size, root: await this.#close(level, open) }
      await this.#lift(level, open)
    }
    return { size: 0, root: emptyRoot }
  }

  #put(level: number, hash: Buffer, { seq, user }: First): void {
    const first = { seq, user }
    const open = (this.#levels[level] ??= { place: 0, count: 0, first, hashes: Buffer.allocUnsafe(rowHashes * hashBytes) })
    if (open.count === 0) open.first = first
    hash.copy(open.hashes, open.count++ * hashBytes)
  }

  /** Closes a row and puts its root into the level above. */
  async #lift(level: number, open: Open): Promise<void> {
    const { first } = open
    const root = await this.#close(level, open)
    const above = this.#levels[level + 1]
    if (above?.count === rowHashes) await this.#lift(level + 1, above)
    this.#put(level + 1, root, first)
  }

  /** Gives a row and begins the next one. Returns its root. */
  async #close(level: number, open: Open): Promise<Buffer> {
    const hashes = Buffer.from(open.hashes.subarray(0, open.count * hashBytes))
    await this.#give({ level, place: open.place, ...open.first, hashes })
    open.place += 1
    open.count = 0
    return rootOf(hashes)
  }
}

/** The byte before two hashes, and these. */
const pair = Buffer.alloc(1 + 2 * hashBytes, 1)

/** The root that `rootOfSubtrees` of the core gives for the tree over these hashes, computed by the platform. */
function rootOf(hashes: Buffer): Buffer {
  let level = hashes
  while (level.length > hashBytes) {
    const above = Buffer.allocUnsafe(Math.ceil(level.length / (2 * hashBytes)) * hashBytes)
    for (let at = 0; 2 * at < level.length; at += hashBytes) {
      const copied = level.copy(pair, 1, 2 * at, 2 * (at + hashBytes))
      // A last one without a neighbour stands in the next level, too.
      if (copied === hashBytes) level.copy(above, at, 2 * at)
      else above.write(hash('sha256', pair, 'latin1'), at, hashBytes, 'latin1')
    }
    level = above
  }
  return level
}
