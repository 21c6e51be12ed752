import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { test } from 'node:test'
import type { CheckSignature } from './head-keys.ts'
import { headKeyText, headText, noLiabilities } from './head.ts'
import { nodeHash } from './merkle.ts'
import { checkReceipt, readReceiptText, receiptLeaf, receiptLine, receiptText } from './receipt.ts'
import { fromHex, toHex } from './sha256.ts'

const salt = fromHex('0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20')!
const facts = {
  command: { clientId: 'my-1', market: 'BTCUSDT', orderType: 'limit', price: '60000.00', quantity: '0.01000', side: 'buy' },
  entry: { account: 'spot', asset: 'USDT', available: '400.000000', change: '-600.000000', held: '600.000000', reason: 'hold' },
  outcome: { order: 7 },
}
const text = `candor receipt 1
seq 42
at 1790000000123
user 123456789
command spot.place {"clientId":"my-1","market":"BTCUSDT","orderType":"limit","price":"60000.00","quantity":"0.01000","side":"buy"}
event entry {"account":"spot","asset":"USDT","available":"400.000000","change":"-600.000000","held":"600.000000","reason":"hold"}
event outcome {"order":7}
`

test('PROOF-RECEIPT-001: a receipt is lines of text, which read back the same; its leaf is the hash of zero, salt and text', () => {
  const lines = [receiptLine('command', 'spot.place', facts.command), receiptLine('event', 'entry', facts.entry)]
  const about = { seq: 42, at: 1_790_000_000_123, user: '123456789' }
  assert.equal(receiptText(about, [...lines, receiptLine('event', 'outcome', { isRepeat: undefined, order: 7 })].join('')), text)
  assert.deepEqual(readReceiptText(text), {
    ...about,
    command: { name: 'spot.place', facts: facts.command },
    events: [
      { name: 'entry', facts: facts.entry },
      { name: 'outcome', facts: facts.outcome },
    ],
  })
  const one = receiptText(about, receiptLine('event', 'traded', { a: [1, { b: '"\\' }], c: { d: -3 }, e: true }))
  assert.deepEqual(readReceiptText(one)?.events, [{ name: 'traded', facts: { a: [1, { b: '"\\' }], c: { d: -3 }, e: true } }])
  assert.equal(readReceiptText(one)?.command, undefined)
  assert.equal(toHex(receiptLeaf(salt, text)), '8766bd057dfc6d5b07e063b87e1118d8d4022787627c8b8dfcc7ae0000f7e9a3')
})

