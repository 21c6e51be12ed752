/** A passkey in software, as a phone makes one: a P-256 key, "none" attestation, the person checked. Tests bend it. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { PasskeyJson } from '../passkeys.ts'

type Options = { readonly options: PasskeyJson }
/** What a test changes: the page, whether it is inside another page, whether the person was checked, the count of uses. */
export type Bent = {
  readonly origin?: string
  readonly isFramed?: boolean
  readonly isVerified?: boolean
  readonly counter?: number
  /** What the browser adds to what is signed. */
  readonly more?: string
  /** A statement about the new passkey, signed with its own key or with another one. */
  readonly signedBy?: 'itself' | 'another'
  /** The public key, as COSE. */
  readonly publicKey?: Buffer
}

const sha256 = (data: Buffer | string): Buffer => createHash('sha256').update(data).digest()
const url = (data: Buffer): string => data.toString('base64url')

export class SoftPasskey {
  readonly id: Buffer
  readonly #key: KeyObject
  readonly #point: { readonly x: Buffer; readonly y: Buffer }
  readonly #origin: string
  #counter = 0

  constructor(origin: string, id: Buffer = randomBytes(16)) {
    this.id = id
    this.#origin = origin
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    this.#key = privateKey
    this.#point = { x: Buffer.from(x!, 'base64url'), y: Buffer.from(y!, 'base64url') }
  }

  /** The answer to `navigator.credentials.create`. */
  create({ options }: Options, bent: Bent = {}): PasskeyJson {
    const data = this.#client('webauthn.create', options, bent)
    const { publicKey = this.#cose() } = bent
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([this.id.length >> 8, this.id.length & 255]), this.id, publicKey])
    const authData = Buffer.concat([this.#head(options, 0x40, bent), credential])
    // {"fmt": text, "attStmt": map, "authData": bytes}
    const attestation = Buffer.concat([
      Buffer.from('a363666d74', 'hex'),
      this.#statement(Buffer.concat([authData, sha256(data)]), bent),
      Buffer.from('68617574684461746159', 'hex'),
      Buffer.from([authData.length >> 8, authData.length & 255]),
      authData,
    ])
    return this.#answer({ clientDataJSON: url(data), attestationObject: url(attestation), transports: ['internal'] })
  }

  /** The answer to `navigator.credentials.get`. */
  sign({ options }: Options, bent: Bent = {}): PasskeyJson {
    const data = this.#client('webauthn.get', options, bent)
    const authData = this.#head(options, 0, bent)
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(data)]))
      .sign(this.#key)
    return this.#answer({ clientDataJSON: url(data), authenticatorData: url(authData), signature: url(signature) })
  }

  #answer(response: object): PasskeyJson {
    return { id: url(this.id), rawId: url(this.id), type: 'public-key', clientExtensionResults: {}, response }
  }

  /** `"none", "attStmt": {}`, or `"packed", "attStmt": {"alg": -7, "sig": bytes}`. */
  #statement(signed: Buffer, { signedBy }: Bent): Buffer {
    if (signedBy === undefined) return Buffer.from('646e6f6e656761747453746d74a0', 'hex')
    const key = signedBy === 'itself' ? this.#key : generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const signature = createSign('sha256').update(signed).sign(key)
    return Buffer.concat([
      Buffer.from('667061636b65646761747453746d74a263616c67266373696758', 'hex'),
      Buffer.of(signature.length),
      signature,
    ])
  }

  #client(type: string, { challenge }: PasskeyJson, { origin = this.#origin, isFramed = false, more }: Bent): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: isFramed, more }))
  }

  /** Hash of the host, flags (present, verified, and `more`), count of uses. */
  #head(options: PasskeyJson, more: number, { isVerified = true, counter = ++this.#counter }: Bent): Buffer {
    const host = (options['rpId'] ?? (options['rp'] as { readonly id: string }).id) as string
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(host), Buffer.from([1 | (isVerified ? 4 : 0) | more]), count])
  }

  /** The public key as COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
  #cose(): Buffer {
    const part = (name: number, bytes: Buffer): Buffer => Buffer.concat([Buffer.from([name, 0x58, 32]), bytes])
    return Buffer.concat([Buffer.from('a5010203262001', 'hex'), part(0x21, this.#point.x), part(0x22, this.#point.y)])
  }
}
