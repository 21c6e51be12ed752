import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { isTextSigned } from './deposit-address.ts'
import { headKeyText, headLeaf, headText, type ProofHead, readHeadText } from './head.ts'
import { toHex } from './sha256.ts'

const head: ProofHead = {
  ...{ n: 7, at: 1_790_000_000_123, seq: 42, epoch: 3, hash: 'ab'.repeat(32), log: '0c'.repeat(32), key: 1 },
  receipts: { size: 17, root: 'de'.repeat(32) },
  liabilities: { n: 12, hash: 'f0'.repeat(32) },
}
const text = `candor head 1
n 7
at 1790000000123
seq 42
epoch 3
hash ${'ab'.repeat(32)}
log ${'0c'.repeat(32)}
receipts 17 ${'de'.repeat(32)}
liabilities 12 ${'f0'.repeat(32)}
key 1
`

test('PROOF-HEAD-001: a head is signed as lines of text, which read back the same; its leaf is the hash of these bytes', () => {
  assert.equal(headText(head), text)
  assert.deepEqual(readHeadText(text), head)
  assert.equal(toHex(headLeaf(text)), '467b44d345ae86a165811b784e9791453f3742d2d98456cf9fff7fe078e9a7f1')
  assert.equal(headKeyText({ key: 2, publicKey: 'ff'.repeat(32) }), `candor head key 1\n2\n${'ff'.repeat(32)}`)
})

test('PROOF-HEAD-002: any other text is no head: leading zeros, spaces, signs, large numbers, missing, doubled or further lines', () => {
  const wrong = [
    ...[text.slice(0, -1), `${text}\n`, ` ${text}`, text.replace('head 1', 'head 2'), text.replaceAll('\n', '\r\n')],
    ...[text.replace('n 7', 'n 07'), text.replace('n 7', 'n +7'), text.replace('n 7', 'n 0'), text.replace('n 7', 'n 9007199254740993')],
    ...[
      text.replace('seq 42\n', ''),
      text.replace('seq 42\n', 'seq 42\nseq 42\n'),
      text.replace('ab', 'AB'),
      text.replace('key 1', 'key 0'),
      text.replace('receipts 17', 'receipts  17'),
      text.replace('liabilities 12', 'liabilities 9007199254740993'),
      // Of no date: whoever shows it would fail.
      text.replace(/^at .*$/m, 'at 8640000000000001'),
    ],
  ]
  for (const one of wrong) assert.equal(readHeadText(one), undefined, JSON.stringify(one))
  assert.notEqual(readHeadText(text.replace(/^at .*$/m, 'at 8640000000000000')), undefined)
  assert.throws(() => headText({ ...head, n: 0 }))
  assert.throws(() => headText({ ...head, at: 1.5 }))
  assert.throws(() => headText({ ...head, hash: 'ab' }))
})

test('PROOF-HEAD-003: a signature holds for every byte of the head, and for no other key', async () => {
  const { subtle } = globalThis.crypto
  const [own, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const raw = ({ publicKey }: typeof own): Uint8Array<ArrayBuffer> =>
    Uint8Array.from(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'))
  const signature = Uint8Array.from(sign(null, Buffer.from(text), own.privateKey))
  assert.ok(await isTextSigned(subtle, raw(own), text, signature))
  assert.ok(!(await isTextSigned(subtle, raw(other), text, signature)))
  for (let n = 0; n < text.length; n++) {
    const changed = text.slice(0, n) + (text[n] === '1' ? '2' : '1') + text.slice(n + 1)
    assert.ok(!(await isTextSigned(subtle, raw(own), changed, signature)), `byte ${n}`)
  }
})
