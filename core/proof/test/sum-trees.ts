/** Builds trees and proofs the slow and obvious way: the twin of what the server does. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { headText } from '../head.ts'
import type { LiabilityProof, LiabilityStatement, TreeKind } from '../liabilities.ts'
import { liabilityHash, liabilityText } from '../liabilities.ts'

export type SlowNode = { readonly sum: bigint; readonly hash: Buffer }

const sha = (...parts: readonly Uint8Array[]): Buffer => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
export const slowSum = (sum: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt.asUintN(64, sum))
  return bytes
}

/** The documented bytes by the platform. Any amount is taken, as a dishonest exchange would. */
export function slowLeaf(nonce: Uint8Array, owner: string, amount: bigint): SlowNode {
  return { sum: amount, hash: sha(Buffer.of(2), nonce, sha(Buffer.from(owner)), slowSum(amount)) }
}

export function slowNode(left: SlowNode, right: SlowNode): SlowNode {
  return { sum: left.sum + right.sum, hash: sha(Buffer.of(3), slowSum(left.sum), left.hash, slowSum(right.sum), right.hash) }
}

export function slowRoot(leaves: readonly SlowNode[]): SlowNode {
  if (leaves.length === 1) return leaves[0]!
  const half = leaves.length / 2
  return slowNode(slowRoot(leaves.slice(0, half)), slowRoot(leaves.slice(half)))
}

export function slowPath(leaves: readonly SlowNode[], index: number): readonly SlowNode[] {
  if (leaves.length === 1) return []
  const half = leaves.length / 2
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)]
  return index < half ? [...slowPath(left, index), slowRoot(right)] : [...slowPath(right, index - half), slowRoot(left)]
}

/** A leaf of a tree in the making. `uid` of padding is ''. */
export type MadeLeaf = { readonly uid: string; readonly split: number; readonly amount: number }
export type MadeTree = { readonly asset: string; readonly kind: TreeKind; readonly leaves: readonly MadeLeaf[] }

export type Made = {
  readonly statement: LiabilityStatement
  readonly publicKey: string
  readonly proofOf: (uid: string) => LiabilityProof
}

/** A signed statement of these trees, as written; the number of leaves of each must be a power of two. */
export function makeStatement(trees: readonly MadeTree[]): Made {
  const built = trees.map((tree) => {
    const nonces = tree.leaves.map(() => randomBytes(16))
    const leaves = tree.leaves.map(({ uid, split, amount }, n) =>
      slowLeaf(nonces[n]!, `${uid} ${tree.asset} ${tree.kind} ${split}`, BigInt(amount)),
    )
    return { ...tree, nonces, nodes: leaves, root: slowRoot(leaves) }
  })
  const statement: LiabilityStatement = {
    ...{ n: 12, at: 1_790_000_000_000, seq: 40 },
    trees: built.map(({ asset, kind, nodes, root }) => {
      return { asset, kind, scale: 6, size: nodes.length, sum: Number(root.sum), root: root.hash.toString('hex') }
    }),
  }
  const text = liabilityText(statement)
  const { head, publicKey } = signedHeadOf(text)
  const proofOf = (uid: string): LiabilityProof => ({
    ...{ uid, statement: text, head, keys: [{ key: 1, publicKey, signature: null }] },
    trees: built.flatMap(({ asset, kind, leaves, nonces, nodes }) => {
      const own = [...leaves.entries()].filter(([, leaf]) => leaf.uid === uid).sort(([, a], [, b]) => a.split - b.split)
      const shown = own.map(([index, { split, amount }]) => {
        const path = slowPath(nodes, index).map(({ sum, hash }) => ({ sum: Number(sum), hash: hash.toString('hex') }))
        return { split, index, nonce: nonces[index]!.toString('hex'), amount, path }
      })
      return shown.length === 0 ? [] : [{ asset, kind, leaves: shown }]
    }),
  })
  return { statement, publicKey, proofOf }
}

/** A head that names a statement of number 12, signed by a new key. */
export function signedHeadOf(statement: string): { readonly head: LiabilityProof['head']; readonly publicKey: string } {
  const keys = generateKeyPairSync('ed25519')
  const zeros = '0'.repeat(64)
  const text = headText({
    ...{ n: 7, at: 1_790_000_000_123, seq: 42, epoch: 3, hash: zeros, log: zeros, key: 1 },
    receipts: { size: 0, root: zeros },
    liabilities: { n: 12, hash: liabilityHash(statement) },
  })
  const signature = sign(null, Buffer.from(text), keys.privateKey).toString('hex')
  return {
    head: { n: 7, text, signature },
    publicKey: Buffer.from(keys.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex'),
  }
}
