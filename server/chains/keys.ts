/** Ed25519 keys of processes that sign for the signer, each in a file that only its process reads. */
import type { KeyObject } from 'node:crypto'
import { fstatSync, openSync, closeSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ed25519Private, signDigest } from './signer/statement.ts'

export const keyNames = ['engine', 'login', 'reconciliation'] as const
export type KeyName = (typeof keyNames)[number]

/** The file of a key: its 32 bytes as hex. */
export const keyFile = (folder: string, name: KeyName): string => join(folder, `${name}.key`)

/** throws  Error when the file is missing, may be read by others, or is no key */
export function readKey(folder: string, name: KeyName): KeyObject {
  const handle = openSync(keyFile(folder, name), 'r')
  try {
    if (process.platform !== 'win32' && (fstatSync(handle).mode & 0o077) !== 0)
      throw new Error(`${keyFile(folder, name)} may be read by others: its mode must be 600`)
    return ed25519Private(Buffer.from(readFileSync(handle, 'utf8').trim(), 'hex'))
  } finally {
    closeSync(handle)
  }
}

/** Signs digests with the key of one process. Returns hex. */
export type DigestSigner = (digest: Buffer) => string

export function digestSigner(folder: string, name: KeyName): DigestSigner {
  const key = readKey(folder, name)
  return (digest) => signDigest(key, digest)
}
