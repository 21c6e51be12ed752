/** Where the leaves of each customer are: rows of customers whose UIDs have the same remainder. */
import type { Holdings } from '../../store/query/proof/holdings.ts'
import { bucketOwners } from './layout.ts'
import type { Shuffled } from './split.ts'

/** UID, tree, count of leaves; then the index of each. */
const [TREE, COUNT, headBytes] = [4, 6, 7]
const indexBytes = 4
/** Customers between two calls of `rest`. */
const atOnce = 1_024

/** One tree's part in the rows. */
export type OwnedLeaves = Pick<Holdings, 'uids'> & Pick<Shuffled, 'parts' | 'places'> & { readonly tree: number }

/** Buckets for this many customers with a balance, or balances: a power of two. */
export function bucketsFor(owners: number): number {
  let buckets = 1
  while (buckets * bucketOwners < owners) buckets *= 2
  return buckets
}

/**
 * The rows of all buckets; an empty bucket has none.
 *
 * rest  called again and again between pieces of the work before the first one
 */
export function* ownerRows(
  trees: readonly OwnedLeaves[],
  buckets: number,
  rest: () => void = () => undefined,
): Generator<{ readonly bucket: number; readonly body: Buffer }> {
  const ends = new Float64Array(buckets + 1)
  for (const { uids, parts } of trees)
    for (let n = 0; n < uids.length; n++) {
      const next = (uids[n]! % buckets) + 1
      ends[next] = ends[next]! + headBytes + parts[n]! * indexBytes
      if (n % atOnce === 0) rest()
    }
  for (let n = 1; n <= buckets; n++) ends[n] = ends[n]! + ends[n - 1]!
  const all = Buffer.allocUnsafe(ends[buckets]!)
  const at = ends.slice(0, buckets)
  for (const { tree, uids, parts, places } of trees) {
    let leaf = 0
    for (let n = 0; n < uids.length; n++) {
      const bucket = uids[n]! % buckets
      let to = at[bucket]!
      all.writeUInt32LE(uids[n]!, to)
      all.writeUInt16LE(tree, to + TREE)
      all[to + COUNT] = parts[n]!
      to += headBytes
      for (let part = 0; part < parts[n]!; part++, to += indexBytes) all.writeUInt32LE(places[leaf++]!, to)
      at[bucket] = to
      if (n % atOnce === 0) rest()
    }
  }
  for (let bucket = 0; bucket < buckets; bucket++) {
    const body = all.subarray(ends[bucket]!, ends[bucket + 1]!)
    if (body.length > 0) yield { bucket, body }
  }
}

/** The leaves of one customer in a row, by tree: their indexes by split. */
export function leavesIn(row: Buffer, uid: number): readonly { readonly tree: number; readonly indexes: readonly number[] }[] {
  const found: { readonly tree: number; readonly indexes: readonly number[] }[] = []
  for (let at = 0; at < row.length; ) {
    const from = at + headBytes
    const count = row[at + COUNT]!
    if (row.readUInt32LE(at) === uid)
      found.push({
        tree: row.readUInt16LE(at + TREE),
        indexes: Array.from({ length: count }, (_, n) => row.readUInt32LE(from + n * indexBytes)),
      })
    at = from + count * indexBytes
  }
  return found.sort((a, b) => a.tree - b.tree)
}
