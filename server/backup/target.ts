import type { ChunkReader } from './chunks.ts'
import { BackupFault } from './fault.ts'
import { findInIndex } from './journal-index.ts'
import type { Run } from './runs.ts'

/** Where a restore ends: the newest state, after a command, or at a time in ms since 1970. */
export type Target =
  | { readonly kind: 'newest' }
  | { readonly kind: 'seq'; readonly seq: number }
  | { readonly kind: 'time'; readonly at: number }

/** What a restore takes: the base, the runs whose log follows, the last of them, and where PostgreSQL ends its recovery. */
export type Plan = { readonly base: Run; readonly runs: readonly Run[]; readonly last: Run; readonly recovery: readonly string[] }

/** throws  BackupFault when no kept run reaches the target; the message names what is reached */
export async function planOf(runs: readonly Run[], target: Target, chunks: ChunkReader): Promise<Plan> {
  const newest = runs.at(-1)
  if (newest === undefined) throw new BackupFault('The store has no backup')
  if (target.kind === 'newest') return planTo(runs, newest, () => true, [])
  for (const line of linesOf(runs)) {
    const plan = target.kind === 'seq' ? await toCommand(line, target.seq, chunks) : toTime(line, target.at)
    if (plan !== undefined) return plan
  }
  throw new BackupFault(`No kept backup reaches ${target.kind === 'seq' ? `command ${target.seq}` : timeText(target.at)}: ${reachOf(runs)}`)
}

async function toCommand(line: readonly Run[], seq: number, chunks: ChunkReader): Promise<Plan | undefined> {
  // Nothing was decided while this copy was made, so it ends at this very command.
  const still = line.findLast(({ base }) => base !== undefined && base.seqBefore === seq && base.seqAfter === seq)
  if (still !== undefined) return { base: still, runs: [still], last: still, recovery: [`recovery_target = 'immediate'`] }
  const last = line.find(({ head }) => head.seq >= seq)
  if (last === undefined) return undefined
  const row = findInIndex(await chunks.readAll(last.index), seq)
  if (row === undefined) return undefined
  if (row.seq !== seq) {
    throw new BackupFault(
      `Command ${seq} is one of ${row.seq - row.n + 1} to ${row.seq}, which were committed together: choose ${row.seq - row.n} or ${row.seq}`,
    )
  }
  if (!line.some(({ number, base }) => number <= last.number && base !== undefined && base.seqAfter < seq)) return undefined
  return planTo(line, last, (base) => base.seqAfter < seq, [`recovery_target_xid = '${row.xid}'`])
}

function toTime(line: readonly Run[], at: number): Plan | undefined {
  const last = line.find(({ reachesTo }) => reachesTo > at)
  const isReached = line.some(
    ({ number, base }) => last !== undefined && number <= last.number && base !== undefined && base.completeAt <= at,
  )
  if (last === undefined || !isReached) return undefined
  return planTo(line, last, (base) => base.completeAt <= at, [
    `recovery_target_time = '${timeText(at).replace('T', ' ').replace('Z', '+00')}'`,
  ])
}

function planTo(runs: readonly Run[], last: Run, fits: (base: NonNullable<Run['base']>) => boolean, recovery: readonly string[]): Plan {
  const before = runs.filter(({ line, number }) => line === last.line && number <= last.number)
  const base = before.findLast((run) => run.base !== undefined && fits(run.base))
  if (base === undefined) throw new BackupFault(`There is no full backup before run ${last.number}`)
  return { base, runs: before.filter(({ number }) => number >= base.number), last, recovery }
}

/** Runs by line, newest line first. After a restore to an earlier place, the same command may be in two lines: the newer one counts. */
function linesOf(runs: readonly Run[]): readonly (readonly Run[])[] {
  const lines = new Map<string, Run[]>()
  for (const run of runs) lines.set(run.line, [...(lines.get(run.line) ?? []), run])
  return [...lines.values()].toReversed()
}

function reachOf(runs: readonly Run[]): string {
  const lines = linesOf(runs).flatMap((line) => {
    const first = line.find(({ base }) => base !== undefined)
    if (first?.base === undefined) return []
    const { seqAfter, completeAt } = first.base
    const last = line.at(-1)!
    return [`commands ${seqAfter} to ${last.head.seq} (${timeText(completeAt)} to ${timeText(last.reachesTo)})`]
  })
  return `there are ${lines.join(', and ')}`
}

export const timeText = (ms: number): string => new Date(ms).toISOString()
