import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import { test } from 'node:test'
import { depositAddressText } from '@candor/core/proof/deposit-address.ts'
import { AddressUnsigned, verified } from './verified.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const walletKey = Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex')
const about = { network: 'tron', address: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', uid: '100000001' }
const signature = sign(null, Buffer.from(depositAddressText(about)), privateKey).toString('hex')
const asked = { network: 'tron', uid: about.uid, walletKey }

/** Runs with a browser's crypto that has no `subtle`, or one that does not know Ed25519. */
async function withCrypto(subtle: object | undefined, work: () => Promise<void>): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!
  Object.defineProperty(globalThis, 'crypto', { value: { ...(subtle === undefined ? {} : { subtle }) }, configurable: true })
  await work().finally(() => Object.defineProperty(globalThis, 'crypto', own))
}

const browsers = {
  'an up-to-date browser': webcrypto.subtle,
  'a page without https': undefined,
  'an older browser': { importKey: () => Promise.reject(new DOMException('no Ed25519', 'NotSupportedError')) },
}

for (const [name, subtle] of Object.entries(browsers))
  test(`UI-DEPOSIT-003: ${name} takes a signed address, and no other`, async () => {
    await withCrypto(subtle, async () => {
      assert.equal(await verified({ ...about, signature }, asked), about.address)
      const wrong = [
        { ...about, signature, address: 'TR7NHqjeKQxGTCi8f6HwQQEworttSnLj6t' },
        { ...about, signature, network: 'ethereum' },
        { ...about, signature, uid: '100000002' },
        { ...about, signature: '00'.repeat(64) },
        { ...about, signature: 'zz' },
      ]
      for (const one of wrong) await assert.rejects(verified(one, asked), AddressUnsigned)
      await assert.rejects(verified({ ...about, signature }, { ...asked, uid: '100000002' }), AddressUnsigned)
      await assert.rejects(verified({ ...about, signature }, { ...asked, walletKey: 'aa'.repeat(32) }))
    })
  })
