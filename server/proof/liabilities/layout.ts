/** How the leaves of a statement are stored, and what of them follows from its secret. */
import { createCipheriv } from 'node:crypto'
import { nonceBytes } from '@candor/core/proof/sum-tree.ts'

/** Levels of the tree between one stored row and the next. */
export const rowLevels = 7
/** Leaves or nodes in a row. */
export const rowNodes = 2 ** rowLevels
/** Of a leaf: its owner's UID (0: padding), the number of the part, and its amount in 7 bytes: the lower four, then the others. */
export const leafBytes = 12
/** Offsets in a leaf. */
export const [SPLIT, LOW, HIGH] = [4, 5, 9]
export const highBytes = 3
/** Of a node in a row above the leaves: its sum and its hash. */
export const nodeBytes = 40
/** Customers whose places share a row, on average. */
export const bucketOwners = 64

export type StoredLeaf = { readonly uid: number; readonly split: number; readonly amount: number }

/** `amount`: at most 2^52. */
export function writeLeaf(into: Buffer, at: number, { uid, split, amount }: StoredLeaf): void {
  into.writeUInt32LE(uid, at)
  into[at + SPLIT] = split
  into.writeUInt32LE(amount % 2 ** 32, at + LOW)
  into.writeUIntLE(Math.floor(amount / 2 ** 32), at + HIGH, highBytes)
}

export function readLeaf(from: Buffer, at: number): StoredLeaf {
  const amount = from.readUIntLE(at + HIGH, highBytes) * 2 ** 32 + from.readUInt32LE(at + LOW)
  return { uid: from.readUInt32LE(at), split: from[at + SPLIT]!, amount }
}

/** `from`: 8 bytes, unsigned, big-endian, as in hashes. */
export const readSum = (from: Buffer, at: number): number => from.readUInt32BE(at) * 2 ** 32 + from.readUInt32BE(at + 4)

export function writeSum(into: Buffer, at: number, sum: number): void {
  into.writeUInt32BE(Math.floor(sum / 2 ** 32), at)
  into.writeUInt32BE(sum % 2 ** 32, at + 4)
}

const zeros = Buffer.alloc(rowNodes * 2 * nonceBytes)

/**
 * Bytes that only the holder of a statement's secret knows: AES-256 in counter mode. The counter begins with the tree, then what the bytes
 * are for, so that no two have the same.
 *
 * blocks  of 16 bytes; `from`: number of the first
 */
function hidden(seed: Buffer, tree: number, use: 'nonces' | 'padding', from: number, blocks: number): Buffer {
  const counter = Buffer.alloc(16)
  counter.writeUInt16BE(tree)
  counter[2] = use === 'nonces' ? 0 : 1
  counter.writeUIntBE(from, 10, 6)
  return createCipheriv('aes-256-ctr', seed, counter).update(zeros.subarray(0, blocks * nonceBytes))
}

/** Nonces of `count` leaves from the index `from` on, 16 bytes each. */
export const noncesOf = (seed: Buffer, tree: number, from: number, count: number): Buffer => hidden(seed, tree, 'nonces', from, count)

/** In place of the owner of each of these leaves, if nobody owns it: 32 bytes each. */
export const paddingOf = (seed: Buffer, tree: number, from: number, count: number): Buffer =>
  hidden(seed, tree, 'padding', from * 2, count * 2)
