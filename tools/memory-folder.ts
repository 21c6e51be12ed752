/**
 * A temporary folder in memory for a run of tests, where the machine has room. Databases of tests wait for the disk at each commit
 * otherwise, about 5 ms; what a killed process has written survives in memory as it does on a disk.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskVariable } from '../server/store/test/disk.ts'

const place = '/dev/shm'
const roomMin = 4 * 1024 ** 3
const memoryMin = 6 * 1024 ** 3

/**
 * Makes `os.tmpdir()` of this process, and of all that it starts, a folder in memory. Tests that need a disk get its folder in a
 * variable of their own. Disposing removes the folder. Does nothing where `/dev/shm` is missing or small, or runs no programs.
 */
export function useMemory(): Disposable {
  if (!hasRoom()) return { [Symbol.dispose]: () => undefined }
  const before = process.env['TMPDIR']
  process.env[diskVariable] = tmpdir()
  const folder = mkdtempSync(join(place, 'candor-'))
  // Databases run as another user where the tests run as root.
  chmodSync(folder, 0o755)
  process.env['TMPDIR'] = folder
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  // What is left behind takes memory until the machine restarts.
  process.once('exit', remove)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return {
    [Symbol.dispose]() {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      remove()
    },
  }
}

function hasRoom(): boolean {
  if (process.platform !== 'linux' || process.availableMemory() < memoryMin) return false
  try {
    const { bavail, bsize } = statfsSync(place)
    const [, , kind, options = ''] =
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .find(([, folder]) => folder === place) ?? []
    return bavail * bsize >= roomMin && kind === 'tmpfs' && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}
