import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { BackupKeys } from '../backup/keys.ts'
import { isWeak } from '../identity/server-keys.ts'
import { bucketOf } from '../papers/photo-place.ts'
import { writeDurably } from '../store/durable-file.ts'
import { photosPlaceOf } from './photos.ts'
import { type Settings, SettingsFault } from './settings.ts'

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

/** The folder of photos; undefined: they are in a bucket. */
export function photosFolderOf(settings: Settings): string | undefined {
  const place = photosPlaceOf(settings)
  return bucketOf(place) === undefined ? place : undefined
}
