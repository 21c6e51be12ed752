/** Small secrets in files: AES-256-GCM under a key that scrypt derives from a passphrase. What the file says openly is authenticated. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { chmodSync, closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { CustodyFault } from './reasons.ts'

/** 128 MiB and a third of a second for each guess. */
const standard = { n: 131_072, r: 8, p: 1 } as const
const memoryMax = 256 * 1024 * 1024
/** A passphrase shorter than this is refused when a file is made. */
export const passphraseMin = 12

const file = z.strictObject({
  label: z.record(z.string(), z.string()),
  scrypt: z.strictObject({ n: z.literal(standard.n), r: z.literal(standard.r), p: z.literal(standard.p), salt: z.string() }),
  nonce: z.string(),
  sealed: z.string(),
})

/** What a sealed file says openly: nobody can change it without the passphrase. */
export type Label = Readonly<Record<string, string>>

/** Writes a new file that only this user reads. throws  CustodyFault when the file exists, or the passphrase is too short */
export async function writeSealed(path: string, label: Label, secret: Uint8Array, passphrase: string): Promise<void> {
  if (passphrase.length < passphraseMin) throw new CustodyFault(`The passphrase has at least ${passphraseMin} characters`)
  const salt = randomBytes(32)
  const key = await derive(passphrase, salt)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound(label, salt))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  key.fill(0)
  const [saltText, nonceText, sealedText] = [salt, nonce, sealed].map((bytes) => bytes.toString('base64'))
  writeNew(
    path,
    `${JSON.stringify({ label, scrypt: { ...standard, salt: saltText }, nonce: nonceText, sealed: sealedText }, undefined, 2)}\n`,
  )
}

/** throws  CustodyFault when others may read it, its label is not the expected one, the passphrase is wrong, or it was changed */
export async function readSealed(
  path: string,
  expected: Label,
  passphrase: string,
): Promise<{ readonly label: Label; readonly secret: Buffer }> {
  const { label, scrypt, nonce, sealed } = parse(readOwn(path), path)
  for (const [name, value] of Object.entries(expected)) {
    if (label[name] !== value) throw new CustodyFault(`${path} is not of ${name} ${value}`)
  }
  const salt = Buffer.from(scrypt.salt, 'base64')
  const key = await derive(passphrase, salt)
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: 16 }).setAAD(bound(label, salt))
    decipher.setAuthTag(bytes.subarray(-16))
    return { label, secret: Buffer.concat([decipher.update(bytes.subarray(0, -16)), decipher.final()]) }
  } catch (cause) {
    throw new CustodyFault(`${path} does not open: the passphrase is wrong, or the file was changed`, { cause })
  } finally {
    key.fill(0)
  }
}

/** Writes and fsyncs a file that must not exist yet. throws  CustodyFault when it does */
export function writeNew(path: string, content: string, mode = 0o600): void {
  let handle: number
  try {
    handle = openSync(path, 'wx', mode)
  } catch (cause) {
    throw new CustodyFault(`${path} can’t be made: it may exist already`, { cause })
  }
  try {
    chmodSync(path, mode)
    writeSync(handle, content)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function readOwn(path: string): string {
  const handle = openSync(path, 'r')
  try {
    const { mode } = fstatSync(handle)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) throw new CustodyFault(`${path} may be read by others: its mode must be 600`)
    return readFileSync(handle, 'utf8')
  } finally {
    closeSync(handle)
  }
}

function parse(text: string, path: string): z.output<typeof file> {
  try {
    return file.parse(JSON.parse(text))
  } catch (cause) {
    throw new CustodyFault(`${path} is no sealed file`, { cause })
  }
}

/** The label in one order, and the salt. */
function bound(label: Label, salt: Buffer): Buffer {
  const parts = Object.entries(label).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.from(JSON.stringify(['candor sealed 1', parts, standard, salt.toString('base64')]))
}

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  const { n, r, p } = standard
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N: n, r, p, maxmem: memoryMax }, (cause, key) =>
      cause ? reject(cause) : resolve(key),
    )
  })
}
