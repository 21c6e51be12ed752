import { type ChildProcess, spawn } from 'node:child_process'
import type { UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { audit } from '../../journal/audit.ts'
import { recover } from '../../journal/recover.ts'
import { startEmbedded } from '../../store/embedded.ts'
import { openStore, type Store } from '../../store/open.ts'
import { startProjector } from '../../store/projector/projector.ts'
import { connectLink } from '../connect-link.ts'
import { dialSocket } from '../link/wire.ts'
import type { Link } from '../link.ts'
import { linkPath } from '../link-path.ts'
import { openFutures } from './futures.ts'
import { LedgerCheck } from './ledger-check.ts'
import { Load } from './load.ts'
import { openMarket, seeded } from './workload.ts'

export type KillOptions = { readonly rounds: number; readonly seed: number; readonly report?: (line: string) => void }
export type KillResult = {
  readonly acknowledged: number
  readonly unknown: number
  readonly repeats: number
  readonly restartMsMax: number
}

const victims = ['engine', 'engine', 'database', 'engine and database'] as const
const linkCount = 4
const callersPerLink = 8

/**
 * Kills the engine process, the database or both, without warning and under load, and checks afterwards: every acknowledged
 * command is in the journal as it was answered; none was executed twice; none that was refused before the journal is in it;
 * unknown ones, sent again, are executed once; the recovered state is the one of an independent replay; the follower's digests
 * are the leader's; and the audit, which replays everything and compares every row, agrees with the tables: after the first kill
 * of each kind, and at the end, when it finds whatever any round left wrong. An audit after each round would take longer each time.
 */
export async function killRounds(options: KillOptions): Promise<KillResult> {
  const folder = mkdtempSync(join(tmpdir(), 'candor-kill-'))
  const random = seeded(options.seed)
  let embedded = await startEmbedded(folder)
  const store = await openStore({ dataFolder: folder, databaseUrl: embedded.url })
  const socket = linkPath(folder)
  let engine = await startEngine(embedded.url, socket)
  const links = await Promise.all(Array.from({ length: linkCount }, () => connectLink(dialSocket(socket))))
  const load = new Load(links, options.seed, true)
  const check = new LedgerCheck()
  const totals = { acknowledged: 0, unknown: 0, repeats: 0, restartMsMax: 0 }
  try {
    await openMarket((links[0] as Link).submit)
    await openFutures((links[0] as Link).submit)
    for (let round = 0; round < options.rounds; round++) {
      const victim = victims[round % victims.length] as (typeof victims)[number]
      load.start(callersPerLink)
      await sleep(150 + random() * 500)
      if (victim !== 'database') engine.kill('SIGKILL')
      if (victim !== 'engine') killDatabase(folder)
      await sleep(100)
      const restarted = performance.now()
      if (victim !== 'engine') embedded = await startEmbedded(folder)
      if (victim !== 'database') engine = await startEngine(embedded.url, socket)
      await Promise.all(links.map(untilUp))
      const restartMs = performance.now() - restarted
      await sleep(100)
      await load.stop()
      totals.acknowledged += load.acknowledged.length
      totals.unknown += load.unknown.length
      totals.restartMsMax = Math.max(totals.restartMsMax, restartMs)
      await verify(store, links[0] as Link, load, check)
      if (round < victims.length || round === options.rounds - 1) await auditAll(store)
      options.report?.(
        `round ${round + 1}: killed ${victim}, back in ${Math.round(restartMs)} ms, ${totals.acknowledged} acknowledged so far, ${totals.unknown} unknown, ${check.seq} in the journal`,
      )
    }
    // A running engine goes on by itself while parts of TWAP orders are due.
    await endEngine(engine, 'SIGKILL')
    await check.follow(store.pool)
    const { exchange } = await recover(store.pool)
    assert.equal(exchange.hash(), check.exchange.hash(), 'recovery from the start gives another state')
    engine = await startEngine(embedded.url, socket)
    await endEngine(engine, 'SIGTERM')
    await check.follow(store.pool)
    const onBadSnapshot = (damage: Error): never => assert.fail(`the snapshot of a clean stop is of no use: ${damage.message}`)
    const fromSnapshot = await recover(store.pool, { onBadSnapshot })
    assert.equal(fromSnapshot.snapshotSeq, check.seq, 'a clean stop leaves a snapshot')
    assert.equal(fromSnapshot.exchange.hash(), check.exchange.hash(), 'the snapshot gives another state')
    return { ...totals, repeats: load.repeats }
  } finally {
    engine.kill('SIGKILL')
    for (const link of links) await link[Symbol.asyncDispose]()
    await store[Symbol.asyncDispose]()
    await embedded.stop({ isForced: true })
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Compares the callers' answers with the journal, and clears the lists. */
export async function verify(store: Store, link: Link, load: Load, check: LedgerCheck): Promise<void> {
  await check.follow(store.pool)
  for (const { id, outcome } of load.acknowledged) {
    const { order, refusal, isRepeat } = outcome
    assert.deepEqual(check.done.get(outcome.seq), { id, order, refusal, isRepeat }, `${id} was acknowledged at ${outcome.seq}`)
  }
  load.acknowledged = []
  const known = new Set([...check.done.values()].map(({ id }) => id))
  for (const id of load.notTaken) assert.ok(!known.has(id), `${id} was refused and is in the journal`)
  load.notTaken = []
  for (const { id, command } of load.unknown.splice(0)) {
    const hadActed = check.acted.has(id)
    const outcome = await link.submit(command)
    if (hadActed) assert.ok(outcome.isRepeat, `${id} had been executed and is not recognized`)
  }
  await sameState(store, link, check)
  await follow(store, check.seq)
}

/** Compares the engine's state with that of the journal at one place. The engine goes on by itself while parts of TWAP orders are due. */
async function sameState(store: Store, link: Link, check: LedgerCheck): Promise<void> {
  const { seq, hash } = await link.ask.head()
  await check.follow(store.pool)
  if (check.seq !== seq) return sameState(store, link, check)
  assert.equal(hash, check.exchange.hash(), 'the state of the engine differs from that of the journal')
}

/** Waits until the follower has the leader's digests. */
async function follow(store: Store, seq: number): Promise<void> {
  await using projector = await startProjector({ store })
  await projector.reached(seq)
  assert.equal(projector.failed, undefined, 'the follower stopped')
}

/** Checks that journal and tables agree. */
async function auditAll(store: Store): Promise<void> {
  const { ok, problems } = await audit({ pool: store.pool })
  assert.ok(ok, problems.join('; '))
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

export async function endEngine(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}

function killDatabase(folder: string): void {
  const [pid] = readFileSync(join(folder, 'postgres', 'data', 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(pid), 'SIGKILL')
}

/** Waits until everything decided so far is durable and the engine is up. */
async function untilUp(link: Link): Promise<void> {
  const isUp = await link.ask.balances(1 as UserId).then(
    () => true,
    () => false,
  )
  if (isUp) return
  await sleep(20)
  return untilUp(link)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } } })
  const result = await killRounds({ rounds: Number(values.rounds), seed: Number(values.seed), report: (line) => console.log(line) })
  console.log(
    `${values.rounds} rounds: ${result.acknowledged} acknowledged, 0 lost, 0 doubled (${result.repeats} sent twice, ${result.unknown} unknown); longest restart ${Math.round(result.restartMsMax)} ms`,
  )
}
