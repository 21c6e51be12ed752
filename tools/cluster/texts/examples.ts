/** The same configurations for real machines, as `deploy/cluster` has them. */
import { databaseUrl, type Layout, natsUrl, type Secrets } from './layout.ts'
import { patroniYaml, type Postgres } from './patroni.ts'
import { etcdYaml, haproxyConf, natsConf } from './programs.ts'

const names = ['m1', 'm2', 'm3'] as const
const layout: Layout = {
  network: '10.0.0.0/24',
  machines: names.map((name, i) => ({ name, address: `10.0.0.${11 + i}`, folder: '' })),
}
const secrets: Secrets = {
  superuser: 'SUPERUSER-PASSWORD',
  replicator: 'REPLICATOR-PASSWORD',
  rewind: 'REWIND-PASSWORD',
  candor: 'CANDOR-PASSWORD',
  bus: { engine: 'BUS-PASSWORD-ENGINE', follower: 'BUS-PASSWORD-FOLLOWER', gateway: 'BUS-PASSWORD-GATEWAY', routes: 'BUS-PASSWORD-ROUTES' },
  serverKey: 'SERVER-KEY',
  metrics: 'METRICS-TOKEN',
}

/** Certificate of whoever signed those of the machines. */
const authority = '/etc/candor/ca.crt'

/** Files by their paths in the repository. */
export function examples(): ReadonlyMap<string, string> {
  const machine = layout.machines[0]!
  const postgres: Postgres = {
    ...{ dataFolder: '/var/lib/postgresql/15/candor', socketFolder: '/var/run/postgresql', passFile: '/var/lib/postgresql/pgpass' },
    ...{ binFolder: '/usr/lib/postgresql/15/bin', api: 'etcd', watchdog: 'automatic' },
    tls: { certificate: '/etc/postgresql/tls/server.crt', key: '/etc/postgresql/tls/server.key' },
  }
  const texts = {
    'etcd.yml': ['/etc/etcd/etcd.yml', etcdYaml(layout, machine, '/var/lib/etcd', 'candor')],
    'patroni.yml': ['/etc/patroni/config.yml', patroniYaml(layout, machine, secrets, postgres)],
    'nats.conf': [
      '/etc/nats-server.conf',
      natsConf(layout, machine, secrets, { certificate: '/etc/nats/tls/server.crt', key: '/etc/nats/tls/server.key', authority }),
    ],
    'haproxy.cfg': ['/etc/haproxy/haproxy.cfg', haproxyConf(layout, machine)],
    'candor.env': ['/etc/candor/candor.env', settings()],
    'engine.env': ['/etc/candor/engine.env', ownBus('engine')],
    'follower.env': ['/etc/candor/follower.env', ownBus('follower')],
  } as const
  return new Map(Object.entries(texts).map(([name, [place, text]]) => [`deploy/cluster/${name}`, `${head(place)}${text}`]))
}

const head = (
  place: string,
): string => `# ${place} of the machine m1 at 10.0.0.11. Change its name and address on the others, and what is written in CAPITALS.
# Printed by tools/tidy/print.ts from what \`npm run cluster\` uses. docs/cluster.md explains it.
`

const ownBus = (user: 'engine' | 'follower'): string => `NATS_URL=${natsUrl(layout, secrets, user, 'tls')}\n`

function settings(): string {
  const machine = layout.machines[0]!
  return `HOST=${machine.address}
PORT=3000
DATABASE_URL=${databaseUrl(machine, secrets)}?sslmode=verify-full
# Gateways, and commands of people. engine.env and follower.env have the users of the other roles.
NATS_URL=${natsUrl(layout, secrets, 'gateway', 'tls')}
NODE_EXTRA_CA_CERTS=${authority}
# The same on all machines.
CANDOR_SERVER_KEY=${secrets.serverKey}
CANDOR_METRICS_TOKEN=${secrets.metrics}
CANDOR_MODE=production
CANDOR_PUBLIC_URL=https://EXCHANGE.EXAMPLE
CANDOR_TRUSTED_PROXIES=${layout.network}
# HAProxy's checks ask for this name.
CANDOR_HOSTS=localhost
`
}
