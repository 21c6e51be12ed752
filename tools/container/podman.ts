/** Podman with images, containers and networks of its own, in a folder that is removed with them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a program answered, with its errors. */
export type Said = { readonly status: number | null; readonly text: string }

const outputMax = 2 ** 26

export class Podman {
  /** For podman itself, and for programs that call it. */
  readonly environment: Readonly<NodeJS.ProcessEnv>

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true })
    const [storage, containers] = [join(folder, 'storage.conf'), join(folder, 'containers.conf')]
    writeFileSync(storage, storageConf(folder))
    writeFileSync(containers, containersConf(folder))
    this.environment = {
      ...process.env,
      CONTAINERS_STORAGE_CONF: storage,
      CONTAINERS_CONF: containers,
      // Timers for health checks are units of systemd, which does not run in these namespaces.
      DISABLE_HC_SYSTEMD: 'true',
    }
  }

  /** What it printed. throws Error when it fails */
  run(...words: readonly string[]): string {
    return execFileSync('podman', words, this.#options).trim()
  }

  /** Does not throw. */
  ask(...words: readonly string[]): Said {
    const { status, stdout, stderr } = spawnSync('podman', words, this.#options)
    return { status, text: `${stdout}${stderr}`.trim() }
  }

  /** Runs a program in a container. throws Error when it fails */
  in(container: string, ...words: readonly string[]): string {
    return this.run('exec', container, ...words)
  }

  /** The commands of the exchange in its container, with what they print as JSON. throws Error when it fails */
  candor(container: string, ...words: readonly string[]): Readonly<Record<string, string>> {
    const text = this.in(container, 'node', '/opt/candor/server/main/candor.ts', ...words, '--json')
    return JSON.parse(text) as Readonly<Record<string, string>>
  }

  get #options() {
    return { env: this.environment, encoding: 'utf8' as const, maxBuffer: outputMax, stdio: 'pipe' as const }
  }
}

const storageConf = (folder: string): string =>
  ['[storage]', 'driver = "overlay"', `graphroot = "${join(folder, 'storage')}"`, `runroot = "${join(folder, 'run')}"`, ''].join('\n')

/** Podman asks for more open files than this process may have, where root may not raise its limits. */
const containersConf = (folder: string): string =>
  [
    ...['[engine]', 'cgroup_manager = "cgroupfs"', 'events_logger = "file"', 'lock_type = "file"', `tmp_dir = "${join(folder, 'libpod')}"`],
    ...['[network]', 'network_backend = "netavark"', `network_config_dir = "${join(folder, 'networks')}"`],
    ...[
      '[containers]',
      'log_driver = "k8s-file"',
      `default_ulimits = ["nofile=${limit('open files')}", "nproc=${limit('processes')}"]`,
      '',
    ],
  ].join('\n')

/** The most that this process may have of something, which /proc calls by this name, as soft and hard limit. */
function limit(what: string): string {
  const [, most = 'unlimited'] = new RegExp(`^Max ${what} +\\S+ +(\\S+)`, 'm').exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
  return most === 'unlimited' ? '-1:-1' : `${most}:${most}`
}

/** Lets podman believe in a new start of the machine: containers of a run that was killed don't run any more. */
export function forget(folder: string): void {
  for (const name of ['run', 'libpod']) rmSync(join(folder, name), { recursive: true, force: true })
}

const packages = {
  podman: '/usr/bin/podman',
  crun: '/usr/bin/crun',
  netavark: '/usr/lib/podman/netavark',
  'aardvark-dns': '/usr/lib/podman/aardvark-dns',
  iptables: '/usr/sbin/iptables',
  'podman-compose': '/usr/bin/podman-compose',
  debootstrap: '/usr/sbin/debootstrap',
} as const

/** Names of packages that are missing here. */
export const missingPackages = (): readonly string[] =>
  Object.entries(packages)
    .filter(([, file]) => !existsSync(file))
    .map(([name]) => name)
