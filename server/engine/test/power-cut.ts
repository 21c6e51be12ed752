import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { recover } from '../../journal/recover.ts'
import { startEmbedded } from '../../store/embedded.ts'
import { openStore } from '../../store/open.ts'
import { diskFolder } from '../../store/test/disk.ts'
import { connectLink } from '../connect-link.ts'
import { dialSocket } from '../link/wire.ts'
import type { Link } from '../link.ts'
import { linkPath } from '../link-path.ts'
import { LedgerCheck } from './ledger-check.ts'
import { type Acknowledged, Load } from './load.ts'
import { openMarket, seeded } from './workload.ts'

export type PowerCutOptions = {
  readonly rounds: number
  readonly seed: number
  readonly isControl?: boolean
  readonly report?: (line: string) => void
}
export type PowerCutResult = { readonly rounds: number; readonly acknowledged: number; readonly lost: number }

const imageBytes = 1536 * 1024 ** 2
const callersPerLink = 8

/** The reason why it can't be done here; undefined if it can. */
export function whyNot(): string | undefined {
  if (process.platform !== 'linux') return 'it needs Linux'
  if (process.getuid?.() !== 0) return 'it needs root, to mount an image'
  for (const tool of ['losetup', 'mkfs.ext4', 'mount', 'umount', 'fsfreeze']) {
    if (!['/sbin', '/usr/sbin', '/bin', '/usr/bin'].some((folder) => existsSync(join(folder, tool)))) return `it needs ${tool}`
  }
  return existsSync('/dev/loop-control') ? undefined : 'it needs loop devices'
}

/**
 * Cuts the power of the database's disk and checks what is left. The disk is an image inside another mounted image: freezing the
 * outer file system stops the inner disk between two writes, and its file is copied in this state, without the data that the
 * kernel or PostgreSQL still had in memory. The copy is mounted and recovered; every command acknowledged before the freeze must
 * be there. `isControl` switches fsync off: then the same check must find losses.
 */
export async function powerCuts(options: PowerCutOptions): Promise<PowerCutResult> {
  const folder = mkdtempSync(join(diskFolder(), 'candor-power-'))
  const disks = new Disks(folder)
  const random = seeded(options.seed)
  let engine: ChildProcess | undefined
  const links: Link[] = []
  let totalAcknowledged = 0
  let totalLost = 0
  try {
    const disk = disks.makeDisk()
    const embedded = await startEmbedded(disk)
    disks.onCleanup(() => embedded.stop({ isForced: true }))
    await configure(embedded.url, "max_wal_size = '256MB'", "min_wal_size = '64MB'")
    const socket = linkPath(folder)
    engine = await startEngine(embedded.url, socket)
    for (let i = 0; i < 4; i++) links.push(await connectLink(dialSocket(socket)))
    await openMarket((links[0] as Link).submit)
    // The engine would refuse to start on such a database; it can't notice that the setting changes while it runs.
    if (options.isControl) await configure(embedded.url, 'fsync = off')
    const load = new Load(links, options.seed)
    load.start(callersPerLink)
    const acknowledged: Acknowledged[] = []
    for (let round = 0; round < options.rounds; round++) {
      await sleep(500 + random() * 1000)
      const before = load.acknowledged.length
      const clone = disks.cutPower()
      // The event loop stood still during the cut: exactly these commands had been answered before it.
      acknowledged.push(...load.acknowledged.splice(0, before))
      const lost = await lookAt(clone, acknowledged)
      await disks.dropClone()
      totalLost = Math.max(totalLost, lost)
      totalAcknowledged = acknowledged.length
      options.report?.(`cut ${round + 1}: ${acknowledged.length} acknowledged before it, ${lost} lost`)
    }
    await load.stop()
  } finally {
    for (const link of links) await link[Symbol.asyncDispose]()
    await endProcess(engine)
    await disks.cleanup()
    rmSync(folder, { recursive: true, force: true })
  }
  return { rounds: options.rounds, acknowledged: totalAcknowledged, lost: totalLost }
}

