import { mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chunkBytes, type ChunkReader, type ChunkWriter, type Stored } from './chunks.ts'
import { BackupFault } from './fault.ts'

/** Files as one sequence of bytes in chunks; a file has the `size` bytes from `at`. */
export type Listing = {
  readonly folders: readonly string[]
  readonly files: readonly ListedFile[]
  readonly chunks: readonly ListedChunk[]
}
type ListedFile = { readonly path: string; readonly at: number; readonly size: number }
type ListedChunk = { readonly name: string; readonly size: number }

/**
 * Makes a listing file by file. Large files begin with a chunk of their own. Small ones share chunks with their neighbours, so that a
 * thousand tiny files are not a thousand objects.
 */
export class ListingWriter {
  readonly #chunks: ChunkWriter
  readonly #listing = { folders: [] as string[], files: [] as ListedFile[], chunks: [] as ListedChunk[] }
  #at = 0
  #pack: Buffer[] = []
  #packed = 0

  constructor(chunks: ChunkWriter) {
    this.#chunks = chunks
  }

  folder(path: string): void {
    this.#listing.folders.push(path)
  }

  async bytes(path: string, bytes: Buffer): Promise<void> {
    if (bytes.length >= chunkBytes || this.#packed + bytes.length > chunkBytes) await this.flush()
    this.#listing.files.push({ path, at: this.#at, size: bytes.length })
    this.#at += bytes.length
    this.#pack.push(bytes)
    this.#packed += bytes.length
    if (this.#packed >= chunkBytes) await this.flush()
  }

  /** Copies as many bytes as the file has when it is opened, or fewer if it is cut meanwhile. Returns false when there is no such file. */
  async file(path: string, from: string): Promise<boolean> {
    const handle = await open(from).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return undefined
      throw cause
    })
    if (handle === undefined) return false
    try {
      const { size } = await handle.stat()
      if (size < chunkBytes) await this.bytes(path, (await readUpTo(handle, 0, size)) as Buffer)
      else {
        await this.flush()
        const at = this.#at
        for (let done = 0; done < size; ) {
          const part = await readUpTo(handle, done, Math.min(chunkBytes, size - done))
          if (part.length === 0) break
          await this.#chunk(part)
          done += part.length
          this.#at += part.length
        }
        this.#listing.files.push({ path, at, size: this.#at - at })
      }
    } finally {
      await handle.close()
    }
    return true
  }

  /** A file that an earlier listing has, and which never changes. */
  async known(file: ListedFile, chunks: readonly ListedChunk[]): Promise<void> {
    await this.flush()
    this.#listing.files.push({ ...file, at: this.#at })
    this.#listing.chunks.push(...chunks)
    this.#at += file.size
  }

