/** Merkle-sum trees of millions of leaves: the same hashes as in `core/proof/sum-tree.ts`, by the platform and without garbage. */
import { hash } from 'node:crypto'
import { isTreeSum, nonceBytes } from '@candor/core/proof/sum-tree.ts'
import { HIGH, highBytes, LOW, SPLIT, leafBytes, nodeBytes, noncesOf, paddingOf, readSum, rowLevels, rowNodes, writeSum } from './layout.ts'

/** Which tree: its line in the statement, from 0, and what its leaves hash about themselves. */
export type TreeName = { readonly tree: number; readonly asset: string; readonly kind: string }

/** One-shot hashes as text of one byte per letter are three times as fast as those in buffers. */
const sha256 = (bytes: Buffer | string): string => hash('sha256', bytes, 'latin1')

const leafText = Buffer.alloc(1 + nonceBytes + 32 + 8)
leafText[0] = 2
const nodeText = Buffer.alloc(1 + 2 * nodeBytes)
nodeText[0] = 3

/**
 * Sums and hashes of a row's leaves, as a row of nodes has them.
 *
 * place  of the row: its first leaf has the index `place × rowNodes`
 */
export function hashLeaves({ tree, asset, kind }: TreeName, seed: Buffer, place: number, leaves: Buffer): Buffer {
  const count = leaves.length / leafBytes
  const from = place * rowNodes
  const nonces = noncesOf(seed, tree, from, count)
  let padding: Buffer | undefined
  const about = ` ${asset} ${kind} `
  const nodes = Buffer.allocUnsafe(count * nodeBytes)
  for (let n = 0; n < count; n++) {
    const at = n * leafBytes
    const uid = leaves.readUInt32LE(at)
    const [high, low] = [leaves.readUIntLE(at + HIGH, highBytes), leaves.readUInt32LE(at + LOW)]
    nonces.copy(leafText, 1, n * nonceBytes, (n + 1) * nonceBytes)
    if (uid === 0) (padding ??= paddingOf(seed, tree, from, count)).copy(leafText, 1 + nonceBytes, n * 32, (n + 1) * 32)
    else leafText.write(sha256(uid + about + leaves[at + SPLIT]!), 1 + nonceBytes, 32, 'latin1')
    leafText.writeUInt32BE(high, 1 + nonceBytes + 32)
    leafText.writeUInt32BE(low, 1 + nonceBytes + 36)
    nodes.writeUInt32BE(high, n * nodeBytes)
    nodes.writeUInt32BE(low, n * nodeBytes + 4)
    nodes.write(sha256(leafText), n * nodeBytes + 8, 32, 'latin1')
  }
  return nodes
}

/**
 * The parents of a row of nodes.
 *
 * throws  RangeError when a sum is too large
 */
export function parentsOf(nodes: Buffer): Buffer {
  const parents = Buffer.allocUnsafe(nodes.length / 2)
  for (let at = 0; at < parents.length; at += nodeBytes) {
    nodes.copy(nodeText, 1, 2 * at, 2 * (at + nodeBytes))
    const sum = readSum(nodes, 2 * at) + readSum(nodes, 2 * at + nodeBytes)
    if (!isTreeSum(sum)) throw new RangeError(`${sum} is no sum of a tree`)
    writeSum(parents, at, sum)
    parents.write(sha256(nodeText), at + 8, 32, 'latin1')
  }
  return parents
}

/** A row as it is stored. `level`: height of what it has above the leaves; 0: leaves. */
export type TreeRow = { readonly level: number; readonly place: number; readonly body: Buffer }
export type TreeRoot = { readonly sum: number; readonly root: string }

/**
 * Hashes a tree from its leaves, row by row, in constant memory.
 *
 *   for (const row of leaves) { tree.add(row); for (const done of tree.take()) store(done) }
 */
export class FastTree {
  readonly #name: TreeName
  readonly #seed: Buffer
  readonly #size: number
  /** By row level: nodes that wait until their row is full. */
  readonly #open: { body: Buffer; filled: number; place: number }[] = []
  #rows: TreeRow[] = []
  #place = 0
  #root: Buffer | undefined

  /** `size`: a power of two. */
  constructor(name: TreeName, seed: Buffer, size: number) {
    this.#name = name
    this.#seed = seed
    this.#size = size
  }

  /** Takes the next row of leaves: `rowNodes`, or all of a smaller tree. */
  add(leaves: Buffer): void {
    this.#rows.push({ level: 0, place: this.#place, body: leaves })
    this.#rise(hashLeaves(this.#name, this.#seed, this.#place, leaves), 1)
    this.#place += 1
  }

  /** Rows that were completed since the last call. */
  take(): readonly TreeRow[] {
    const rows = this.#rows
    this.#rows = []
    return rows
  }

  /** After the last row of leaves. */
  root(): TreeRoot {
    if (this.#root === undefined) throw new Error('the tree is not complete')
    return { sum: readSum(this.#root, 0), root: this.#root.toString('hex', 8) }
  }

  /** `nodes`: a complete row, whose top enters the row `depth` rows above the leaves. */
  #rise(nodes: Buffer, depth: number): void {
    let top = nodes
    while (top.length > nodeBytes) top = parentsOf(top)
    const below = rowNodes ** depth
    if (below >= this.#size) {
      this.#root = top
      return
    }
    const count = Math.min(rowNodes, this.#size / below)
    const open = (this.#open[depth] ??= { body: Buffer.allocUnsafe(count * nodeBytes), filled: 0, place: 0 })
    top.copy(open.body, open.filled * nodeBytes)
    open.filled += 1
    if (open.filled < count) return
    const { body, place } = open
    this.#rows.push({ level: depth * rowLevels, place, body })
    this.#open[depth] = { body: Buffer.allocUnsafe(body.length), filled: 0, place: place + 1 }
    this.#rise(body, depth + 1)
  }
}
