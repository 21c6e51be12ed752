import type { Cluster } from '../machines/cluster.ts'
import { movePrimary, primaryOf, restartPostgres } from '../machines/postgres.ts'
import { whole } from './whole.ts'

/**
 * Restarts every program of every machine, one after the other, each when the cluster is whole again. The primary moves before its
 * PostgreSQL is restarted, and the leading engine comes last.
 */
export async function upgrade(cluster: Cluster): Promise<string> {
  const { network, keeper, exchange, isRoles, secrets } = cluster
  const { machines } = network
  for (const { name } of machines) {
    for (const program of ['etcd', 'nats', 'haproxy', 'patroni']) {
      await keeper.restart(`${name} ${program}`)
      await whole(cluster)
    }
  }
  const leads = await primaryOf(machines)
  for (const machine of machines.filter((one) => one !== leads)) {
    await restartPostgres(machine)
    await whole(cluster)
  }
  await movePrimary(machines, secrets)
  await whole(cluster)
  if (leads !== undefined) await restartPostgres(leads)
  await whole(cluster)
  if (exchange === undefined || !isRoles) return 'all but the exchange'
  for (const role of ['follower', 'gateway', 'engine'] as const) {
    const leader = role === 'engine' ? await exchange.leader() : undefined
    for (const machine of [...machines.filter((one) => one !== leader), ...(leader === undefined ? [] : [leader])]) {
      await exchange.restart(role, machine)
      await whole(cluster)
    }
  }
  return 'all programs'
}
