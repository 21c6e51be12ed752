/**
 * Merkle-sum trees: each node carries the sum of the amounts below it, and both child sums are inside its hash. Whoever holds a leaf can
 * check that its amount is part of the published sum. With the sum of a node alone inside its hash, a tree could hide liabilities.
 */
import type { Hash } from './merkle.ts'
import { Sha256 } from './sha256.ts'

/** No amount and no sum is larger, so that additions are exact: the largest supply of an asset. */
export const treeSumMax = 2 ** 52
export const nonceBytes = 16
/** No tree has more leaves than two to the power of this. */
export const treeLevelsMax = 40

/** `sum`: units of the asset. */
export type SumNode = { readonly sum: number; readonly hash: Hash }

export const isTreeSum = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Object.is(Math.abs(value as number), value) && (value as number) <= treeSumMax

/**
 * Whose leaf it is: SHA-256 over the ASCII text `<UID> <asset> <kind> <split>`. A phone computes it from its own UID, so a leaf that
 * another customer was shown has another hash.
 */
export function leafOwner({ uid, asset, kind, split }: LeafPlace): Hash {
  return new Sha256().update(Uint8Array.from(`${uid} ${asset} ${kind} ${split}`, (letter) => letter.charCodeAt(0))).digest()
}

/** `split`: number of the part of the customer's balance, from 0. */
export type LeafPlace = { readonly uid: string; readonly asset: string; readonly kind: string; readonly split: number }

/**
 * `H(0x02 ‖ nonce ‖ owner ‖ amount)`, the amount as 8 bytes, unsigned, big-endian.
 *
 * nonce   16 bytes, without which nobody can guess owner and amount
 * throws  RangeError when the amount is not whole, below zero or above `treeSumMax`
 */
export function sumLeaf(nonce: Uint8Array, owner: Uint8Array, amount: number): SumNode {
  const hash = new Sha256().update(Uint8Array.of(2)).update(nonce).update(owner).update(sumBytes(amount))
  return { sum: amount, hash: hash.digest() }
}

/**
 * `H(0x03 ‖ sum of left ‖ left ‖ sum of right ‖ right)`.
 *
 * throws  RangeError when one of the sums, or both together, are not whole, below zero or above `treeSumMax`
 */
export function sumNode(left: SumNode, right: SumNode): SumNode {
  const sum = left.sum + right.sum
  if (!isTreeSum(sum)) throw new RangeError(`${sum} is no sum of a tree`)
  const hash = new Sha256().update(Uint8Array.of(3))
  for (const child of [left, right]) hash.update(sumBytes(child.sum)).update(child.hash)
  return { sum, hash: hash.digest() }
}

/** Levels above the leaves of a tree of this size; undefined when it is not a power of two up to 2^40. */
export function sumTreeLevels(size: number): number | undefined {
  const levels = Math.log2(size)
  return Number.isInteger(levels) && levels >= 0 && levels <= treeLevelsMax && 2 ** levels === size ? levels : undefined
}

/**
 * The root that a leaf, its index and its path lead to, and with it the sum of the whole tree. Undefined when a tree of this size has no
 * such path, or a sum on the way is too large.
 */
export function rootOfSumPath(leaf: SumNode, index: number, size: number, path: readonly SumNode[]): SumNode | undefined {
  if (sumTreeLevels(size) !== path.length || !Number.isSafeInteger(index) || index < 0 || index >= size) return undefined
  let node = leaf
  let place = index
  for (const beside of path) {
    if (!isTreeSum(beside.sum) || beside.hash.length !== 32 || !isTreeSum(node.sum + beside.sum)) return undefined
    node = place % 2 === 0 ? sumNode(node, beside) : sumNode(beside, node)
    place = Math.floor(place / 2)
  }
  return node
}

function sumBytes(sum: number): Uint8Array {
  if (!isTreeSum(sum)) throw new RangeError(`${sum} is no sum of a tree`)
  const bytes = new DataView(new ArrayBuffer(8))
  bytes.setUint32(0, Math.floor(sum / 2 ** 32))
  bytes.setUint32(4, sum % 2 ** 32)
  return new Uint8Array(bytes.buffer)
}
