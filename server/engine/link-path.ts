import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join, resolve } from 'node:path'

const socketPathMax = 100

/** The socket path of this data folder's engine. */
export const linkPath = (dataFolder: string): string => socketPath(dataFolder, 'engine.sock')

/** The path of a socket in a folder. Socket paths must be short: a deep folder gets one in the temporary folder. */
export function socketPath(place: string, name: string): string {
  const folder = resolve(place)
  const mark = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return `\\\\.\\pipe\\candor-${mark}`
  const path = join(folder, name)
  if (Buffer.byteLength(path) <= socketPathMax) return path
  const short = join(tmpdir(), `candor-${userInfo().uid}-${mark}`)
  mkdirSync(short, { recursive: true, mode: 0o700 })
  // Everybody may create folders there: one that belongs to another user could impersonate the process behind the socket.
  const { uid, mode } = lstatSync(short)
  if (uid !== userInfo().uid || (mode & 0o077) !== 0) throw new Error(`${short} belongs to another user: set CANDOR_DATA to a shorter path`)
  return join(short, name)
}
