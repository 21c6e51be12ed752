import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const ticksPerSecond = 100
const firstTime = 11
const times = 4

/**
 * Processor seconds that this process, its ended children, and all processes of the exchange in `folder` have used so far,
 * PostgreSQL included. What others do at the same time hardly changes it. Undefined where there is no /proc.
 */
export function cpuSeconds(folder: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.reduce((sum, pid) => sum + (isOurs(pid, folder) ? secondsOf(pid) : 0), 0)
}

function isOurs(pid: string, folder: string): boolean {
  if (Number(pid) === process.pid) return true
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) || readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`CANDOR_DATA=${folder}`)
    )
  } catch {
    // It has ended meanwhile, or belongs to somebody else.
    return false
  }
}

/** User and system time, own and of children that were waited for. */
function secondsOf(pid: string): number {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return fields.slice(firstTime, firstTime + times).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    return 0
  }
}
