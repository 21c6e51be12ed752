import assert from 'node:assert/strict'
import { generateKeyPairSync, sign, webcrypto } from 'node:crypto'
import { test } from 'node:test'
import { depositAddressText, walletKeyChangeText } from '@candor/core/proof/deposit-address.ts'
import { AddressUnsigned, knownKey, verified, WalletKeyChanged } from './verified.ts'

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

function walletOf() {
  const pair = generateKeyPairSync('ed25519')
  const key = Buffer.from(pair.publicKey.export({ format: 'jwk' }).x!, 'base64url').toString('hex')
  /** Says that another key follows on this one. */
  const vouch = (to: string, from = key) => ({
    ...{ from, to },
    signature: sign(null, Buffer.from(walletKeyChangeText({ from, to })), pair.privateKey).toString('hex'),
  })
  return { key, vouch }
}

/** A device that has seen nothing, or can keep nothing. */
async function onDevice(canKeep: boolean, work: () => Promise<void>): Promise<void> {
  const items = new Map<string, string>()
  const localStorage = {
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, value: string) {
      if (!canKeep) throw new DOMException('full', 'QuotaExceededError')
      items.set(name, value)
    },
  }
  Object.defineProperty(globalThis, 'localStorage', { value: localStorage, configurable: true })
  await work()
}

test('UI-DEPOSIT-005: a device keeps the first key that it sees, and takes another one only if the kept one vouches for it', async () => {
  const [first, second, third, thief] = [walletOf(), walletOf(), walletOf(), walletOf()]
  await onDevice(true, async () => {
    assert.equal(await knownKey(first.key, []), first.key)
    assert.equal(await knownKey(first.key, [thief.vouch(first.key)]), first.key)
    for (const changes of [
      [],
      [thief.vouch(thief.key, first.key)],
      [thief.vouch(thief.key)],
      [second.vouch(thief.key)],
      [{ ...first.vouch(second.key), to: thief.key }],
      [{ ...first.vouch(thief.key), signature: 'zz' }],
      // Two steps in the wrong order are none.
      [second.vouch(thief.key), first.vouch(second.key)],
    ])
      await assert.rejects(knownKey(thief.key, changes), WalletKeyChanged)
    assert.equal(await knownKey(third.key, [first.vouch(second.key), second.vouch(third.key)]), third.key)
    // From now on the third one counts, with or without the changes, and the first one not.
    assert.equal(await knownKey(third.key, []), third.key)
    await assert.rejects(knownKey(first.key, []), WalletKeyChanged)
    await assert.rejects(knownKey(thief.key, [first.vouch(thief.key)]), WalletKeyChanged)
  })
  await onDevice(false, async () => {
    assert.equal(await knownKey(first.key, []), first.key)
    assert.equal(await knownKey(second.key, []), second.key)
  })
})
