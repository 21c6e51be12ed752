import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ServerKeys, isWeak } from '../identity/server-keys.ts'
import { syncFolder } from '../store/durable-file.ts'
import { type Settings, SettingsFault } from './settings.ts'

type Where = Pick<Settings, 'serverKey' | 'dataFolder'>

/**
 * The 32-byte keys that encrypt secrets in the database: from `CANDOR_SERVER_KEY`, otherwise from the file `server.key` in the
 * data folder, generated when first needed. They are stored apart from the database, so a copy of the database opens nothing.
 * Newest first. If there are several, older keys still open their secrets until `candor keys rotate` has encrypted these with the
 * newest.
 *
 * throws  SettingsFault when the file is not a key file, or a key was typed rather than generated
 */
export function serverKeysOf(where: Where): ServerKeys {
  const read = (): readonly Buffer[] => keysIn(where)
  read()
  return new ServerKeys(read)
}

function keysIn({ serverKey, dataFolder }: Where): readonly Buffer[] {
  if (serverKey !== undefined) return parsed(serverKey.split(','), 'CANDOR_SERVER_KEY')
  const path = join(dataFolder, 'server.key')
  return parsed((read(path) ?? draw(path, dataFolder)).trim().split('\n'), path)
}

function parsed(texts: readonly string[], where: string): readonly Buffer[] {
  if (!texts.every((text) => /^[0-9a-fA-F]{64}$/.test(text))) {
    throw new SettingsFault(`${where} does not contain a server key: 64 hexadecimal digits`)
  }
  const keys = texts.map((text) => Buffer.from(text, 'hex'))
  if (keys.some(isWeak))
    throw new SettingsFault(`${where} has a key that was not generated at random: create one with openssl rand -hex 32`)
  return keys
}

/**
 * Generates a new key. The newest key so far stays in the file and still opens secrets; older keys are dropped, so the caller
 * must have encrypted everything with the newest.
 *
 * throws  SettingsFault when the key comes from a setting: the owner then puts the new key before the old one
 */
export function drawAnother({ serverKey, dataFolder }: Where): void {
  if (serverKey !== undefined)
    throw new SettingsFault('CANDOR_SERVER_KEY is a setting: put the new key before the old one, with a comma between')
  const path = join(dataFolder, 'server.key')
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  const keys = [randomBytes(32), ...keysIn({ serverKey, dataFolder }).slice(0, 1)]
  writeFileSync(draft, keys.map((key) => `${key.toString('hex')}\n`).join(''), { mode: 0o600, flush: true })
  // Atomic: a reader finds either the old keys or the new ones.
  renameSync(draft, path)
  syncFolder(dataFolder)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/** If two processes generate a key at once, both use the key whose file got the name first. */
function draw(path: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const draft = `${path}.new-${randomBytes(6).toString('hex')}`
  writeFileSync(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(draft, path)
    syncFolder(folder)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8')
}
