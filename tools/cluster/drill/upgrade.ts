import type { Cluster } from '../machines/cluster.ts'
import { maySynchronize, movePrimary, primaryOf } from '../machines/postgres.ts'
import type { Machine } from '../texts/layout.ts'
import { whole } from './whole.ts'

/**
 * Restarts every program of every machine, one after the other, each when the cluster is whole again: first the basics, then
 * PostgreSQL with its Patroni on the standbys and, after the primary has moved, on the last machine, then the exchange, whose leading
 * engine comes last.
 */
export async function upgrade(cluster: Cluster): Promise<string> {
  const { network, keeper, secrets } = cluster
  const { machines } = network
  for (const { name } of machines) {
    for (const program of ['etcd', 'nats', 'haproxy']) {
      await keeper.restart(`${name} ${program}`)
      await whole(cluster)
    }
  }
  const leads = await primaryOf(machines)
  for (const machine of machines.filter((one) => one !== leads)) await restartStandby(cluster, machine)
  if (leads !== undefined) {
    await movePrimary(machines, secrets)
    await whole(cluster)
    await restartStandby(cluster, leads)
  }
  return `all but the exchange${await upgradeExchange(cluster)}`
}

/** Patroni stops and starts PostgreSQL with itself. */
async function restartStandby(cluster: Cluster, machine: Machine): Promise<void> {
  const { machines } = cluster.network
  await maySynchronize(machine, machines, false)
  await cluster.keeper.restart(`${machine.name} patroni`)
  await whole(cluster)
  await maySynchronize(machine, machines, true)
}

async function upgradeExchange(cluster: Cluster): Promise<string> {
  const { exchange, isRoles, network } = cluster
  if (exchange === undefined || !isRoles) return ''
  for (const role of ['follower', 'gateway', 'engine'] as const) {
    const leader = role === 'engine' ? exchange.leader() : undefined
    for (const machine of [...network.machines.filter((one) => one !== leader), ...(leader === undefined ? [] : [leader])]) {
      await exchange.restart(role, machine)
      await whole(cluster)
    }
  }
  return ', and the exchange'
}
