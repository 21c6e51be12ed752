/** The programs of every machine that are not the exchange: etcd, NATS, HAProxy, and PostgreSQL under Patroni. */
import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Layout, type Machine, ports, type Secrets } from '../texts/layout.ts'
import { etcdApi, patroniYaml, type Postgres } from '../texts/patroni.ts'
import { etcdYaml, haproxyConf, natsConf } from '../texts/programs.ts'
import type { Keeper } from './keeper.ts'
import type { Network } from './network.ts'
import { patroniVersion, postgresFolder, programs } from './packages.ts'
import { patroniFile, postgresData } from './postgres.ts'
import { until } from './until.ts'

const postgresUser = 'postgres'

const environment = (): Record<string, string> => ({ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8', HOME: '/nonexistent' })

/** etcd, NATS and HAProxy. */
export function startBasics(keeper: Keeper, network: Network, machine: Machine, secrets: Secrets): void {
  const { folder, name } = machine
  const etcdData = join(folder, 'etcd')
  mkdirSync(etcdData, { recursive: true, mode: 0o700 })
  const write = (file: string, text: string): string => {
    writeFileSync(join(folder, file), text)
    return join(folder, file)
  }
  const token = `candor-${secrets.serverKey.slice(0, 8)}`
  const commands = {
    etcd: [programs.etcd, '--config-file', write('etcd.yml', etcdYaml(network, machine, etcdData, token))],
    nats: [programs.nats, '-c', write('nats.conf', natsConf(network, machine))],
    haproxy: [programs.haproxy, '-db', '-f', write('haproxy.cfg', haproxyConf(network, machine))],
  }
  for (const [program, command] of Object.entries(commands)) {
    keeper.start({ name: `${name} ${program}`, machine, command, environment: environment() })
  }
}

/** PostgreSQL refuses to run as root: then it and Patroni run as its own user. */
export function startPatroni(keeper: Keeper, layout: Layout, machine: Machine, secrets: Secrets): void {
  const { folder, name } = machine
  const home = join(folder, 'postgres')
  const [config, socketFolder] = [patroniFile(machine), join(home, 'run')]
  for (const one of [home, socketFolder, postgresData(machine)]) mkdirSync(one, { recursive: true, mode: 0o700 })
  const place: Postgres = {
    ...{ dataFolder: postgresData(machine), socketFolder, passFile: join(home, 'pgpass'), binFolder: postgresFolder()! },
    ...{ api: etcdApi(patroniVersion()), watchdog: 'off' },
  }
  writeFileSync(config, patroniYaml(layout, machine, secrets, place), { mode: 0o600 })
  const command = [programs.patroni, config]
  const own = environment()
  if (userInfo().uid !== 0) return keeper.start({ name: `${name} patroni`, machine, command, environment: own })
  const [user, group] = idsOf(postgresUser)
  for (const one of [home, socketFolder, postgresData(machine), config]) chownSync(one, user, group)
  chmodSync(folder, 0o755)
  const asUser = [programs.setpriv, `--reuid=${user}`, `--regid=${group}`, '--clear-groups', '--']
  keeper.start({ name: `${name} patroni`, machine, command: [...asUser, ...command], environment: own })
}

function idsOf(name: string): readonly [number, number] {
  const ask = (flag: string): number => Number(execFileSync('/usr/bin/id', [flag, name], { encoding: 'utf8' }))
  return [ask('-u'), ask('-g')]
}

/** Waits until etcd has a leader and NATS has its routes on all machines, and HAProxy takes connections. */
export async function untilBasics(machines: readonly Machine[], maxMs: number): Promise<void> {
  const answers = async (url: string): Promise<boolean> => (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok
  for (const { name, address } of machines) {
    await until(`etcd of ${name} has a leader`, maxMs, () => answers(`http://${address}:${ports.etcd}/health`))
    await until(`NATS of ${name} has its routes`, maxMs, async () => {
      const { num_routes: count } = (await (await fetch(`http://${address}:${ports.natsMonitor}/routez`)).json()) as { num_routes: number }
      return count >= machines.length - 1
    })
  }
}