/** Recovers the copied disk, checks all of it, and counts the acknowledged commands that it lacks. */
async function lookAt(clone: string, acknowledged: readonly Acknowledged[]): Promise<number> {
  // After a real power cut no process has the id in this file.
  rmSync(join(clone, 'postgres', 'data', 'postmaster.pid'), { force: true })
  const embedded = await startEmbedded(clone)
  try {
    await configure(embedded.url, 'fsync = on')
    await using store = await openStore({ dataFolder: clone, databaseUrl: embedded.url })
    const check = new LedgerCheck()
    await check.follow(store.pool)
    const { exchange } = await recover(store.pool)
    assert.equal(exchange.hash(), check.exchange.hash())
    return acknowledged.filter(({ id, outcome }) => {
      const done = check.done.get(outcome.seq)
      return done?.id !== id || done.order !== outcome.order || done.refusal !== outcome.refusal
    }).length
  } finally {
    await embedded.stop({ isForced: true })
  }
}

/** Mounts disks, and records all steps that have to be undone, in reverse order. */
class Disks {
  readonly #folder: string
  readonly #cleanups: (() => void | Promise<void>)[] = []
  #clone: (() => void) | undefined
  #cuts = 0

  constructor(folder: string) {
    this.#folder = folder
    execFileSync('chmod', ['755', folder])
  }

  get #outer(): string {
    return join(this.#folder, 'outer')
  }

  /** A mounted file system whose disk is a file on another mounted file system. Returns its path. */
  makeDisk(): string {
    this.onCleanup(this.#mountNew(join(this.#folder, 'outer.img'), this.#outer, imageBytes * 1.15))
    const disk = join(this.#folder, 'disk')
    this.onCleanup(this.#mountNew(join(this.#outer, 'disk.img'), disk, imageBytes))
    return disk
  }

  /** Copies the disk as it is at one moment and mounts the copy. Returns its path. */
  cutPower(): string {
    const copy = join(this.#folder, `clone-${++this.#cuts}.img`)
    run('fsfreeze', '--freeze', this.#outer)
    try {
      run('cp', '--sparse=always', join(this.#outer, 'disk.img'), copy)
    } finally {
      run('fsfreeze', '--unfreeze', this.#outer)
    }
    const clone = join(this.#folder, 'clone')
    const unmount = this.#mount(copy, clone)
    this.#clone = () => {
      unmount()
      rmSync(copy)
    }
    return clone
  }

  async dropClone(): Promise<void> {
    this.#clone?.()
    this.#clone = undefined
  }

  onCleanup(cleanup: () => void | Promise<void>): void {
    this.#cleanups.push(cleanup)
  }

  async cleanup(): Promise<void> {
    this.#clone?.()
    for (const cleanup of this.#cleanups.reverse()) await cleanup()
  }

  #mountNew(image: string, at: string, bytes: number): () => void {
    run('truncate', '-s', String(Math.floor(bytes)), image)
    run('mkfs.ext4', '-q', '-F', image)
    return this.#mount(image, at)
  }

  #mount(image: string, at: string): () => void {
    mkdirSync(at, { recursive: true })
    run('mount', '-o', 'loop', image, at)
    return () => run('umount', at)
  }
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, {
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function configure(url: string, ...settings: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const setting of settings) await client.query(`alter system set ${setting}`)
  await client.query('select pg_reload_conf(), pg_sleep(0.2)')
  await client.end()
}

async function startEngine(url: string, socket: string): Promise<ChildProcess> {
  const program = join(import.meta.dirname, 'engine-process.ts')
  const child = spawn(process.execPath, [program, url, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.once('data', () => resolve())
    child.once('exit', (code, signal) => reject(new Error(`The engine process ended with ${signal ?? code}`)))
  })
  return child
}

async function endProcess(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

if (import.meta.main) {
  const reason = whyNot()
  if (reason) console.log(`power cut: skipped, ${reason}`)
  else {
    const { values } = parseArgs({
      options: {
        rounds: { type: 'string', default: '5' },
        seed: { type: 'string', default: '1' },
        control: { type: 'boolean', default: false },
      },
    })
    const rounds = Number(values.rounds)
    const options = { rounds, seed: Number(values.seed), isControl: values.control, report: (line: string) => console.log(line) }
    const { acknowledged, lost } = await powerCuts(options)
    console.log(`${rounds} power cuts${values.control ? ' without fsync' : ''}: ${acknowledged} acknowledged, ${lost} lost`)
    process.exitCode = lost > 0 === values.control ? 0 : 1
  }
}
