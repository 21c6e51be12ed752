import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'

const socketPathMax = 100

/** Where the engine of this data folder listens. Sockets have short names: a deep folder gets one in the temporary folder. */
export function linkPath(dataFolder: string): string {
  const folder = resolve(dataFolder)
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\candor-${mark}`
  const path = join(folder, 'engine.sock')
  if (Buffer.byteLength(path) <= socketPathMax) return path
  const short = join(tmpdir(), `candor-${userInfo().uid}-${mark}`)
  mkdirSync(short, { recursive: true, mode: 0o700 })
  return join(short, 'engine.sock')
}
