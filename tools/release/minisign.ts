/**
 * Signatures in the format of minisign, so that a release can be checked with `minisign -V` or `signify` as well: Ed25519 over the
 * BLAKE2b hash of the file. The private key is a PEM file, as `openssl genpkey -algorithm ed25519` writes it.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

const [hashed, plain] = [Buffer.from('ED'), Buffer.from('Ed')]
const idLength = 8
const signatureLength = 64
/** What stands before the 32 bytes of an Ed25519 key in its DER form. */
const derHead = Buffer.from('302a300506032b6570032100', 'hex')

const trusted = 'trusted comment: '

/** throws  Error for a key that is not Ed25519 */
export function privateKeyIn(pem: string): KeyObject {
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key must be Ed25519: openssl genpkey -algorithm ed25519')
  return key
}

const rawOf = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(derHead.length)
/** Tells keys apart; it proves nothing. */
const idOf = (raw: Buffer): Buffer => createHash('sha256').update(raw).digest().subarray(0, idLength)

/** The text of the file that others check with. */
export function publicKeyText(key: KeyObject): string {
  const raw = rawOf(key)
  return `untrusted comment: candor release key\n${Buffer.concat([plain, idOf(raw), raw]).toString('base64')}\n`
}

/** The text of the file `NAME.minisig`. `comment`: signed too. */
export function signatureText(key: KeyObject, bytes: Uint8Array, comment: string): string {
  const signature = sign(null, createHash('blake2b512').update(bytes).digest(), key)
  const global = sign(null, Buffer.concat([signature, Buffer.from(comment)]), key)
  const first = Buffer.concat([hashed, idOf(rawOf(key)), signature]).toString('base64')
  return `untrusted comment: signature of a candor release\n${first}\n${trusted}${comment}\n${global.toString('base64')}\n`
}

/**
 * Checks a file against its signature; returns the signed comment.
 *
 * throws  Error that says what is wrong
 */
export function check(publicText: string, signature: string, bytes: Uint8Array): string {
  const keyBytes = Buffer.from(publicText.trim().split('\n').at(-1) ?? '', 'base64')
  if (keyBytes.length !== 2 + idLength + 32) throw new Error('the public key is not one of minisign')
  const [, first = '', comment = '', last = ''] = signature.split('\n')
  const own = Buffer.from(first, 'base64')
  if (own.length !== 2 + idLength + signatureLength || !comment.startsWith(trusted)) throw new Error('the signature is not one of minisign')
  if (!own.subarray(0, 2).equals(hashed)) throw new Error('the signature is not over a hash')
  if (!own.subarray(2, 2 + idLength).equals(keyBytes.subarray(2, 2 + idLength))) throw new Error('the signature is by another key')
  const der = Buffer.concat([derHead, keyBytes.subarray(2 + idLength)])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const sealed = own.subarray(2 + idLength)
  const said = comment.slice(trusted.length)
  if (!verify(null, createHash('blake2b512').update(bytes).digest(), key, sealed)) throw new Error('the signature does not fit the file')
  const all = Buffer.concat([sealed, Buffer.from(said)])
  if (!verify(null, all, key, Buffer.from(last, 'base64'))) throw new Error('the comment of the signature was changed')
  return said
}
