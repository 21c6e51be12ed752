import assert from 'node:assert/strict'
import { createPublicKey, randomBytes, verify } from 'node:crypto'
import { test } from 'node:test'
import {
  checkLiabilities,
  liabilityHash,
  type LiabilityProof,
  type LiabilityStatement,
  liabilityText,
  readLiabilityText,
} from '../liabilities.ts'
import { leafOwner, sumLeaf } from '../sum-tree.ts'
import { makeStatement, signedHeadOf, type SlowNode, slowLeaf, slowNode, slowPath, slowRoot, slowSum } from './sum-trees.ts'

const [alice, bob] = ['123456789', '987654321']

/** As a phone does it. */
async function check(publicKey: string, text: string, signature: string): Promise<boolean> {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  return verify(
    null,
    Buffer.from(text),
    createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
    Buffer.from(signature, 'hex'),
  )
}

async function faultOf(
  proof: unknown,
  uid?: string,
  balances?: readonly { asset: string; kind: 'claims' | 'debts'; amount: number }[],
): Promise<string> {
  const found = await checkLiabilities(proof, { uid, balances }, check)
  return 'wrong' in found ? found.wrong : 'right'
}

const honest = makeStatement([
  {
    ...{ asset: 'BTC', kind: 'claims' },
    leaves: [
      { uid: bob, split: 1, amount: 0 },
      { uid: '', split: 0, amount: 0 },
      { uid: alice, split: 0, amount: 5 },
      { uid: bob, split: 0, amount: 70 },
    ],
  },
  {
    ...{ asset: 'USDT', kind: 'claims' },
    leaves: [
      { uid: alice, split: 2, amount: 1 },
      { uid: alice, split: 0, amount: 20 },
      { uid: bob, split: 0, amount: 300 },
      { uid: alice, split: 1, amount: 4_000 },
    ],
  },
  { asset: 'USDT', kind: 'debts', leaves: [{ uid: bob, split: 0, amount: 9 }] },
])

const statement: LiabilityStatement = {
  ...{ n: 12, at: 1_790_000_000_123, seq: 42 },
  trees: [
    { asset: 'BTC', kind: 'claims', scale: 8, size: 4, sum: 75, root: 'ab'.repeat(32) },
    { asset: 'USDT', kind: 'claims', scale: 6, size: 16, sum: 2 ** 52, root: '0c'.repeat(32) },
    { asset: 'USDT', kind: 'debts', scale: 6, size: 1, sum: 0, root: 'de'.repeat(32) },
  ],
}
const text = `candor liabilities 1
n 12
at 1790000000123
seq 42
tree BTC claims 8 4 75 ${'ab'.repeat(32)}
tree USDT claims 6 16 4503599627370496 ${'0c'.repeat(32)}
tree USDT debts 6 1 0 ${'de'.repeat(32)}
`

test('PROOF-LIABILITY-001: a statement is lines of text, which read back the same; a head carries the hash of these bytes', () => {
  assert.equal(liabilityText(statement), text)
  assert.deepEqual(readLiabilityText(text), statement)
  assert.equal(liabilityHash(text), '2dde59ce309557d2d0a8bb08586d205363309cd98858d2938ae3d1d61807f084')
  const empty = { ...statement, trees: [] }
  assert.deepEqual(readLiabilityText(liabilityText(empty)), empty)
})

test('PROOF-LIABILITY-002: any other text is no statement: other numbers, sizes, sums above 2^52, and trees in another order or twice', () => {
  const [first, second, third] = text.split('\n').slice(4) as [string, string, string]
  const wrong = [
    ...[text.slice(0, -1), `${text}\n`, ` ${text}`, text.replace('liabilities 1', 'liabilities 2'), text.replaceAll('\n', '\r\n')],
    ...[text.replace('n 12', 'n 012'), text.replace('n 12', 'n 0'), text.replace('seq 42', 'seq 9007199254740993')],
    ...[text.replace('4503599627370496', '4503599627370497'), text.replace(' 16 ', ' 12 '), text.replace(' 75 ', ' -75 ')],
    ...[text.replace('seq 42\n', ''), text.replace('ab', 'AB'), text.replace('BTC', 'btc'), text.replace('debts', 'loans')],
    ...[text.replace(first, third), text.replace(second, first), text.replace(`${second}\n${third}`, `${third}\n${second}`)],
    ...[text.replace('claims 8', 'claims 20'), text.replace(' 4 75', ' 0 75')],
    text.replace(/^at .*$/m, 'at 8640000000000001'),
  ]
  for (const one of wrong) assert.equal(readLiabilityText(one), undefined, JSON.stringify(one))
  for (const other of [{ n: 0 }, { at: 1.5 }, { trees: [...statement.trees].reverse() }])
    assert.throws(() => liabilityText({ ...statement, ...other }))
})

