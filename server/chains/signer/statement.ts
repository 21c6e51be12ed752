/**
 * Statements that others sign for the signer. Each has one canonical text, a JSON list that begins with its kind, and the SHA-256 of
 * that text is signed: by Ed25519 keys as it is, by passkeys as the challenge. A signature of one kind never fits another.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import type { Intent } from '../ports.ts'

/** A payment of a customer. `clientId`: the customer's own name of the request, used once per customer. */
export type Payment = Intent & { readonly user: number; readonly clientId: string }
/** A withdrawal that fails. `clientId`: the customer's own name of the request, where it is known. */
export type Ending = { readonly withdrawal: number; readonly user: number; readonly clientId?: string }
export type Heartbeat = {
  /** Milliseconds. */
  readonly at: number
  /** Whether the reconciliation found that books and chain match. */
  readonly isMatch: boolean
  /** The newest entry of the signer's journal that the reconciliation knows. */
  readonly seq: number
  readonly head: string
}

function digestOf(kind: string, parts: readonly (string | number)[]): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([`candor ${kind} 1`, ...parts]))
    .digest()
}

const wishParts = (p: Payment) => [p.user, p.clientId, p.network, p.chainId, p.contract ?? '', p.to, p.value.toString()]

/** What the customer signs before the withdrawal has a number. `value` is what arrives. */
export const wishDigest = (payment: Payment): Buffer => digestOf('withdrawal', wishParts(payment))
/** What the engine signs: the same with the number. */
export const intentDigest = (payment: Payment): Buffer => digestOf('intent', [payment.withdrawal, ...wishParts(payment)])
/** What the engine signs when two members ended a withdrawal. */
export const endingDigest = ({ withdrawal, user, clientId }: Ending): Buffer => digestOf('ending', [withdrawal, user, clientId ?? ''])
/** What an operator signs above the limit. */
export const approvalDigest = (payment: Payment): Buffer => digestOf('approval', [intentDigest(payment).toString('hex')])
/** What the exchange's login signs for a customer without a passkey: that the other factors were checked for this request. */
export const attestedDigest = (payment: Payment): Buffer => digestOf('attested', [wishDigest(payment).toString('hex')])
/** What the reconciliation signs, again and again. */
export const heartbeatDigest = ({ at, isMatch, seq, head }: Heartbeat): Buffer =>
  digestOf('heartbeat', [at, isMatch ? 'match' : 'differ', seq, head])
/** What the reconciliation signs when these transactions can never be included any more. */
export const deadDigest = (network: string, withdrawal: number, txids: readonly string[]): Buffer =>
  digestOf('dead', [network, withdrawal, ...txids])
/** What the engine signs when a customer adds a passkey (`publicKey`: COSE, base64url), or removes one. */
export const keyDigest = (user: number, id: string, publicKey: string): Buffer => digestOf('passkey', [user, id, publicKey])
export const keyRemovalDigest = (user: number, id: string): Buffer => digestOf('passkey removed', [user, id])
/** What the owner of the keys signs. */
export const policyDigest = (text: string): Buffer => digestOf('policy', [text])

/** A public key of 32 bytes as hex. throws  Error when it is none */
export function ed25519Key(hex: string): KeyObject {
  const x = Buffer.from(hex, 'hex')
  if (x.length !== 32) throw new Error('Not an Ed25519 key')
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: x.toString('base64url') }, format: 'jwk' })
}

/** Whether the key signed the digest. `signature`: hex */
export function isSignedBy(key: KeyObject, digest: Buffer, signature: string): boolean {
  const bytes = Buffer.from(signature, 'hex')
  return bytes.length === 64 && verify(null, digest, key, bytes)
}

/** What stands before the 32 bytes of a private Ed25519 key in PKCS #8. */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A private key of 32 bytes. throws  Error when they are not 32 */
export function ed25519Private(seed: Uint8Array): KeyObject {
  if (seed.length !== 32) throw new Error('Not an Ed25519 key')
  return createPrivateKey({ key: Buffer.concat([pkcs8Head, seed]), format: 'der', type: 'pkcs8' })
}

/** The public part of a private key, as hex. */
export function ed25519Public(key: KeyObject): string {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
}

/** The signature of a digest, as hex. */
export const signDigest = (key: KeyObject, digest: Buffer): string => sign(null, digest, key).toString('hex')
