/**
 * Addresses of the machines. As root on a kernel that allows it, each machine is a network namespace with an address of its own on a
 * bridge; otherwise each has an address of the loopback network, and can't be cut off.
 */
import { spawnSync } from 'node:child_process'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { Layout, Machine } from '../texts/layout.ts'
import { programs } from './packages.ts'

const names = ['m1', 'm2', 'm3'] as const
const bridge = 'candor0'
const firstHost = 11

/** `host`: address under which the machines see programs of this host. */
export type Network = Layout & {
  readonly isSeparate: boolean
  readonly host: string
  /** The words before a command that runs it on a machine. */
  on(machine: Machine): readonly string[]
  /** Cuts a machine off from all others and from customers, until `join`. throws Error where machines share a network */
  cut(machine: Machine): void
  join(machine: Machine): void
  remove(): void
}

const space = ({ name }: Pick<Machine, 'name'>): string => `candor-${name}`
const wire = ({ name }: Pick<Machine, 'name'>): string => `candor-${name}`

/**
 * Lays the network of three machines.
 *
 * throws  Error when another cluster of this host has these namespaces
 */
export function layNetwork(folder: string, wantsLoopback: boolean): Network {
  if (!wantsLoopback && mayHaveSpaces()) return separate(folder)
  return {
    ...layoutOf(folder, '127.77.0', '127.0.0.0/8'),
    isSeparate: false,
    host: '127.0.0.1',
    on: () => [],
    cut: () => {
      throw new Error('machines on one network can’t be cut off')
    },
    join: () => undefined,
    remove: () => undefined,
  }
}

function layoutOf(folder: string, net: string, network: string): Layout {
  return {
    network,
    machines: names.map((name, i) => ({ name, address: `${net}.${firstHost + i}`, folder: join(folder, name) })),
  }
}

function mayHaveSpaces(): boolean {
  if (process.platform !== 'linux' || userInfo().uid !== 0) return false
  const trial = `candor-try-${process.pid}`
  const isMade = tryIp('netns', 'add', trial) && tryIp('-n', trial, 'link', 'add', 'try0', 'type', 'veth', 'peer', 'name', 'try1')
  const isBridged = isMade && tryIp('-n', trial, 'link', 'add', 'try2', 'type', 'bridge')
  tryIp('netns', 'del', trial)
  return isBridged
}

function separate(folder: string): Network {
  const layout = layoutOf(folder, '10.77.0', '10.77.0.0/24')
  const host = '10.77.0.1'
  if (tryIp('link', 'show', bridge)) throw new Error(`the network ${bridge} is there already: stop its cluster first`)
  const remove = (): void => removeNetwork()
  try {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('addr', 'add', `${host}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    for (const machine of layout.machines) layMachine(machine)
  } catch (cause) {
    remove()
    throw cause
  }
  return {
    ...layout,
    isSeparate: true,
    host,
    on: (machine) => [programs.ip, 'netns', 'exec', space(machine)],
    cut: (machine) => ip('link', 'set', wire(machine), 'down'),
    join: (machine) => ip('link', 'set', wire(machine), 'up'),
    remove,
  }
}

function layMachine(machine: Machine): void {
  const inside = 'eth0'
  ip('netns', 'add', space(machine))
  ip('link', 'add', wire(machine), 'type', 'veth', 'peer', 'name', inside, 'netns', space(machine))
  ip('link', 'set', wire(machine), 'master', bridge, 'up')
  ip('-n', space(machine), 'link', 'set', 'lo', 'up')
  ip('-n', space(machine), 'addr', 'add', `${machine.address}/24`, 'dev', inside)
  ip('-n', space(machine), 'link', 'set', inside, 'up')
}

/** Removes the namespaces and the bridge, as far as they are there. */
export function removeNetwork(): void {
  for (const name of names) {
    tryIp('link', 'del', wire({ name }))
    tryIp('netns', 'del', space({ name }))
  }
  tryIp('link', 'del', bridge)
}

function ip(...words: readonly string[]): void {
  const done = spawnSync(programs.ip, words, { encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`ip ${words.join(' ')}: ${done.stderr}`)
}

function tryIp(...words: readonly string[]): boolean {
  return spawnSync(programs.ip, words, { stdio: 'ignore' }).status === 0
}