test('PROOF-LIABILITY-006: a proof shows that all parts of a balance are in the sums of a statement that a signed head names', async () => {
  const found = await checkLiabilities(honest.proofOf(alice), { uid: alice }, check)
  assert.ok(!('wrong' in found))
  assert.deepEqual([found.statement, found.firstKey, found.head.n], [honest.statement, honest.publicKey, 7])
  const own = [
    { asset: 'BTC', kind: 'claims', amount: 5 },
    { asset: 'USDT', kind: 'claims', amount: 4_021 },
  ] as const
  assert.deepEqual(found.own, own)
  assert.equal(await faultOf(honest.proofOf(alice), alice, own), 'right')
  const bobs = [
    ...own.map(({ asset, kind }) => ({ asset, kind, amount: asset === 'BTC' ? 70 : 300 })),
    { asset: 'USDT', kind: 'debts' as const, amount: 9 },
  ]
  assert.equal(await faultOf(honest.proofOf(bob), bob, bobs), 'right')
  assert.equal(await faultOf(honest.proofOf('555555555'), '555555555', []), 'right')
})

test('PROOF-LIABILITY-007: a customer who was left out, or whose balance was counted for less, finds it', async () => {
  const own = [{ asset: 'BTC', kind: 'claims', amount: 5 } as const, { asset: 'USDT', kind: 'claims', amount: 4_021 } as const]
  const proof = honest.proofOf(alice)
  assert.match(await faultOf(honest.proofOf('555555555'), '555555555', own), /BTC claims: the leaves are 0 units, and the balance is 5/)
  assert.match(await faultOf({ ...proof, trees: proof.trees.slice(1) }, alice, own), /BTC claims: the leaves are 0 units/)
  const without = (split: number) => ({
    ...proof,
    trees: proof.trees.map((tree) => ({ ...tree, leaves: tree.leaves.filter((leaf) => tree.asset === 'BTC' || leaf.split !== split) })),
  })
  assert.match(await faultOf(without(2), alice, own), /USDT claims: the leaves are 4020 units, and the balance is 4021/)
  assert.match(await faultOf(without(0), alice), /USDT claims: leaf 0 is missing/)
  assert.match(await faultOf(without(1), alice), /USDT claims: leaf 1 is missing/)
  const more = [...own, { asset: 'ETH', kind: 'claims', amount: 1 } as const]
  assert.match(await faultOf(proof, alice, more), /ETH claims: the leaves are 0 units, and the balance is 1/)
})

test('PROOF-LIABILITY-008: one leaf can not be shown to two customers, nor twice to one', async () => {
  const proof = honest.proofOf(alice)
  assert.match(await faultOf({ ...proof, uid: bob }, bob), /BTC claims: leaf 0 is not in the tree/)
  assert.match(await faultOf(proof, bob), /It is about customer 123456789, not 987654321/)
  // Both have the same balance, and the exchange counts it once.
  const [tree] = proof.trees
  const twice = { ...tree!, leaves: [tree!.leaves[0]!, { ...tree!.leaves[0]!, split: 1 }] }
  assert.match(await faultOf({ ...proof, trees: [twice] }, alice), /BTC claims: leaf 1 is not in the tree/)
  assert.match(await faultOf({ ...proof, trees: [tree, tree] }, alice), /a tree that is not in the statement/)
  const other = { ...tree!, kind: 'debts' as const }
  assert.match(await faultOf({ ...proof, trees: [other] }, alice), /a tree that is not in the statement/)
})

/** A proof of a tree whose root was made by other rules, under a signed head: all is in order but the tree. */
function forged(
  leaves: readonly SlowNode[],
  nonce: Buffer,
  { sum, amount, root }: { readonly sum: number; readonly amount: number; readonly root: SlowNode },
): LiabilityProof {
  const size = leaves.length
  const made = liabilityText({
    n: 12,
    at: 1,
    seq: 1,
    trees: [{ asset: 'BTC', kind: 'claims', scale: 8, size, sum, root: root.hash.toString('hex') }],
  })
  const { head, publicKey } = signedHeadOf(made)
  const path = slowPath(leaves, 0).map((one) => ({ sum: Number(one.sum), hash: one.hash.toString('hex') }))
  return {
    ...{ uid: alice, statement: made, head, keys: [{ key: 1, publicKey, signature: null }] },
    trees: [{ asset: 'BTC', kind: 'claims', leaves: [{ split: 0, index: 0, nonce: nonce.toString('hex'), amount, path }] }],
  }
}

