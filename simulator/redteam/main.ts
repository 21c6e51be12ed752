import { Worker } from 'node:worker_threads'
import { heading, line, rowOf } from './report.ts'
import type { Row, Run } from './report.ts'
import { strategies } from './strategies.ts'
import type { Task } from './worker.ts'

/** `seeds`: at least 2. `only`: the name of one strategy. */
export type Wanted = { readonly seeds: number; readonly only: string | undefined; readonly workers: number }

/**
 * `npm run sim -- --kind redteam [--seeds N] [--only NAME] [--workers N]`: prints the table of `docs/redteam.md`. Returns true if no
 * strategy earned and no rule was broken.
 */
export async function runRedTeam(wanted: Wanted): Promise<boolean> {
  const { seeds, only } = wanted
  if (only !== undefined && strategies.every(({ name }) => name !== only)) {
    console.error(`--only must be one of: ${strategies.map(({ name }) => name).join(', ')}`)
    return false
  }
  console.log(
    `The attacker's result over ${seeds} seeds, in USDT per run:\n\n| ${heading.join(' | ')} |\n|${' --- |'.repeat(heading.length)}`,
  )
  const rows = await playAll(wanted, (row) => console.log(line(row)))
  const broken = rows.filter(({ faults }) => faults.length > 0)
  for (const { name, faults } of broken) console.error(`${name} FAILED\n  ${faults.slice(0, 5).join('\n  ')}`)
  return broken.length === 0
}

/** Plays all seeds in several threads. The results don't depend on their number. Rows are told in the order of the strategies. */
export async function playAll({ seeds, only, workers }: Wanted, told: (row: Row) => void): Promise<readonly Row[]> {
  const wanted = [...strategies.keys()].filter((n) => only === undefined || strategies[n]!.name === only)
  const tasks = wanted.flatMap((strategy) => Array.from({ length: seeds }, (_, n) => ({ strategy, seed: n + 1 })))
  const runs = new Map<number, Run[]>(wanted.map((strategy) => [strategy, []]))
  const rows: Row[] = []
  const done = ({ strategy }: Task, run: Run): void => {
    runs.get(strategy)!.push(run)
    for (let next = wanted[rows.length]; next !== undefined && runs.get(next)!.length === seeds; next = wanted[rows.length]) {
      rows.push(
        rowOf(
          strategies[next]!,
          [...runs.get(next)!].sort((a, b) => a.seed - b.seed),
        ),
      )
      told(rows.at(-1)!)
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, tasks.length) }, () => work(tasks, done)))
  return rows
}

/** One thread, which takes tasks until none is left. */
async function work(tasks: Task[], done: (task: Task, run: Run) => void): Promise<void> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url))
  try {
    for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) done(task, await answer(worker, task))
  } finally {
    await worker.terminate()
  }
}

function answer(worker: Worker, task: Task): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>()
  worker.once('error', reject)
  worker.once('message', (run: Run) => {
    worker.off('error', reject)
    resolve(run)
  })
  worker.postMessage(task)
  return promise
}
