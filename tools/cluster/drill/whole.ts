import type { Cluster } from '../machines/cluster.ts'
import { untilBasics } from '../machines/basics.ts'
import { untilReplicated } from '../machines/postgres.ts'

const wholeMaxMs = 120_000

/** Waits until every program of every machine works, so that the next fault finds the cluster as the promise assumes it. */
export async function whole({ network, secrets, exchange }: Cluster): Promise<void> {
  await untilBasics(network.machines, wholeMaxMs)
  await untilReplicated(network.machines, secrets, wholeMaxMs)
  await exchange?.untilHealthy(wholeMaxMs)
}
