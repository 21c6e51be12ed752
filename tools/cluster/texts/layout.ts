import type { BusUser } from '../../../server/main/role/bus-rights.ts'

/** One of the three machines of a cluster: its name, its address, and the folders of its programs. */
export type Machine = {
  readonly name: string
  readonly address: string
  /** Folder of everything that this machine keeps. */
  readonly folder: string
}

/** Where a cluster lives. The first machine comes first in every list. */
export type Layout = {
  readonly machines: readonly Machine[]
  /** Addresses of the machines and of those who may talk to their inner programs. */
  readonly network: string
}

/** The same on every machine: each has an address of its own. */
export const ports = {
  etcd: 2379,
  etcdPeers: 2380,
  postgres: 5432,
  patroni: 8008,
  nats: 4222,
  natsRoutes: 6222,
  natsMonitor: 8222,
  /** HAProxy: to the primary of PostgreSQL, wherever it is. */
  database: 5000,
  /** HAProxy: to the gateways. */
  entry: 8080,
  gateway: 3000,
} as const

/** Passwords of PostgreSQL's users and of the bus, and what all gateways share: the key of secrets and the token of metrics. */
export type Secrets = {
  readonly superuser: string
  readonly replicator: string
  readonly rewind: string
  readonly candor: string
  /** Of each user of the bus, and of its servers among each other. */
  readonly bus: Readonly<Record<BusUser | 'routes', string>>
  readonly serverKey: string
  readonly metrics: string
}

export const listOf = (machines: readonly Machine[], port: number): string => machines.map(({ address }) => `${address}:${port}`).join(',')

/** The database as each machine's HAProxy shows it: always the primary. */
export const databaseUrl = ({ address }: Pick<Machine, 'address'>, { candor }: Pick<Secrets, 'candor'>): string =>
  `postgres://candor:${candor}@${address}:${ports.database}/candor`

export const natsUrl = ({ machines }: Layout, { bus }: Pick<Secrets, 'bus'>, user: BusUser, scheme: 'nats' | 'tls'): string =>
  machines.map(({ address }) => `${scheme}://${user}:${bus[user]}@${address}:${ports.nats}`).join(',')

/** Files of a certificate and its key. */
export type Tls = { readonly certificate: string; readonly key: string }

export const entryUrl = ({ address }: Pick<Machine, 'address'>): string => `http://${address}:${ports.entry}`
