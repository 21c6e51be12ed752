import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { makeCustomers, priceAt } from '../bank/people.ts'
import { type Cluster, entriesOf } from '../machines/cluster.ts'
import { root } from '../../tidy/files.ts'
import type { Fault } from './faults.ts'
import { tryFault } from './run.ts'
import { type Row, tableOf } from './table.ts'

export type DrillOptions = {
  readonly folder: string
  /** Requests a second, of all customers together. */
  readonly rate: number
  readonly customers: number
  readonly rounds: number | undefined
  /** Ends the drill after the fault that is being tried. */
  readonly signal: AbortSignal
}

/** Tries the faults one after the other, each with a bank of its own. Stops at the first from which the cluster does not recover. */
export async function drillOn(cluster: Cluster, faults: readonly Fault[], options: DrillOptions): Promise<readonly Row[]> {
  const { say, network, exchange } = cluster
  const { folder, rate, customers, rounds, signal } = options
  if (exchange === undefined) throw new Error('a drill needs an exchange')
  const entries = entriesOf(cluster)
  const started = Date.now().toString(36)
  const programs = await makeCustomers(exchange.settings(network.machines[0]!), entries, { count: customers, mark: started })
  const price = await priceAt(entries[0]!)
  const rows: Row[] = []
  for (const [i, fault] of faults.entries()) {
    if (signal.aborted) break
    const why = fault.cannot(cluster)
    if (why !== undefined) {
      say(`${fault.name}: not tried, ${why}`)
      continue
    }
    const mark = `${started}-${i}`
    const row = await tryFault(cluster, fault, { programs, price, mark, perSecond: rate, log: join(folder, `bank-${mark}.ndjson`) }, rounds)
    rows.push(row)
    say(`${tableOf([row])}\n${row.problems.map((problem) => `  ! ${problem}\n`).join('')}`)
  }
  return rows
}

/** Runs `candor audit` with the settings of the first machine. */
export function auditOn({ network, exchange }: Cluster): { readonly isConsistent: boolean; readonly text: string } {
  const command = [join(root, 'server', 'main', 'candor.ts'), 'audit']
  const done = spawnSync(process.execPath, command, { encoding: 'utf8', env: { ...exchange?.settings(network.machines[0]!) } })
  return { isConsistent: done.status === 0, text: `${done.stdout}${done.stderr}`.trim() }
}
