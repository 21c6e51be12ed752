/** Configurations of etcd, NATS and HAProxy. */
import { type BusUser, busRights, busUsers } from '../../../server/main/role/bus-rights.ts'
import { type Layout, type Machine, ports, type Secrets, type Tls } from './layout.ts'

/**
 * Configuration of etcd.
 *
 * token  differs between clusters, so that members of an older one are not taken for members
 */
export function etcdYaml({ machines }: Layout, { name, address }: Machine, dataFolder: string, token: string): string {
  return `name: ${name}
data-dir: ${dataFolder}
listen-client-urls: http://${address}:${ports.etcd}
advertise-client-urls: http://${address}:${ports.etcd}
listen-peer-urls: http://${address}:${ports.etcdPeers}
initial-advertise-peer-urls: http://${address}:${ports.etcdPeers}
initial-cluster: ${machines.map((one) => `${one.name}=http://${one.address}:${ports.etcdPeers}`).join(',')}
initial-cluster-token: ${token}
initial-cluster-state: new
# A leader that is gone is replaced well within Patroni's retry_timeout of 3 s; otherwise PostgreSQL would be demoted meanwhile.
heartbeat-interval: 50
election-timeout: 500
# Patroni before 3.0.3 must use this API.
enable-v2: true
logger: zap
log-level: warn
`
}

/**
 * Configuration of nats-server: core subjects only. Every message carries its number, so loss is found by whoever follows.
 *
 * tls  undefined: connections are not encrypted. `authority` made the certificates: servers check each other's
 */
export function natsConf(
  { machines }: Layout,
  { name, address }: Machine,
  { bus }: Pick<Secrets, 'bus'>,
  tls?: Tls & { readonly authority: string },
): string {
  const others = machines.filter((one) => one.name !== name)
  const routes = others.map((one) => `    nats-route://routes:${bus.routes}@${one.address}:${ports.natsRoutes}`)
  const encrypted = (indent: string): string =>
    tls === undefined ? '' : `${indent}tls { cert_file: "${tls.certificate}", key_file: "${tls.key}", ca_file: "${tls.authority}" }\n`
  return `server_name: ${name}
listen: "${address}:${ports.nats}"
http: "${address}:${ports.natsMonitor}"
# Each role may send and hear what it needs, and nothing else: server/main/role/bus-rights.ts.
authorization {
  users: [
${busUsers.map((user) => userText(user, bus[user])).join('\n')}
  ]
}
${encrypted('')}# A frozen server or client is noticed within six seconds.
ping_interval: "2s"
ping_max: 2
write_deadline: "2s"
max_payload: 8MB
max_pending: 64MB
cluster {
  name: candor
  listen: "${address}:${ports.natsRoutes}"
  authorization { user: routes, password: "${bus.routes}" }
${encrypted('  ')}  connect_retries: 1000000
  routes: [
${routes.join('\n')}
  ]
}
`
}

function userText(user: BusUser, password: string): string {
  const { publish, subscribe } = busRights(user)
  const list = (subjects: readonly string[]): string => `[${subjects.map((subject) => `"${subject}"`).join(', ')}]`
  return `    {
      user: ${user}, password: "${password}"
      permissions: {
        publish: ${list(publish)}
        subscribe: ${list(subscribe)}
      }
    }`
}

/** Configuration of HAProxy: one port that leads to the primary of PostgreSQL, and one that leads to the gateways. */
export function haproxyConf({ machines }: Layout, { address }: Machine): string {
  const servers = (port: number, options: string): string =>
    machines.map((one) => `  server ${one.name} ${one.address}:${port} ${options}`.trimEnd()).join('\n')
  return `global
  maxconn 8000

defaults
  timeout connect 1s
  timeout check 1s
  timeout client 24h
  timeout server 24h
  # A mark-down ends the sessions, so that nobody waits for a primary that is none any more.
  default-server inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions

listen database
  bind ${address}:${ports.database}
  mode tcp
  option tcpka
  # A server that refuses is tried again by the client, which may then be led to the new primary. HAProxy would hold the connection for three seconds.
  retries 0
  option httpchk GET /primary
  http-check expect status 200
${servers(ports.postgres, `check port ${ports.patroni}`)}

frontend entry
  bind ${address}:${ports.entry}
  mode http
  option forwardfor
  timeout http-request 10s
  timeout client 60s
  timeout http-keep-alive 60s
  default_backend gateways

backend gateways
  mode http
  balance leastconn
  timeout server 60s
  # WebSockets.
  timeout tunnel 24h
  # A browser stays with its gateway, with its sockets.
  cookie candor_at insert indirect nocache httponly
  # Whether the process answers. /healthz also says what others lack: then all gateways would be taken out at once.
  option httpchk
  http-check send meth GET uri /api/v3/ping ver HTTP/1.1 hdr Host localhost
  http-check expect status 200
  option redispatch
  retries 2
${machines.map((one) => `  server ${one.name} ${one.address}:${ports.gateway} check cookie ${one.name}`).join('\n')}
`
}
