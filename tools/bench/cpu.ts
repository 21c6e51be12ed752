import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const ticksPerSecond = 100
const firstTime = 11
const times = 4

/**
 * Processor seconds by user: `load` is this process, `children` its ended children, `postgres` all processes of the database. Others
 * have the time of their ended children too.
 */
export type CpuSeconds = Readonly<Record<string, number>>

/**
 * Processor seconds used so far by this process, its ended children, and all processes of the exchange in `folder`, PostgreSQL
 * included. Other load on the machine hardly changes them. Undefined where there is no /proc.
 */
export function cpuSeconds(folder: string): CpuSeconds | undefined {
  if (process.platform !== 'linux') return undefined
  const seconds: Record<string, number> = {}
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const owner = ownerOf(pid, folder)
    if (owner === undefined) continue
    const [own, ended] = secondsOf(pid)
    const of = owner === 'load' ? 'children' : owner
    seconds[owner] = (seconds[owner] ?? 0) + own
    seconds[of] = (seconds[of] ?? 0) + ended
  }
  return seconds
}

/** Processor seconds used between two readings, by user. */
export function cpuBetween(before: CpuSeconds, after: CpuSeconds): CpuSeconds {
  return Object.fromEntries(Object.entries(after).map(([owner, seconds]) => [owner, seconds - (before[owner] ?? 0)]))
}

export function cpuSum(seconds: CpuSeconds): number {
  return Object.values(seconds).reduce((sum, one) => sum + one, 0)
}

/** Processor seconds used so far by running children of this process, by the name of their program. */
export function cpuOfChildren(): CpuSeconds {
  const seconds: Record<string, number> = {}
  if (process.platform !== 'linux') return seconds
  for (const pid of readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean)) {
    const [own] = secondsOf(pid)
    const name = nameOf(pid)
    seconds[name] = (seconds[name] ?? 0) + own
  }
  return seconds
}

function nameOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return 'ended'
  }
}

function ownerOf(pid: string, folder: string): string | undefined {
  if (Number(pid) === process.pid) return 'load'
  try {
    if (readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) return 'postgres'
    if (!readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`CANDOR_DATA=${folder}`)) return undefined
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').at(-2)
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return undefined
  }
}

/** User and system time of a process, and of the children it waited for. */
function secondsOf(pid: string): readonly [number, number] {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(firstTime, firstTime + times).map(Number)
    return [(user + system) / ticksPerSecond, (endedUser + endedSystem) / ticksPerSecond]
  } catch {
    return [0, 0]
  }
}