test('PROOF-RECEIPT-002: any other text is no receipt', () => {
  const other = (from: string | RegExp, to: string): string => {
    const changed = text.replace(from, to)
    assert.notEqual(changed, text)
    return changed
  }
  const wrong = [
    ...['', text.slice(0, -1), `${text}\n`, ` ${text}`, text.replaceAll('\n', '\r\n'), text.split('\n').slice(0, 4).join('\n')],
    `${text.split('\n').slice(0, 4).join('\n')}\n`,
    ...[other('receipt 1', 'receipt 2'), other('seq 42\n', ''), other('seq 42', 'seq 042'), other('seq 42', 'seq 0')],
    ...[other('seq 42', 'seq 9007199254740993'), other('at 1', 'at -1'), other('user 1', 'user 0'), other('user 1', 'user 11')],
    other(/^at .*$/m, 'at 8640000000000001'),
    // Two commands, or one that is not the first; another kind of line; no facts.
    ...[other(/(command .*\n)/, '$1$1'), other(/(command .*\n)(event entry .*\n)/, '$2$1'), other('event entry', 'events entry')],
    ...[
      other('event entry', 'event  entry'),
      other('event entry', 'event Entry'),
      other(/entry \{.*\}/, 'entry'),
      other('{"order":7}', '[7]'),
    ],
    ...[other('{"order":7}', '"order"'), other('{"order":7}', '{"order":7} '), other('{"order":7}', '{"order": 7}')],
    // Numbers that are not whole, or written otherwise; words that are not there; names out of order, twice or not names.
    ...[
      '7.5',
      '7.0',
      '7e0',
      '-0',
      '07',
      '9007199254740993',
      'null',
      'x',
      '{"b":1,"a":2}',
      '{"a":1,"a":1}',
      '{"A":1}',
      '{"1":1}',
      '["\\u0041"]',
      // Deeper than eight, and so deep that a stack overflows.
      `${'['.repeat(8)}${']'.repeat(8)}`,
      `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    ].map((value) => other('{"order":7}', `{"order":${value}}`)),
    ...[other('"reason":"hold"', '"reason":"\\n"'), other('"reason":"hold"', '"reason":"é"'), other('"reason":"hold"', '"reason":"\\t"')],
    other(/"clientId":"my-1",("market":"BTCUSDT"),/, '$1,"clientId":"my-1",'),
  ]
  for (const one of wrong) assert.equal(readReceiptText(one), undefined, one.slice(0, 1_000))
  assert.notEqual(readReceiptText(other('{"order":7}', `{"order":${'['.repeat(7)}${']'.repeat(7)}}`)), undefined)
})

/** A receipt at index 1 of a tree of 3, under a head that the second key signed. */
function downloaded(): { json: string; firstKey: string; value: Record<string, unknown> } {
  const keys = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const [first, second] = keys.map(({ publicKey }) => Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex'))
  const signed = (key: KeyObject, about: string): string => sign(null, Buffer.from(about), key).toString('hex')
  const [left, right] = [receiptLeaf(salt, 'left'), receiptLeaf(salt, 'right')]
  const root = nodeHash(nodeHash(left, receiptLeaf(salt, text)), right)
  const head = headText({
    ...{ n: 7, at: 1_790_000_060_000, seq: 50, epoch: 1, hash: 'ab'.repeat(32), log: 'cd'.repeat(32), key: 2 },
    ...{ receipts: { size: 3, root: toHex(root) }, liabilities: noLiabilities },
  })
  const announced = signed(keys[0]!.privateKey, headKeyText({ key: 2, publicKey: second! }))
  const value = {
    ...{ text, salt: toHex(salt), index: 1, path: [toHex(left), toHex(right)] },
    head: { n: 7, text: head, signature: signed(keys[1]!.privateKey, head) },
    keys: [
      { key: 1, publicKey: first!, signature: null },
      { key: 2, publicKey: second!, signature: announced },
    ],
  }
  return { json: JSON.stringify(value), firstKey: first!, value }
}

const check: CheckSignature = async (publicKey, about, signature) => {
  const x = Buffer.from(publicKey, 'hex').toString('base64url')
  return verify(null, Buffer.from(about), { key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }, Buffer.from(signature, 'hex'))
}

test('PROOF-RECEIPT-003: a downloaded receipt is proved by its path, the head and the keys; with any other byte it is refused', async () => {
  const { json, firstKey, value } = downloaded()
  const found = await checkReceipt(json, check)
  assert.ok(typeof found !== 'string', String(found))
  assert.deepEqual([found.receipt, found.head.n, found.firstKey], [readReceiptText(text), 7, firstKey])
  for (let at = 0; at < json.length; at++) {
    for (const flip of [1, 7, 32]) {
      const changed = json.slice(0, at) + String.fromCharCode(json.charCodeAt(at) ^ flip) + json.slice(at + 1)
      assert.equal(typeof (await checkReceipt(changed, check)), 'string', `byte ${at}: ${changed.slice(at - 10, at + 10)}`)
    }
  }
  const wrong: [object, string][] = [
    [{ ...value, index: 0 }, 'is not in the tree that its head names'],
    [{ ...value, index: 3 }, 'is not in the tree that its head names'],
    [{ ...value, index: '1' }, 'is not in the tree that its head names'],
    [{ ...value, path: [] }, 'is not in the tree that its head names'],
    [{ ...value, path: null }, 'is not in the tree that its head names'],
    [{ ...value, salt: 'AB'.repeat(32) }, 'is not in the tree that its head names'],
    [{ ...value, text: text.replace('seq 42', 'seq 51') }, 'is later than its head'],
    [{ ...value, text: 7 }, 'has no receipt'],
    [{ ...value, head: null }, 'has no head'],
    [{ ...value, head: { ...(value['head'] as object), n: 8 } }, 'has no head'],
    [{ ...value, keys: [] }, 'has a head that is not signed by its key'],
    [{ ...value, keys: (value['keys'] as unknown[]).slice(0, 1) }, 'has a head that is not signed by its key'],
    [{ ...value, keys: (value['keys'] as unknown[]).slice(1) }, 'has a key that is none'],
    [{ ...value, more: 1 }, 'is not written as the exchange writes it'],
    [[], 'is not written as the exchange writes it'],
  ]
  for (const [one, why] of wrong) assert.equal(await checkReceipt(JSON.stringify(one), check), why)
  const deep = json.replace('"index":1', `"index":${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  for (const one of ['', 'null', '7', json.slice(0, -1), deep]) assert.equal(typeof (await checkReceipt(one, check)), 'string')
})
