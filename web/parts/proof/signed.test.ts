import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js'
import { isSigned } from './signed.ts'

const { Point } = ed25519
const text = 'candor head 1\n'
const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const little = (bytes: Uint8Array): bigint => BigInt(`0x${hexOf(Uint8Array.from(bytes).reverse())}`)

/** A key and its signature with a point of order 8 in the key, in the signature, or in both. */
function mixed(inKey: string, inSignature: string): { readonly key: string; readonly signature: string } {
  const order = Point.Fn.ORDER
  const [secret, once] = [123_456_789n, 987_654_321n]
  const key = Point.BASE.multiply(secret).add(Point.fromHex(inKey)).toBytes()
  const point = Point.BASE.multiply(once).add(Point.fromHex(inSignature)).toBytes()
  const hash = little(createHash('sha512').update(point).update(key).update(text).digest()) % order
  const rest = Buffer.from(((once + hash * secret) % order).toString(16).padStart(64, '0'), 'hex').reverse()
  return { key: hexOf(key), signature: hexOf(point) + hexOf(rest) }
}

test('PROOF-HEAD-012: without WebCrypto, a signature is refused that would hold only after a multiplication by 8', async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex')
  const signature = sign(null, Buffer.from(text), privateKey).toString('hex')
  const none = ED25519_TORSION_SUBGROUP[0]!
  const order8 = ED25519_TORSION_SUBGROUP.find((one) => !Point.fromHex(one).multiplyUnsafe(4n).is0())!
  const odd = [mixed(order8, none), mixed(none, order8)]
  const made = mixed(none, none)
  const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))
  for (const one of odd) assert.ok(ed25519.verify(bytes(one.signature), Buffer.from(text), bytes(one.key)), 'the library takes it')
  // With WebCrypto, and then with the library.
  const results = async (): Promise<readonly boolean[]> =>
    Promise.all([
      isSigned(key, text, signature),
      isSigned(key, `${text}x`, signature),
      isSigned(made.key, text, made.signature),
      isSigned(odd[1]!.key, text, odd[1]!.signature),
    ])
  assert.deepEqual(await results(), [true, false, true, false])
  Object.defineProperty(globalThis, 'crypto', { value: {}, configurable: true })
  try {
    assert.deepEqual(await results(), [true, false, true, false])
    assert.equal(await isSigned(odd[0]!.key, text, odd[0]!.signature), false)
    assert.equal(await isSigned('ff'.repeat(32), text, signature), false)
  } finally {
    Object.defineProperty(globalThis, 'crypto', own)
  }
})
