/** Processes of this host by what /proc says of them. A pid alone is no name: it is given again. */
import { readdirSync, readFileSync } from 'node:fs'

/** `startedAt`: in ticks since the kernel started, as in /proc; together with the pid it names one process for ever. */
export type Process = { readonly pid: number; readonly startedAt: number }

type Stat = { readonly parent: number; readonly state: string; readonly ticks: number; readonly startedAt: number }

const ticksPerSecond = 100

/** Undefined when there is no such process. */
export function processOf(pid: number): Process | undefined {
  const stat = statOf(pid)
  return stat === undefined || stat.state === 'Z' ? undefined : { pid, startedAt: stat.startedAt }
}

export function isAlive({ pid, startedAt }: Process): boolean {
  return processOf(pid)?.startedAt === startedAt
}

/** The process and all below it, parents first. */
export function familyOf(pid: number): readonly number[] {
  const children = new Map<number, number[]>()
  for (const one of allPids()) {
    const parent = statOf(one)?.parent
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), one])
  }
  const family = [pid]
  for (let i = 0; i < family.length; i++) family.push(...(children.get(family[i]!) ?? []))
  return statOf(pid) === undefined ? [] : family
}

/**
 * Sends a signal to a process and all below it. Looks again until no new ones are found: a parent that is not stopped yet may make
 * more.
 */
export function signalFamily(pid: number, signal: NodeJS.Signals): void {
  const told = new Set<number>()
  for (;;) {
    const more = familyOf(pid).filter((one) => !told.has(one))
    if (more.length === 0) return
    for (const one of more) {
      told.add(one)
      signalOne(one, signal)
    }
  }
}

/** Does nothing when the process has ended. */
export function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ESRCH') throw cause
  }
}

/** Processor seconds, of user and system, that the processes have used until now. */
export function cpuSecondsOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + (statOf(pid)?.ticks ?? 0), 0) / ticksPerSecond
}

/** Words of the command line. */
export function wordsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean)
  } catch {
    return []
  }
}

const allPids = (): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

function statOf(pid: number): Stat | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in parentheses and may have spaces.
    const [state = '', parent, ...rest] = line.slice(line.lastIndexOf(')') + 2).split(' ')
    const [user, system, startedAt] = [rest[9], rest[10], rest[17]].map(Number)
    return { state, parent: Number(parent), ticks: user! + system!, startedAt: startedAt! }
  } catch {
    return undefined
  }
}
