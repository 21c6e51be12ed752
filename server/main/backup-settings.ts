import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { backUp } from '../backup/backup.ts'
import { BackupKeys } from '../backup/keys.ts'
import { openPlace } from '../backup/place.ts'
import { checkRoom, isUpgrade } from '../backup/upgrade.ts'
import { isWeak } from '../identity/server-keys.ts'
import { readMode } from '../journal/mode.ts'
import { bucketOf } from '../papers/photo-place.ts'
import { writeDurably } from '../store/durable-file.ts'
import type { Store } from '../store/open.ts'
import { photosPlaceOf } from './photos.ts'
import { readVersion, type Settings, SettingsFault } from './settings.ts'

/**
 * The key of backups: from `CANDOR_BACKUP_KEY`, otherwise from a file beside the data folder, which no backup contains.
 *
 * onDrawn  told when the file was missing and a key was generated; without it, a missing file is refused
 * throws   SettingsFault when there is no key, or it is none
 */
export function backupKeysOf({ backupKey, dataFolder }: Settings, onDrawn?: (line: string) => void): BackupKeys {
  const path = `${dataFolder}.backup-key`
  if (backupKey === undefined && !existsSync(path)) {
    if (onDrawn === undefined) throw new SettingsFault(`There is no key of backups: set CANDOR_BACKUP_KEY, or bring ${path} back`)
    writeDurably(path, `${randomBytes(32).toString('hex')}\n`)
    onDrawn(`A key for backups was generated: ${path}. Keep a copy of it elsewhere: without it, no backup opens.`)
  }
  const text = backupKey ?? readFileSync(path, 'utf8').trim()
  const key = Buffer.from(text, 'hex')
  if (!/^[0-9a-fA-F]{64}$/.test(text) || isWeak(key))
    throw new SettingsFault(`${backupKey === undefined ? path : 'CANDOR_BACKUP_KEY'} is no key: create one with openssl rand -hex 32`)
  return new BackupKeys(key)
}

/**
 * Backs up existing data that this build is about to change: its tables, its snapshots, or the rules that continue its journal. Does
 * nothing for data of this build, for the operator's own PostgreSQL, or when it is switched off.
 *
 * throws  SettingsFault when it fails; nothing was changed then
 */
export async function backUpBeforeUpgrade(store: Store, settings: Settings, say: (line: string) => void): Promise<void> {
  const { dataFolder, databaseUrl, upgradeBackup } = settings
  if (databaseUrl !== undefined || upgradeBackup === 'off' || !(await isUpgrade(store))) return
  const folder = upgradeBackup ?? `${dataFolder}.upgrade-backup`
  say(`Backing up the data before the upgrade, to ${folder} …`)
  try {
    await checkRoom(folder, [join(dataFolder, 'postgres'), photosFolderOf(settings)])
    const run = await backUp({
      ...{ store, dataFolder, mode: (await readMode(store.pool)) ?? settings.mode, photosFolder: photosFolderOf(settings) },
      ...{ place: openPlace(pathToFileURL(folder).href), keys: backupKeysOf(settings, say), version: readVersion().version },
      ...{ isFull: true, isLast: true, keep: upgradesKept, say },
    })
    say(`Backed up to command ${run.head.seq}. The way back is in docs/backup.md.`)
  } catch (cause) {
    const reason = (cause as Error).message
    throw new SettingsFault(
      `The backup before the upgrade failed, and nothing was changed: ${reason}. Solve that, move ${folder} away, or set CANDOR_UPGRADE_BACKUP to another folder or to off`,
    )
  }
}

/** How many upgrades can be undone. Parts that did not change are stored once. */
const upgradesKept = 2

/** The folder of photos; undefined: they are in a bucket. */
export function photosFolderOf(settings: Settings): string | undefined {
  const place = photosPlaceOf(settings)
  return bucketOf(place) === undefined ? place : undefined
}
