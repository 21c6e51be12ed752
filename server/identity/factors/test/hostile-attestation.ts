/** A new passkey whose certificate of origin names an address: a server that checks the certificate would ask there whether it is revoked. */
import { createHash, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { PasskeyJson } from '../passkeys.ts'

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const { length } = body
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), body])
}
const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)
const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const octets = (data: Buffer): Buffer => der(4, data)
const bits = (data: Buffer): Buffer => der(3, Buffer.alloc(1), data)

const ecdsa = sequence(hex('06082a8648ce3d040302'))
const p256 = sequence(hex('06072a8648ce3d0201'), hex('06082a8648ce3d030107'))
const named = (name: string): Buffer => sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from(name)))))
const years = sequence(der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('400101000000Z')))

function certificate(name: string, publicKey: Buffer, extensions: readonly Buffer[], signer: KeyObject): Buffer {
  const more = extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]
  const facts = sequence(der(0xa0, hex('020102')), hex('020101'), ecdsa, named('root'), years, named(name), publicKey, ...more)
  return sequence(facts, ecdsa, bits(createSign('sha256').update(facts).sign(signer)))
}

/** `made`: the answer of a passkey. Its statement becomes one of a device, by default an Android one, with a root of its own. */
export function withRevocationAt(url: string, made: PasskeyJson, format = 'android-key'): PasskeyJson {
  const response = made['response'] as Readonly<Record<string, string>>
  const client = createHash('sha256').update(Buffer.from(response['clientDataJSON']!, 'base64url')).digest()
  const object = Buffer.from(response['attestationObject']!, 'base64url')
  const authData = object.subarray(object.indexOf('authData') + 'authData'.length + 3)
  const point = Buffer.concat([Buffer.of(4), authData.subarray(-67, -35), authData.subarray(-32)])
  const root = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const level = hex('0a0100')
  const described = sequence(hex('020102'), level, hex('020102'), level, octets(client), octets(Buffer.alloc(0)), sequence(), sequence())
  const revoked = sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(url))))))
  const extensions = [sequence(hex('060a2b06010401d679020111'), octets(described)), sequence(hex('0603551d1f'), octets(revoked))]
  const leaf = certificate('leaf', sequence(p256, bits(point)), extensions, root.privateKey)
  const anchor = certificate('root', root.publicKey.export({ type: 'spki', format: 'der' }), [], root.privateKey)
  const text = (value: string): Buffer => Buffer.concat([Buffer.of(0x60 | value.length), Buffer.from(value)])
  const data = (value: Buffer): Buffer => {
    const { length } = value
    return Buffer.concat([
      Buffer.from(length < 24 ? [0x40 | length] : length < 256 ? [0x58, length] : [0x59, length >> 8, length & 255]),
      value,
    ])
  }
  // {"fmt": "android-key", "attStmt": {"alg": -7, "sig": bytes, "x5c": [bytes, bytes]}, "authData": bytes}
  const statement = [Buffer.of(0xa3), text('alg'), Buffer.of(0x26), text('sig'), data(Buffer.of(1)), text('x5c'), Buffer.of(0x82)]
  const all = [
    ...[Buffer.of(0xa3), text('fmt'), text(format), text('attStmt'), ...statement, data(leaf), data(anchor)],
    ...[text('authData'), data(authData)],
  ]
  return { ...made, response: { ...response, attestationObject: Buffer.concat(all).toString('base64url') } }
}
