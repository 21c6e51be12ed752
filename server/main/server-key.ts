import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../store/durable-file.ts'
import { type Settings, SettingsFault } from './settings.ts'

/**
 * The 32 bytes that seal secrets in the database: `CANDOR_SERVER_KEY`, else the file `server.key` of the data folder, drawn
 * at the first need. It stands apart from the database, whose copies open nothing without it.
 *
 * throws  SettingsFault when the file holds something else
 */
export function serverKeyOf({ serverKey, dataFolder }: Pick<Settings, 'serverKey' | 'dataFolder'>): Buffer {
  if (serverKey !== undefined) return Buffer.from(serverKey, 'hex')
  const path = join(dataFolder, 'server.key')
  const text = (read(path) ?? draw(path, dataFolder)).trim()
  if (!/^[0-9a-f]{64}$/.test(text)) throw new SettingsFault(`${path} does not hold a server key: 64 hexadecimal digits`)
  return Buffer.from(text, 'hex')
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/** Of two processes that draw at once, the one whose file gets the name first has drawn for both. */
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