  /** Ends the chunk that small files share. */
  async flush(): Promise<void> {
    if (this.#packed === 0) return
    const bytes = Buffer.concat(this.#pack)
    this.#pack = []
    this.#packed = 0
    for (let at = 0; at < bytes.length; at += chunkBytes) await this.#chunk(bytes.subarray(at, at + chunkBytes))
  }

  async end(): Promise<Stored> {
    await this.flush()
    return this.#chunks.addAll(Buffer.from(JSON.stringify(this.#listing)))
  }

  async #chunk(bytes: Buffer): Promise<void> {
    this.#listing.chunks.push({ name: await this.#chunks.add(bytes), size: bytes.length })
  }
}

async function readUpTo(handle: Awaited<ReturnType<typeof open>>, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let done = 0
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, at + done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return bytes.subarray(0, done)
}

export async function readListing(chunks: ChunkReader, stored: Stored): Promise<Listing> {
  return JSON.parse((await chunks.readAll(stored)).toString('utf8')) as Listing
}

/** The chunks of each file that has chunks of its own alone. */
export function ownChunks({
  files,
  chunks,
}: Listing): ReadonlyMap<string, { readonly file: ListedFile; readonly chunks: readonly ListedChunk[] }> {
  const starts = new Map<number, number>()
  let at = 0
  for (const [index, { size }] of chunks.entries()) {
    starts.set(at, index)
    at += size
  }
  starts.set(at, chunks.length)
  return new Map(
    files.flatMap((file) => {
      const [first, last] = [starts.get(file.at), starts.get(file.at + file.size)]
      return first === undefined || last === undefined ? [] : [[file.path, { file, chunks: chunks.slice(first, last) }] as const]
    }),
  )
}

/**
 * Writes the files of a listing below a folder, chunk by chunk. Returns the number of bytes.
 *
 * wanted  which files; default: all
 */
export async function writeListing(
  chunks: ChunkReader,
  { folders, files, chunks: listed }: Listing,
  folder: string,
  wanted: (path: string) => boolean = () => true,
): Promise<number> {
  const place = (path: string): string => {
    if (path.startsWith('/') || path.split('/').includes('..')) throw new BackupFault(`A backup has no file ${path}`)
    return join(folder, path)
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const path of folders) await mkdir(place(path), { recursive: true, mode: 0o700 })
  const left = files.filter(({ path }) => wanted(path)).toSorted((a, b) => a.at - b.at || a.size - b.size)
  const made = new Set(folders)
  await using writer = new FileInTurn(async (path) => {
    if (!made.has(dirname(path))) await mkdir(dirname(place(path)), { recursive: true, mode: 0o700 })
    made.add(dirname(path))
    return await open(place(path), 'wx', 0o600)
  })
  const needed = neededOf(listed, left)
  let next = 0
  let index = 0
  for await (const bytes of chunks.readEach(needed.map(({ name }) => name))) {
    const { at, size } = needed[index++]!
    if (bytes.length !== size) throw new BackupFault('A chunk in the store has another length than its list says')
    for (; next < left.length && left[next]!.at + left[next]!.size <= at; next++) await writer.write(left[next]!, 0, Buffer.alloc(0))
    for (let which = next; which < left.length && left[which]!.at < at + size; which++) {
      const file = left[which]!
      const [from, to] = [Math.max(file.at, at), Math.min(file.at + file.size, at + size)]
      await writer.write(file, from - file.at, bytes.subarray(from - at, to - at))
      if (file.at + file.size <= at + size) next = which + 1
    }
  }
  for (; next < left.length; next++) await writer.write(left[next]!, 0, Buffer.alloc(0))
  await writer.end()
  return left.reduce((sum, { size }) => sum + size, 0)
}

/** The chunks that have bytes of these files, with their places. */
function neededOf(chunks: readonly ListedChunk[], files: readonly ListedFile[]): readonly (ListedChunk & { readonly at: number })[] {
  const needed: (ListedChunk & { readonly at: number })[] = []
  let at = 0
  let next = 0
  for (const chunk of chunks) {
    while (next < files.length && files[next]!.at + files[next]!.size <= at) next++
    if (next < files.length && files[next]!.at < at + chunk.size) needed.push({ ...chunk, at })
    at += chunk.size
  }
  return needed
}

/** Keeps the file open that is being written, until the next one follows. */
class FileInTurn implements AsyncDisposable {
  readonly #create: (path: string) => Promise<Awaited<ReturnType<typeof open>>>
  #file: { readonly path: string; readonly size: number; readonly handle: Awaited<ReturnType<typeof open>>; written: number } | undefined

  constructor(create: (path: string) => Promise<Awaited<ReturnType<typeof open>>>) {
    this.#create = create
  }

  async write({ path, size }: ListedFile, at: number, bytes: Buffer): Promise<void> {
    if (this.#file?.path !== path) {
      await this.end()
      this.#file = { path, size, handle: await this.#create(path), written: 0 }
    }
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.#file.handle.write(bytes, done, bytes.length - done, at + done)
      done += bytesWritten
    }
    this.#file.written += bytes.length
  }

  /** throws  BackupFault when the file has not all its bytes */
  async end(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (file === undefined) return
    await file.handle.close()
    if (file.written !== file.size) throw new BackupFault(`${file.path} has ${file.written} bytes in the backup instead of ${file.size}`)
  }

  /** After a fault, the file is left as it is. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.handle.close()
  }
}

/** Files below a folder, from it, sorted; none when there is no folder. */
export async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return []
    throw cause
  })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .toSorted()
}
