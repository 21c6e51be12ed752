import assert from 'node:assert/strict'
import { createHmac, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { KeyRecord } from '../../identity/keys.ts'
import { ApiAuth, type Need, type RawRequest } from '../auth.ts'
import { KeyRing } from '../key-ring.ts'
import { sentOf } from '../params.ts'

export const dayMs = 86_400_000
/** From the public documents of the API that this one resembles. */
export const vector = {
  secret: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j',
  at: 1_499_827_319_559,
  query: 'symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559',
  signature: 'c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71',
}
const pair = generateKeyPairSync('ed25519')
export const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const rsaPair = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const privateKey = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))

/** Number 1: may read and trade. */
export const hmacKey = 'h'.repeat(64)
/** Number 2: signs with Ed25519. */
export const edKey = 'e'.repeat(64)
/** Number 5: signs with RSA. */
export const rsaKey = 'r'.repeat(64)
/** Number 3: may only read, and only from 192.0.2.0/24. */
export const boundKey = 'b'.repeat(64)
/** Number 4: ends a day after the vector's time. */
export const endingKey = 'x'.repeat(64)

export const record = (key: string, number: number, more: Partial<KeyRecord> = {}): KeyRecord => ({
  ...{ number, key, kind: 'hmac', material: vector.secret, scopes: ['read', 'trade'], ips: [], createdAt: 1, expiresAt: null },
  ...{ account: `account-${number}`, user: 10 + number, uid: '123456789', class: 'retail', restUntil: 0 },
  ...more,
})

export const hmac = (message: string, secret = vector.secret): string =>
  createHmac('sha256', secret).update(Buffer.from(message, 'latin1')).digest('hex')
export const ed25519 = (message: string): string => sign(null, Buffer.from(message, 'latin1'), privateKey).toString('base64')
export const rsa = (message: string): string => sign('sha256', Buffer.from(message, 'latin1'), rsaPair.privateKey).toString('base64')
export const signedQuery = (query: string): string => `${query}&signature=${hmac(query)}`

const unasked = (): never => assert.fail('no pause runs')
/** What only a key whose maker rests is compared with. */
export const restless = {
  ask: { standing: unasked, convertStanding: unasked, openOrders: unasked },
  listing: { assetNamed: unasked, market: unasked },
}

/** Five keys and their owners, at a time that the test sets. New for each test. */
export class KeyWorld {
  now = vector.at
  readonly records = new Map([
    [hmacKey, record(hmacKey, 1)],
    [edKey, record(edKey, 2, { kind: 'ed25519', material: publicPem })],
    [rsaKey, record(rsaKey, 5, { kind: 'rsa', material: rsaPair.publicKey.export({ type: 'spki', format: 'pem' }).toString() })],
    [boundKey, record(boundKey, 3, { ips: ['192.0.2.0/24'], scopes: ['read'] })],
    [endingKey, record(endingKey, 4, { expiresAt: vector.at + dayMs })],
  ])
  lookups = 0
  readonly uses: (readonly [number, number, string])[] = []
  /** If set, a lookup waits for this. */
  gate: Promise<void> | undefined
  readonly ring = new KeyRing({
    now: () => this.now,
    onFault: (cause) => {
      throw cause
    },
    keys: {
      find: async (key) => {
        this.lookups++
        const found = this.records.get(key)
        await this.gate
        return found
      },
      used: async (...use) => void this.uses.push(use),
    },
  })
  readonly auth = new ApiAuth(this.ring, () => this.now)

  async signed(request: Omit<RawRequest, 'sent'>, need: Need) {
    return this.auth.signed({ ...request, sent: sentOf(request.query, Buffer.from(request.body ?? []).toString('latin1')) }, need)
  }
}
