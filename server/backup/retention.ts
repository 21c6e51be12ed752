import { ChunkReader, type Stored } from './chunks.ts'
import type { BackupKeys } from './keys.ts'
import { readListing } from './listing.ts'
import type { Place } from './place.ts'
import type { Runs } from './runs.ts'

/** Removes runs older than the oldest kept one, then all chunks that no kept run has: theirs, and those of interrupted runs. Nothing while a kept run is damaged. */
export async function discard({
  place,
  keys,
  runs,
  say,
  isAlone,
}: {
  readonly place: Place
  readonly keys: BackupKeys
  readonly runs: Runs
  readonly say?: ((line: string) => void) | undefined
  /** Asked before each deletion: another run may store chunks that no run names yet. Nothing more is removed once it is false. */
  readonly isAlone: () => Promise<boolean>
}): Promise<void> {
  const { runs: kept, damage } = await runs.kept()
  // What the runs before it need is not known then.
  if (damage !== undefined) return say?.(`${damage}: nothing is removed.`)
  for (const number of await runs.below(kept[0]?.number ?? 0)) {
    if (!(await isAlone())) return
    await runs.delete(number)
  }
  const chunks = new ChunkReader(place, keys)
  const needed = new Set<string>()
  const seen = new Set<string>()
  const need = async (stored: Stored | undefined, isListing: boolean): Promise<void> => {
    if (stored === undefined) return
    for (const chunk of stored.chunks) needed.add(chunk)
    // Runs in a row often have the same list.
    const name = stored.chunks.join()
    if (!isListing || seen.has(name)) return
    seen.add(name)
    for (const { name: chunk } of (await readListing(chunks, stored)).chunks) needed.add(chunk)
  }
  for (const { base, log, index, files, photos } of kept) {
    for (const listing of [base?.cluster, log, files, photos]) await need(listing, true)
    await need(index, false)
  }
  for (const object of await place.list('chunks')) {
    if (needed.has(object.slice('chunks/'.length))) continue
    if (!(await isAlone())) return
    await place.delete(object)
  }
}
