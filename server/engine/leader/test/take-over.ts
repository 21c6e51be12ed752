import { type ChildProcess, spawn } from 'node:child_process'
import type { UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startEmbedded } from '../../../store/embedded.ts'
import { openStore } from '../../../store/open.ts'
import { connectLink } from '../../connect-link.ts'
import { dialSocket } from '../../link/wire.ts'
import type { Link } from '../../link.ts'
import { endEngine, verify } from '../../test/kill.ts'
import { faucet } from '../../test/engines.ts'
import { LedgerCheck } from '../../test/ledger-check.ts'
import { Load } from '../../test/load.ts'
import { openMarket } from '../../test/workload.ts'

export type TakeOverOptions = {
  readonly rounds: number
  readonly seed: number
  /** Commands in the journal before the first leader ends. */
  readonly commands?: number
  readonly report?: (line: string) => void
}
export type TakeOverResult = {
  readonly acknowledged: number
  readonly unknown: number
  /** From the leader's end to the first acknowledged order of the standby, one per round. */
  readonly tookMs: readonly number[]
}

const program = join(import.meta.dirname, '..', '..', 'test', 'engine-process.ts')
const ends = ['SIGKILL', 'SIGSTOP'] as const
const callers = 16

/** An engine's process. Its lines resolve the promises. */
class Member {
  readonly child: ChildProcess
  readonly socket: string
  readonly isHot: Promise<void>
  readonly leads: Promise<void>
  readonly ended: Promise<number | null>

  constructor(url: string, socket: string) {
    this.socket = socket
    this.child = spawn(process.execPath, [program, url, socket, 'standby'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [hot, leading] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    createInterface(this.child.stdout!).on('line', (line) => (line === 'standby' ? hot : leading).resolve())
    this.ended = new Promise((resolve) => this.child.once('exit', (code) => resolve(code)))
    void this.ended.then((code) => {
      hot.reject(new Error(`An engine ended with ${code} before it was hot`))
      leading.reject(new Error(`An engine ended with ${code} before it led`))
    })
    for (const promise of [hot.promise, leading.promise]) promise.catch(() => undefined)
    this.isHot = hot.promise
    this.leads = leading.promise
  }
}

/**
 * Kills or freezes the leader under load, with a hot standby beside it. Checks that every acknowledged command is in the journal as it
 * was answered, that those with an unknown outcome are executed once when they are sent again, and that a frozen leader that wakes
 * answers nothing and ends.
 */
export async function takeOverRounds(options: TakeOverOptions): Promise<TakeOverResult> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-over-'))
  const embedded = await startEmbedded(folder)
  const store = await openStore({ dataFolder: folder, databaseUrl: embedded.url })
  const members = new Set<Member>()
  let count = 0
  const add = (): Member => {
    const member = new Member(embedded.url, join(folder, `engine-${++count}.sock`))
    members.add(member)
    return member
  }
  const opened: Link[] = []
  const connect = async (socket: string): Promise<Link> => {
    const link = await connectLink(dialSocket(socket))
    opened.push(link)
    return link
  }
  const totals = { acknowledged: 0, unknown: 0, tookMs: [] as number[] }
  try {
    let leader = add()
    await leader.leads
    const links = [await connect(leader.socket)]
    await openMarket(links[0]!.submit)
    const load = new Load(links, options.seed)
    const check = new LedgerCheck()
    for (let round = 0; round < options.rounds; round++) {
      const standby = add()
      await standby.isHot
      const link = links[0]!
      load.start(callers)
      const wanted = (round === 0 ? options.commands : undefined) ?? 0
      while (load.acknowledged.length < Math.max(wanted, 200)) await sleep(10)
      const signal = ends[round % ends.length]!
      leader.child.kill(signal)
      const ended = performance.now()
      const stopped = load.stop()
      await standby.leads
      const next = await connect(standby.socket)
      await firstAnswer(next, `first-${round}`)
      totals.tookMs.push(performance.now() - ended)
      if (signal === 'SIGSTOP') await wakes(leader, link, load)
      await Promise.all([stopped, leader.ended])
      totals.acknowledged += load.acknowledged.length
      totals.unknown += load.unknown.length
      await verify(store, next, load, check)
      options.report?.(
        `round ${round + 1}: ${signal}, first order after ${Math.round(totals.tookMs.at(-1)!)} ms, ${totals.acknowledged} acknowledged so far, ${totals.unknown} unknown, ${check.seq} in the journal`,
      )
      leader = standby
      links[0] = next
    }
    return totals
  } finally {
    for (const link of opened) await link[Symbol.asyncDispose]()
    for (const { child } of members) if (child.exitCode === null && child.signalCode === null) await endEngine(child, 'SIGKILL')
    await store[Symbol.asyncDispose]()
    await embedded.stop({ isForced: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sends an order until it is acknowledged. */
async function firstAnswer(link: Link, clientId: string): Promise<void> {
  for (;;) {
    const isDone = await link.submit(faucet(clientId)).then(
      () => true,
      () => false,
    )
    if (isDone) return
    await sleep(5)
  }
}

/**
 * Questions and commands that reached a frozen leader get no answer when it wakes, and its process ends. A leader that was frozen between its
 * last look at the lease and the answer still sends that: one batch, which was durable before another one led. `verify` finds it there.
 */
async function wakes({ child, ended }: Member, link: Link, load: Load): Promise<void> {
  const before = load.acknowledged.length
  const asked = [link.ask.head(), link.ask.balances(1 as UserId), link.submit(faucet('late'))]
  const answers = Promise.allSettled(asked)
  child.kill('SIGCONT')
  for (const answer of await answers) assert.equal(answer.status, 'rejected', 'a leader that was frozen answered after another one led')
  assert.equal(await ended, 3)
  const late = load.acknowledged.length - before
  assert.ok(late <= callers, `a leader that was frozen acknowledged ${late} commands after another one led`)
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '6' },
      seed: { type: 'string', default: '1' },
      commands: { type: 'string', default: '100000' },
    },
  })
  const { rounds, seed, commands } = values
  const report = (line: string): void => console.log(line)
  const { acknowledged, unknown, tookMs } = await takeOverRounds({
    ...{ rounds: Number(rounds), seed: Number(seed), commands: Number(commands), report },
  })
  console.log(
    `${rounds} rounds: ${acknowledged} acknowledged, 0 lost, ${unknown} unknown; longest take-over ${Math.round(Math.max(...tookMs))} ms`,
  )
}
