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

/** Passwords of PostgreSQL's users and the key that all gateways share. */
export type Secrets = {
  readonly superuser: string
  readonly replicator: string
  readonly rewind: string
  readonly candor: string
  readonly serverKey: string
}

export const listOf = (machines: readonly Machine[], port: number): string => machines.map(({ address }) => `${address}:${port}`).join(',')

/** The database as each machine's HAProxy shows it: always the primary. */
export const databaseUrl = ({ address }: Pick<Machine, 'address'>, { candor }: Pick<Secrets, 'candor'>): string =>
  `postgres://candor:${candor}@${address}:${ports.database}/candor`

export const natsUrl = ({ machines }: Layout): string => machines.map(({ address }) => `nats://${address}:${ports.nats}`).join(',')

export const entryUrl = ({ address }: Pick<Machine, 'address'>): string => `http://${address}:${ports.entry}`
