/** Small secrets in files: AES-256-GCM under a key that scrypt derives from a passphrase. What the file says openly is authenticated. */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { chmodSync, closeSync, fstatSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs'
import { z } from 'zod'
import { CustodyFault } from './reasons.ts'

/** The N of scrypt: 128 MiB and a third of a second for each guess. Files are never sealed at a higher cost. */
const standardCost = 131_072
const memoryMax = 256 * 1024 * 1024
/** A passphrase shorter than this is refused when a file is made. */
export const passphraseMin = 12

const file = z.strictObject({
  label: z.record(z.string(), z.string()),
  scrypt: z.strictObject({ n: z.int().max(standardCost), r: z.literal(8), p: z.literal(1), salt: z.string() }),
  nonce: z.string(),
  sealed: z.string(),
})

type Terms = { readonly n: number; readonly r: 8; readonly p: 1 }

/** What a sealed file says openly: nobody can change it without the passphrase. */
export type Label = Readonly<Record<string, string>>

/**
 * What files are sealed with. A passphrase alone stands for the standard cost: cheaper files do not open. A program that opens dozens of
 * worthless keys in a row, such as a test, names a lower cost for what it seals and opens.
 */
export type Lock = string | { readonly passphrase: string; readonly cost: number }

/** Writes a new file that only this user reads. throws  CustodyFault when the file exists, or the passphrase is too short */
export async function writeSealed(path: string, label: Label, secret: Uint8Array, lock: Lock): Promise<void> {
  const { passphrase, cost } = whole(lock)
  if (passphrase.length < passphraseMin) throw new CustodyFault(`The passphrase has at least ${passphraseMin} characters`)
  const salt = randomBytes(32)
  const terms: Terms = { n: cost, r: 8, p: 1 }
  const key = await derive(passphrase, salt, terms)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(bound(label, salt, terms))
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  key.fill(0)
  const [saltText, nonceText, sealedText] = [salt, nonce, sealed].map((bytes) => bytes.toString('base64'))
  writeNew(path, `${JSON.stringify({ label, scrypt: { ...terms, salt: saltText }, nonce: nonceText, sealed: sealedText }, undefined, 2)}\n`)
}

/**
 * throws  CustodyFault when others may read it, its label is not the expected one, it is sealed at a lower cost than the lock's, the
 *         passphrase is wrong, or it was changed
 */
export async function readSealed(path: string, expected: Label, lock: Lock): Promise<{ readonly label: Label; readonly secret: Buffer }> {
  const { passphrase, cost } = whole(lock)
  const { label, scrypt, nonce, sealed } = parse(readOwn(path), path)
  if (scrypt.n < cost) throw new CustodyFault(`${path} is sealed too cheaply: its N is ${scrypt.n}, and ${cost} is the least`)
  for (const [name, value] of Object.entries(expected)) {
    if (label[name] !== value) throw new CustodyFault(`${path} is not of ${name} ${value}`)
  }
  const { salt: saltText, ...terms } = scrypt
  const salt = Buffer.from(saltText, 'base64')
  const key = await derive(passphrase, salt, terms)
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64'), { authTagLength: 16 }).setAAD(
      bound(label, salt, terms),
    )
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

const whole = (lock: Lock): Exclude<Lock, string> => (typeof lock === 'string' ? { passphrase: lock, cost: standardCost } : lock)

/** The label in one order, scrypt's terms, and the salt. */
function bound(label: Label, salt: Buffer, { n, r, p }: Terms): Buffer {
  const parts = Object.entries(label).sort(([a], [b]) => (a < b ? -1 : 1))
  return Buffer.from(JSON.stringify(['candor sealed 1', parts, { n, r, p }, salt.toString('base64')]))
}

function derive(passphrase: string, salt: Buffer, { n, r, p }: Terms): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize('NFKC'), salt, 32, { N: n, r, p, maxmem: memoryMax }, (cause, key) =>
      cause ? reject(cause) : resolve(key),
    )
  })
}
