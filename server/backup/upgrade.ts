import { isNewestDump } from '@candor/core/exchange/dump.ts'
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { diskSpace } from '../engine/disk.ts'
import { coreVersion } from '../journal/row.ts'
import { lacksMigrations } from '../store/migrate.ts'
import type { Store } from '../store/open.ts'
import { BackupFault } from './fault.ts'
import { filesBelow } from './listing.ts'

/** Whether a start of this build changes existing data so that the build before could not continue with it. Read before tables are migrated. */
export async function isUpgrade(store: Store): Promise<boolean> {
  const { rows: tables } = await store.pool.query<{ has: boolean }>(
    `select to_regclass('public.journal') is not null and to_regclass('public.snapshot_chunks') is not null as has`,
  )
  if (!tables[0]!.has) return false
  const { rows } = await store.pool.query<{ version: number }>(
    'select core_version as version from public.journal order by seq desc limit 1',
  )
  // A database without commands has nothing to lose.
  if (rows[0] === undefined) return false
  if (rows[0].version !== coreVersion || (await lacksMigrations(store))) return true
  const { rows: newest } = await store.pool.query<{ bytes: Buffer }>(
    'select bytes from public.snapshot_chunks where chunk = 0 order by seq desc limit 1',
  )
  return newest[0] !== undefined && !isNewestDump(newest[0].bytes)
}

/** throws  BackupFault when the disk of a folder has less room than these folders take: a disk that fills up would stop the exchange */
export async function checkRoom(folder: string, folders: readonly (string | undefined)[], space = diskSpace): Promise<void> {
  let needed = 0
  for (const from of folders) {
    if (from === undefined) continue
    for (const name of await filesBelow(from))
      needed += await stat(join(from, name)).then(
        ({ size }) => size,
        () => 0,
      )
  }
  let existing = folder
  while (!existsSync(existing)) existing = dirname(existing)
  const { free } = await space(existing)
  if (free < needed) throw new BackupFault(`${existing} has ${gigabytes(free)} free, and the data takes ${gigabytes(needed)}`)
}

export const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
