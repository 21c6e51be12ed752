/** Merkle trees of RFC 6962, section 2.1, with SHA-256: one small path proves that a leaf is in a tree, or that one tree extends another. */
import { Sha256 } from './sha256.ts'

/** 32 bytes. */
export type Hash = Uint8Array<ArrayBuffer>

/** Hash of the tree without leaves. */
export const emptyRoot: Hash = new Sha256().digest()

/** `H(0x00 ‖ data)`. */
export function leafHash(data: Uint8Array): Hash {
  return new Sha256().update(Uint8Array.of(0)).update(data).digest()
}

/** `H(0x01 ‖ left ‖ right)`. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Hash {
  return new Sha256().update(Uint8Array.of(1)).update(left).update(right).digest()
}

/** A complete subtree: `2^level` leaves from `place * 2^level` on. */
export type Subtree = { readonly level: number; readonly place: number }

/** The complete subtrees from left to right that a tree of this many leaves consists of: one for each bit of the number. */
export function subtreesOf(size: number): readonly Subtree[] {
  return coverOf(0, size)
}

/** Root of a tree from the hashes of its complete subtrees, from left to right. */
export function rootOfSubtrees(hashes: readonly Uint8Array[]): Hash {
  const [last, ...others] = [...hashes].reverse()
  if (last === undefined) return emptyRoot
  return others.reduce<Hash>((right, left) => nodeHash(left, right), Uint8Array.from(last))
}

/**
 * Subtrees whose hashes make the path of a leaf, from the leaf to the root. Those of one step are put together by `rootOfSubtrees`: all
 * but those at the right edge are one.
 *
 * index, size  0 ≤ index < size
 */
export function pathPlaces(index: number, size: number): readonly (readonly Subtree[])[] {
  const steps: (readonly Subtree[])[] = []
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from)
    if (index < middle) {
      steps.push(coverOf(middle, to))
      to = middle
    } else {
      steps.push(coverOf(from, middle))
      from = middle
    }
  }
  return steps.reverse()
}

/** All hashes of the tree with these leaves, from the leaves up to the root. A last one without a neighbour stands in the next level, too. */
export function levelsOf(leaves: readonly Uint8Array[]): readonly (readonly Uint8Array[])[] {
  const levels = [leaves]
  for (let level = leaves; level.length > 1; levels.push(level))
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, n) => {
      const [left, right] = [level[2 * n]!, level[2 * n + 1]]
      return right === undefined ? left : nodeHash(left, right)
    })
  return levels
}

/** Path of a leaf to the root, from all levels of the tree. 0 ≤ index < count of leaves. */
export function pathInLevels(levels: readonly (readonly Uint8Array[])[], index: number): readonly Uint8Array[] {
  return levels.flatMap((level, n) => {
    const place = Math.floor(index / 2 ** n)
    const neighbour = level[place % 2 === 0 ? place + 1 : place - 1]
    return neighbour === undefined ? [] : [neighbour]
  })
}

/** Root that a leaf, its index and its path lead to; undefined when no tree of this size has a path of this length at this index. */
export function rootOfPath(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Hash | undefined {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return undefined
  const sides: boolean[] = []
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + splitOf(to - from)
    const isLeft = index < middle
    sides.push(isLeft)
    if (isLeft) to = middle
    else from = middle
  }
  if (path.length !== sides.length || path.some((hash) => hash.length !== 32)) return undefined
  return sides
    .reverse()
    .reduce<Hash>((hash, isLeft, n) => (isLeft ? nodeHash(hash, path[n]!) : nodeHash(path[n]!, hash)), Uint8Array.from(leaf))
}

/**
 * Subtrees whose hashes prove that a tree of `size` leaves begins with the leaves of one of `before`: the subtrees of the older tree,
 * then what stands right of them, up to the newer root. 0 < before ≤ size.
 */
export function consistencyPlaces(before: number, size: number): { readonly old: readonly Subtree[]; readonly added: readonly Subtree[] } {
  return { old: subtreesOf(before), added: coverOf(before, size) }
}

/**
 * Whether these hashes, in the places of `consistencyPlaces`, make the root of the older tree and that of the newer one. A root does not
 * tell the size of its tree, so both sizes must be signed along with the roots.
 */
export function isExtended(
  { root: oldRoot, size: before }: { readonly root: Uint8Array; readonly size: number },
  { root, size }: { readonly root: Uint8Array; readonly size: number },
  { old, added }: { readonly old: readonly Uint8Array[]; readonly added: readonly Uint8Array[] },
): boolean {
  if (!Number.isSafeInteger(before) || !Number.isSafeInteger(size) || before < 0 || before > size) return false
  const places = consistencyPlaces(before, size)
  if (old.length !== places.old.length || added.length !== places.added.length) return false
  if ([...old, ...added].some((hash) => hash.length !== 32)) return false
  if (!areEqual(rootOfSubtrees(old), oldRoot)) return false
  const all = [
    ...places.old.map((place, n) => ({ ...place, hash: old[n]! })),
    ...places.added.map((place, n) => ({ ...place, hash: added[n]! })),
  ]
  return areEqual(rootOfSubtrees(merged(all)), root)
}

/** A tree that grows by a leaf at a time, of which only the complete subtrees are kept. */
export class GrowingTree {
  #size = 0
  readonly #open: Uint8Array[] = []

  get size(): number {
    return this.#size
  }

  /** `leaf`: its hash. */
  add(leaf: Uint8Array): void {
    let hash = leaf
    for (let n = this.#size; n % 2 === 1; n = (n - 1) / 2) hash = nodeHash(this.#open.pop()!, hash)
    this.#open.push(hash)
    this.#size += 1
  }

  root(): Hash {
    return rootOfSubtrees(this.#open)
  }
}

export function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, n) => byte === b[n])
}

/** Puts neighbours together that are the two halves of a larger subtree, until none are left. */
function merged(subtrees: readonly (Subtree & { readonly hash: Uint8Array })[]): readonly Uint8Array[] {
  const kept: (Subtree & { readonly hash: Uint8Array })[] = []
  for (let next of subtrees) {
    for (let last = kept.at(-1); last !== undefined && last.level === next.level && next.place % 2 === 1; last = kept.at(-1)) {
      kept.pop()
      next = { level: next.level + 1, place: (next.place - 1) / 2, hash: nodeHash(last.hash, next.hash) }
    }
    kept.push(next)
  }
  return kept.map(({ hash }) => hash)
}

/** The fewest complete subtrees that have exactly the leaves from `from` to before `to`, from left to right. */
function coverOf(from: number, to: number): readonly Subtree[] {
  const cover: Subtree[] = []
  for (let at = from; at < to; ) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= to) level++
    cover.push({ level, place: at / 2 ** level })
    at += 2 ** level
  }
  return cover
}

/** The largest power of two below a number above 1. */
function splitOf(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}
