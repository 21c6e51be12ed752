import { join } from 'node:path'
import { type ChunkReader, type ChunkWriter, type Stored } from './chunks.ts'
import { filesBelow, ListingWriter, ownChunks, readListing } from './listing.ts'

export type Mode = 'sandbox' | 'production'

/**
 * Files of the data folder, beside the cluster, without which a restored exchange would be another one: the password of the embedded
 * database and the key of the signed heads. A sandbox also keeps its server key and its test chains there; in production these are
 * elsewhere, and a backup never has them.
 */
export async function storeFiles(chunks: ChunkWriter, dataFolder: string, mode: Mode): Promise<Stored> {
  const listing = new ListingWriter(chunks)
  // The second one is there while a change of the key is announced and not yet complete: no other key may sign then.
  const names = [
    'postgres/password',
    'head.key',
    'head.key.next',
    ...(mode === 'sandbox' ? ['server.key', ...(await chainFiles(dataFolder))] : []),
  ]
  for (const name of names) await listing.file(name, join(dataFolder, name))
  return listing.end()
}

/** Sockets are no files; drafts are. */
async function chainFiles(dataFolder: string): Promise<readonly string[]> {
  return (await filesBelow(join(dataFolder, 'chains'))).filter((name) => !/\.new(-|$)/.test(name)).map((name) => `chains/${name}`)
}

/** Photos, which are encrypted and never change. Only those that the run before did not have are read. */
export async function storePhotos(
  chunks: ChunkWriter,
  folder: string,
  before: { readonly reader: ChunkReader; readonly photos: Stored | undefined },
): Promise<Stored> {
  const listing = new ListingWriter(chunks)
  const known = before.photos === undefined ? new Map() : ownChunks(await readListing(before.reader, before.photos))
  for (const name of await filesBelow(folder)) {
    if (name.endsWith('.part')) continue
    const path = `photos/${name}`
    const found: ReturnType<typeof ownChunks> extends ReadonlyMap<string, infer T> ? T | undefined : never = known.get(path)
    if (found?.chunks.every((chunk) => chunks.has(chunk.name))) await listing.known(found.file, found.chunks)
    else {
      await listing.flush()
      await listing.file(path, join(folder, name))
      await listing.flush()
    }
  }
  return listing.end()
}
