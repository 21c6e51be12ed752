import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Stored } from './chunks.ts'
import { BackupFault } from './fault.ts'
import { ListingWriter } from './listing.ts'
import type { ChunkWriter } from './chunks.ts'

/** Folders whose contents belong to a running server, or, like the log, come another way. */
const emptied: ReadonlySet<string> = new Set(
  ['wal', 'wal/archive_status', 'wal/summaries', 'replslot', 'dynshmem', 'notify', 'serial', 'snapshots', 'stat_tmp', 'subtrans'].map(
    (name) => `pg_${name}`,
  ),
)
/** Files of a running server, and temporary ones. */
const left =
  /^(postmaster\.(pid|opts)|pgsql_tmp.*|pg_internal\.init.*|current_logfiles|.*_label(\.old)?|t[0-9]+_[0-9]+(_[a-z]+)?(\.[0-9]+)?|.*\.new-[0-9]+)$/
const control = 'global/pg_control'

/**
 * Copies the files of a running server that is in backup mode. Pages that are written meanwhile may be torn: the log from the start of
 * the backup on repairs them.
 *
 * between  awaited after each file
 */
export async function storeCluster(chunks: ChunkWriter, cluster: string, between: () => Promise<void>): Promise<Stored> {
  const listing = new ListingWriter(chunks)
  await walk(listing, cluster, '', between)
  listing.folder('data')
  await listing.bytes(`data/${control}`, await readSteady(join(cluster, control)))
  return listing.end()
}

async function walk(listing: ListingWriter, cluster: string, folder: string, between: () => Promise<void>): Promise<void> {
  const entries = await readdir(join(cluster, folder), { withFileTypes: true })
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink()) throw new BackupFault(`${path} of the database lies elsewhere: a backup knows no tablespaces`)
    if (entry.isDirectory()) {
      // A slot has a folder of its own, and holds the log of this server: a restored one must not hold any for it.
      if (entry.name.startsWith('pgsql_tmp') || folder === 'pg_replslot') continue
      listing.folder(`data/${path}`)
      await walk(listing, cluster, path, between)
    } else if (path === control || left.test(entry.name)) continue
    else if (!emptied.has(folder) || /^[0-9A-F]{8}\.history$/.test(basename(path))) await listing.file(`data/${path}`, join(cluster, path))
    await between()
  }
  await listing.flush()
}

/** The server writes this file in one piece; two equal reads show that none was in between. */
async function readSteady(path: string): Promise<Buffer> {
  for (let before = await readFile(path); ; ) {
    const now = await readFile(path)
    if (now.equals(before)) return now
    before = now
  }
}
