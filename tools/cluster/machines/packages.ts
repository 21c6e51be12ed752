import { execFileSync, type ExecFileSyncOptions, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { userInfo } from 'node:os'

/** Programs of a cluster, by the packages of Debian that have them. */
const packages = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  'nats-server': '/usr/sbin/nats-server',
  haproxy: '/usr/sbin/haproxy',
  iproute2: '/usr/sbin/ip',
} as const

export const programs = {
  etcd: packages['etcd-server'],
  patroni: packages.patroni,
  nats: packages['nats-server'],
  haproxy: packages.haproxy,
  ip: packages.iproute2,
  setpriv: '/usr/bin/setpriv',
} as const

const versions = '/usr/lib/postgresql'
const oldest = 15

/** Folder with the programs of the newest PostgreSQL, 15 or later; undefined: there is none. */
export function postgresFolder(): string | undefined {
  const found = existsSync(versions) ? readdirSync(versions).map(Number) : []
  const newest = found
    .filter((version) => version >= oldest && existsSync(join(versions, String(version), 'bin', 'postgres')))
    .sort((a, b) => b - a)[0]
  return newest === undefined ? undefined : join(versions, String(newest), 'bin')
}

/** Names of packages that are missing here. */
export function missingPackages(): readonly string[] {
  const missing: string[] = Object.entries(packages)
    .filter(([, program]) => !existsSync(program))
    .map(([name]) => name)
  return postgresFolder() === undefined ? [...missing, 'postgresql'] : missing
}

const policyFile = '/usr/sbin/policy-rc.d'

/** Installs packages of Debian as root, without starting their services. throws Error when that is not possible */
export function installPackages(names: readonly string[], say: (line: string) => void): void {
  if (userInfo().uid !== 0) throw new Error(`only root can install packages: apt-get install ${names.join(' ')}`)
  say(`Installing ${names.join(', ')} …`)
  // Debian starts services when they are installed, unless this script forbids it.
  const isOurs = !existsSync(policyFile)
  if (isOurs) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    const options: ExecFileSyncOptions = { stdio: ['ignore', 2, 2], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
    execFileSync('apt-get', ['update', '-q'], options)
    execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...names], options)
  } finally {
    if (isOurs) rmSync(policyFile)
  }
}

/** What `patroni --version` prints. */
export function patroniVersion(): string {
  return spawnSync(programs.patroni, ['--version'], { encoding: 'utf8' }).stdout.trim()
}
