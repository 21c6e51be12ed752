import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { diskSpace, isFull } from '../engine/disk.ts'
import { syncFolder } from '../store/durable-file.ts'
import { recoverEmbedded } from '../store/embedded.ts'
import { ChunkReader } from './chunks.ts'
import { BackupFault } from './fault.ts'
import type { BackupKeys } from './keys.ts'
import { type Listing, readListing, writeListing } from './listing.ts'
import type { Place } from './place.ts'
import { type Run, Runs } from './runs.ts'
import { type Plan, planOf, type Target } from './target.ts'
import { gigabytes } from './upgrade.ts'
import { segmentName } from './wal.ts'

export type RestoreOptions = {
  readonly place: Place
  readonly keys: BackupKeys
  readonly target: Target
  /** A folder that is empty or does not exist. */
  readonly dataFolder: string
  readonly say?: (line: string) => void
  readonly space?: typeof diskSpace
}

export type Restored = {
  readonly base: Run
  readonly last: Run
  /** The newest command in the restored journal. */
  readonly head: { readonly seq: number; readonly hash: string }
  readonly bytes: number
  /** An older run that is missing or damaged, and was not needed. */
  readonly damage: string | undefined
}

/** The folder in which a restore works until all is there. */
const unfinished = 'restoring'
/** What PostgreSQL writes besides while it replays: its own log, and tables that grow. */
const besides = 512 * 1024 * 1024

/**
 * Restores a data folder and checks that its journal ends where it should. The folder looks like a data folder only when it is complete; one
 * that an interrupted restore left is emptied first.
 *
 * throws  BackupFault when the folder is in use, its disk has not enough room, the target is not in the backup, or an object is missing,
 *         changed or of another key
 */
export async function restore(options: RestoreOptions): Promise<Restored> {
  const { place, keys, target, dataFolder, say = () => undefined, space = diskSpace } = options
  const draft = join(dataFolder, unfinished)
  // PostgreSQL may run as another user, who has to get through.
  await mkdir(dataFolder, { recursive: true, mode: 0o755 })
  const present = (await readdir(dataFolder)).filter((name) => name !== unfinished)
  if (present.length > 0) throw new BackupFault(`${dataFolder} is not empty (${present[0]}): restore into a folder that is empty or new`)
  await rm(draft, { recursive: true, force: true })
  const chunks = new ChunkReader(place, keys)
  const { runs, damage } = await new Runs(place, keys).kept()
  const plan = await planOf(runs, target, chunks).catch((cause: unknown) => {
    if (damage === undefined || !(cause instanceof BackupFault)) throw cause
    throw new BackupFault(`${damage}, and without it: ${cause.message}`)
  })
  const { base, last } = plan
  if (damage !== undefined) say(`${damage}: runs before ${runs[0]!.number} are of no use.`)
  const parts = await partsOf(plan, chunks)
  const needed = parts.reduce((sum, part) => sum + sizeOf(part), besides)
  const { free, total } = await space(dataFolder)
  // An exchange pauses when its disk is nearly full: one that trades beside a rehearsal must not.
  if (isFull({ free: free - needed, total }))
    throw new BackupFault(
      `${dataFolder} has ${gigabytes(free)} free, and the restored data takes ${gigabytes(needed)}: the disk would be full`,
    )
  await mkdir(draft, { mode: 0o755 })
  say(`Copying run ${base.number}${last === base ? '' : ` and the log up to run ${last.number}`} …`)
  const bytes = await writeFiles(plan, parts, chunks, draft)
  say('Replaying the log …')
  const head = await recoverEmbedded(draft, plan.recovery, (url) => checkHead(url, last, target))
  // The database comes last: what it can't do without is beside it when it is there.
  const isLast = (name: string): number => Number(name === 'postgres')
  for (const name of (await readdir(draft)).sort((a, b) => isLast(a) - isLast(b))) await rename(join(draft, name), join(dataFolder, name))
  await rmdir(draft)
  syncFolder(dataFolder)
  return { base, last, head, bytes, damage }
}

/** Files of one listing, and where they go below the data folder. `wanted`: which of them; undefined: all. */
type Part = { readonly listing: Listing; readonly folder: string; readonly wanted?: (path: string) => boolean }

async function partsOf({ base: first, runs, last }: Plan, chunks: ChunkReader): Promise<readonly Part[]> {
  const { cluster, firstSegment } = first.base!
  const parts: Part[] = [{ listing: await readListing(chunks, cluster), folder: 'postgres' }]
  for (const run of runs) {
    // An increment may begin with log from before the copy.
    const from = segmentName(run.timeline, firstSegment, run.segmentBytes)
    const listing = await readListing(chunks, run.log)
    parts.push({ listing, folder: join('postgres', 'data', 'pg_wal'), wanted: (name) => name >= from })
  }
  for (const stored of [last.files, last.photos])
    if (stored !== undefined) parts.push({ listing: await readListing(chunks, stored), folder: '' })
  return parts
}

function sizeOf({ listing, wanted = () => true }: Part): number {
  return listing.files.reduce((sum, { path, size }) => sum + (wanted(path) ? size : 0), 0)
}

async function writeFiles({ base, last }: Plan, parts: readonly Part[], chunks: ChunkReader, draft: string): Promise<number> {
  let bytes = 0
  for (const { listing, folder, wanted } of parts) bytes += await writeListing(chunks, listing, join(draft, folder), wanted)
  const postgres = join(draft, 'postgres')
  await writeFile(join(postgres, 'data', 'backup_label'), base.base!.label, { mode: 0o600 })
  if (!existsSync(join(postgres, 'password'))) throw new BackupFault(`Run ${last.number} has no password of the database`)
  return bytes
}

/** The newest command of the restored journal. throws  BackupFault when it is not the one that was asked for, or the journal is another */
async function checkHead(url: string, last: Run, target: Target): Promise<Restored['head']> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const at = async (which: string, values: readonly number[]) => {
      const { rows } = await client.query<{ seq: string; hash: Buffer }>(`select seq, hash from public.journal ${which}`, [...values])
      return rows[0] === undefined ? { seq: 0, hash: '' } : { seq: Number(rows[0].seq), hash: rows[0].hash.toString('hex') }
    }
    const head = await at('order by seq desc limit 1', [])
    if (target.kind === 'seq' && head.seq !== target.seq)
      throw new BackupFault(`The restored journal ends at command ${head.seq} instead of ${target.seq}`)
    if (target.kind === 'newest' && last.head.seq > 0) {
      const { hash } = await at('where seq = $1', [last.head.seq])
      if (hash !== last.head.hash) throw new BackupFault(`The restored journal has no command ${last.head.seq}, or another one`)
    }
    return head
  } finally {
    await client.end()
  }
}
