/** Writes archives whose bytes depend on nothing but the files: names are sorted, times, owners and permissions are given. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

const blockSize = 512
const nameMax = 100
const types = { file: '0', link: '2', folder: '5', extended: 'x' } as const

type Entry = {
  readonly name: string
  readonly type: keyof typeof types
  readonly mode: number
  readonly size: number
  readonly seconds: number
  readonly target?: string
}

/**
 * Packs a folder into a compressed archive.
 *
 * top      the folder in the archive that everything is in
 * seconds  time of every file, since 1970
 */
export async function pack(
  folder: string,
  archive: string,
  { top, seconds }: { readonly top: string; readonly seconds: number },
): Promise<void> {
  // A header of gzip has no time and no name here, and the level is fixed.
  await pipeline(Readable.from(parts(folder, top, seconds)), createGzip({ level: 6 }), createWriteStream(archive))
}

function* parts(folder: string, top: string, seconds: number): Generator<Buffer> {
  for (const path of walk(folder, '')) {
    const place = join(folder, path)
    const stat = lstatSync(place)
    const name = path === '' ? top : `${top}/${path}`
    if (stat.isSymbolicLink()) yield* headers({ name, type: 'link', mode: 0o777, size: 0, seconds, target: readlinkSync(place) })
    else if (stat.isDirectory()) yield* headers({ name: `${name}/`, type: 'folder', mode: 0o755, size: 0, seconds })
    else {
      const bytes = readFileSync(place)
      yield* headers({ name, type: 'file', mode: (stat.mode & 0o100) === 0 ? 0o644 : 0o755, size: bytes.length, seconds })
      yield bytes
      yield padding(bytes.length)
    }
  }
  yield Buffer.alloc(2 * blockSize)
}

/** Paths below a folder, each folder before what is in it, in the order of their bytes. */
function* walk(folder: string, path: string): Generator<string> {
  yield path
  const place = join(folder, path)
  if (!lstatSync(place).isDirectory()) return
  const names = readdirSync(place).toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
  for (const name of names) yield* walk(folder, path === '' ? name : `${path}/${name}`)
}

/** Names and targets that are too long for a header stand before it, as POSIX says (pax). */
function* headers(entry: Entry): Generator<Buffer> {
  const { name, target = '' } = entry
  const long = [
    ...(Buffer.byteLength(name) > nameMax ? [record('path', name)] : []),
    ...(Buffer.byteLength(target) > nameMax ? [record('linkpath', target)] : []),
  ].join('')
  if (long !== '') {
    const bytes = Buffer.from(long)
    yield header({ name: 'pax', type: 'extended', mode: 0o644, size: bytes.length, seconds: entry.seconds })
    yield bytes
    yield padding(bytes.length)
  }
  yield header(entry)
}

/** `LENGTH key=value\n`, where the length counts its own digits. */
function record(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  let length = Buffer.byteLength(rest) + 1
  while (String(length).length + Buffer.byteLength(rest) !== length) length = String(length).length + Buffer.byteLength(rest)
  return `${length}${rest}`
}

function header({ name, type, mode, size, seconds, target = '' }: Entry): Buffer {
  const block = Buffer.alloc(blockSize)
  const octal = (value: number, at: number, digits: number): void => void block.write(`${value.toString(8).padStart(digits, '0')}\0`, at)
  cut(name).copy(block, 0)
  octal(mode, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(size, 124, 11)
  octal(seconds, 136, 11)
  block.write('        ', 148)
  block.write(types[type], 156)
  cut(target).copy(block, 157)
  block.write('ustar\u000000', 257)
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const cut = (text: string): Buffer => Buffer.from(text).subarray(0, nameMax)
const padding = (size: number): Buffer => Buffer.alloc((blockSize - (size % blockSize)) % blockSize)

/** SHA-256 of a file, in hexadecimal. */
export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  if (statSync(file).size > 0) for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
