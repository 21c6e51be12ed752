import { BackupFault } from './fault.ts'
import type { BackupKeys } from './keys.ts'
import type { Place } from './place.ts'

/** Largest chunk in bytes. A later backup stores only the chunks that changed. */
export const chunkBytes = 1024 * 1024
/** Chunks on their way at the same time: enough to hide a remote store's latency, and a few MiB of memory. */
const inFlightMax = 6

/** A sequence of bytes in the store. */
export type Stored = { readonly chunks: readonly string[]; readonly bytes: number }

const objectOf = (chunk: string): string => `chunks/${chunk}`

/** Puts chunks into a store, each once: the name of a chunk follows from its bytes. */
export class ChunkWriter {
  readonly #place: Place
  readonly #keys: BackupKeys
  readonly #present: Set<string>
  readonly #inFlight = new Set<Promise<void>>()
  readonly #fresh: string[] = []
  #failure: unknown
  /** Bytes that were read, bytes of chunks that were new, and bytes that these took in the store. */
  readonly sums = { read: 0, fresh: 0, sent: 0 }

  private constructor(place: Place, keys: BackupKeys, present: Set<string>) {
    this.#place = place
    this.#keys = keys
    this.#present = present
  }

  static async open(place: Place, keys: BackupKeys): Promise<ChunkWriter> {
    return new ChunkWriter(place, keys, new Set((await place.list('chunks')).map((name) => name.slice('chunks/'.length))))
  }

  has(chunk: string): boolean {
    return this.#present.has(chunk)
  }

  /** Returns the chunk's name, and waits when too many are on their way. The caller must not change the bytes afterwards. */
  async add(bytes: Buffer): Promise<string> {
    const chunk = this.#keys.nameOf(bytes)
    this.sums.read += bytes.length
    if (this.#present.has(chunk)) return chunk
    this.#present.add(chunk)
    this.#fresh.push(chunk)
    this.sums.fresh += bytes.length
    while (this.#inFlight.size >= inFlightMax) await Promise.race(this.#inFlight)
    this.#check()
    const sending: Promise<void> = this.#send(chunk, bytes)
      .catch((cause: unknown) => void (this.#failure ??= cause))
      .finally(() => this.#inFlight.delete(sending))
    this.#inFlight.add(sending)
    return chunk
  }

  async addAll(bytes: Buffer): Promise<Stored> {
    const chunks: string[] = []
    for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(await this.add(bytes.subarray(at, at + chunkBytes)))
    return { chunks, bytes: bytes.length }
  }

  /** Resolves when all chunks are durable. */
  async settle(): Promise<void> {
    await Promise.all(this.#inFlight)
    this.#check()
    await this.#place.settle()
  }

  /** Removes the chunks that were new. Nobody else may use the store. */
  async undo(): Promise<void> {
    await Promise.all(this.#inFlight)
    for (const chunk of this.#fresh) await this.#place.delete(objectOf(chunk))
  }

  async #send(chunk: string, bytes: Buffer): Promise<void> {
    const sealed = await this.#keys.seal(objectOf(chunk), bytes)
    await this.#place.put(objectOf(chunk), sealed)
    this.sums.sent += sealed.length
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure
  }
}

/** Reads chunks and checks each against its name. */
export class ChunkReader {
  readonly #place: Place
  readonly #keys: BackupKeys

  constructor(place: Place, keys: BackupKeys) {
    this.#place = place
    this.#keys = keys
  }

  /** throws  BackupFault when the chunk is missing, damaged, or another one */
  async read(chunk: string): Promise<Buffer> {
    const sealed = await this.#place.get(objectOf(chunk))
    if (sealed === undefined) throw new BackupFault(`${objectOf(chunk)} is missing in the store`)
    const bytes = await this.#keys.open(objectOf(chunk), sealed)
    if (this.#keys.nameOf(bytes) !== chunk) throw new BackupFault(`${objectOf(chunk)} has the bytes of another object`)
    return bytes
  }

  /** The chunks in their order; the next ones are read meanwhile. */
  async *readEach(chunks: readonly string[]): AsyncGenerator<Buffer> {
    const reading: Promise<Buffer>[] = []
    for (let next = 0, at = 0; at < chunks.length; at++) {
      for (; next < chunks.length && next < at + inFlightMax; next++) {
        const bytes = this.read(chunks[next] as string)
        bytes.catch(() => undefined)
        reading.push(bytes)
      }
      yield await (reading.shift() as Promise<Buffer>)
    }
  }

  async readAll({ chunks, bytes }: Stored): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.readEach(chunks)) parts.push(part)
    const all = Buffer.concat(parts)
    if (all.length !== bytes) throw new BackupFault(`A list in the store has ${all.length} bytes instead of ${bytes}`)
    return all
  }
}
