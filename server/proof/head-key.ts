import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeDurably } from '../store/durable-file.ts'

/** The file of the key that signs heads: an Ed25519 key as PEM, which only its process reads. */
export const headKeyFile = (folder: string): string => join(folder, 'head.key')

/** throws  Error when the file is missing, may be read by others, or is no such key */
export function readHeadKey(path: string): KeyObject {
  const handle = openSync(path, 'r')
  try {
    if (process.platform !== 'win32' && (fstatSync(handle).mode & 0o077) !== 0)
      throw new Error(`${path} may be read by others: its mode must be 600`)
    const key = createPrivateKey(readFileSync(handle, 'utf8'))
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${path} is no Ed25519 key`)
    return key
  } finally {
    closeSync(handle)
  }
}

/** Generates the key unless the file is there. */
export function drawHeadKey(path: string): void {
  if (existsSync(path)) return
  mkdirSync(dirname(path), { recursive: true })
  writeDurably(path, generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString())
}

/** The public part: 32 bytes in hex. */
export function publicHeadKey(key: KeyObject): string {
  return Buffer.from(createPublicKey(key).export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
}