test('PROOF-LIABILITY-009: trees with negative amounts, sums that overflow or are less than the leaves, are found by each customer in them', async () => {
  const nonce = randomBytes(16)
  const own = slowLeaf(nonce, `${alice} BTC claims 0`, 1_000n)
  const tree = (beside: bigint) => [own, slowLeaf(randomBytes(16), 'x', beside)] as const
  const fine = tree(5n)
  assert.equal(await faultOf(forged(fine, nonce, { sum: 1_005, amount: 1_000, root: slowRoot(fine) })), 'right')
  // A made-up customer with less than nothing would lower the sum.
  const negative = tree(-900n)
  assert.match(
    await faultOf(forged(negative, nonce, { sum: 100, amount: 1_000, root: slowRoot(negative) })),
    /leaf 0 is none|not in the tree/,
  )
  // The same, hidden behind the end of 64 bits.
  const wrapped = tree(2n ** 64n - 900n)
  assert.match(await faultOf(forged(wrapped, nonce, { sum: 100, amount: 1_000, root: slowRoot(wrapped) })), /leaf 0 is not in the tree/)
  const large = tree(2n ** 52n - 999n)
  assert.match(await faultOf(forged(large, nonce, { sum: 2 ** 52, amount: 1_000, root: slowRoot(large) })), /leaf 0 is not in the tree/)
  // The published sum is less than that of the root's children.
  assert.match(await faultOf(forged(fine, nonce, { sum: 5, amount: 1_000, root: slowRoot(fine) })), /leaf 0 is not in the tree/)
  // A node that carries less than its children: the hashes above hold only with the lie, and the phone adds up itself.
  const four = [...fine, ...tree(7n)]
  const left = slowNode(four[0]!, four[1]!)
  const lie = slowNode({ sum: 5n, hash: left.hash }, slowNode(four[2]!, four[3]!))
  assert.match(await faultOf(forged(four, nonce, { sum: 1_012, amount: 1_000, root: lie })), /leaf 0 is not in the tree/)
  // A leaf of another amount than the customer's.
  assert.match(await faultOf(forged(fine, nonce, { sum: 1_005, amount: 999, root: slowRoot(fine) })), /leaf 0 is not in the tree/)
  assert.deepEqual(slowSum(-1n), slowSum(2n ** 64n - 1n))
  assert.deepEqual([...sumLeaf(nonce, leafOwner({ uid: alice, asset: 'BTC', kind: 'claims', split: 0 }), 1_000).hash], [...own.hash])
})

test('PROOF-LIABILITY-010: a proof in which any one character was changed is refused, and so is one with other fields', async () => {
  const proof = JSON.stringify(honest.proofOf(bob))
  for (let n = 0; n < proof.length; n++) {
    const letter = proof[n] === '0' ? '1' : '0'
    const other = proof.slice(0, n) + letter + proof.slice(n + 1)
    let value: unknown
    try {
      value = JSON.parse(other)
    } catch {
      continue
    }
    assert.notEqual(await faultOf(value, bob), 'right', `${n}: ${other.slice(Math.max(0, n - 30), n + 30)}`)
  }
  for (const wrong of [
    null,
    5,
    [],
    {},
    { ...honest.proofOf(bob), more: 1 },
    { ...honest.proofOf(bob), trees: {} },
    { ...honest.proofOf(bob), keys: [] },
  ])
    assert.notEqual(await faultOf(wrong), 'right')
})

test('PROOF-LIABILITY-006: a head that names another statement, is older than it, or is not signed, proves nothing', async () => {
  const proof = honest.proofOf(alice)
  const later = liabilityText({ ...honest.statement, seq: 43 })
  assert.match(await faultOf({ ...proof, statement: later }), /Head 7 names another statement/)
  const { head, publicKey } = signedHeadOf(later)
  const keys = [{ key: 1, publicKey, signature: null }]
  assert.match(await faultOf({ ...proof, statement: later, head, keys }), /Head 7 is older than the statement that it names/)
  assert.match(await faultOf({ ...proof, head }), /no head that its key signed/)
})
