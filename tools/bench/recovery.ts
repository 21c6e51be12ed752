/**
 * Speed of the journal's replay at a restart, compared with the same core executing the same commands live. Replay reads the rows
 * from PostgreSQL, checks hash chain and digests, and executes; live only executes. Rates are per CPU-second of this process, and per
 * second of wall-clock time.
 *
 *   node tools/bench/recovery.ts [--json] [--rounds N] [--commands N]
 */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { commandLength, encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { OUTCOME_LENGTH, OUTCOME_REFUSAL } from '@candor/core/protocol/codec/event-layout.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nextCommand, openMarket, seeded, userCount } from '../../server/engine/test/workload.ts'
import { JournalWriter } from '../../server/journal/append.ts'
import { beginPayload, sealPayload } from '../../server/journal/payload.ts'
import { recover } from '../../server/journal/recover.ts'
import { digestOf, stateHash } from '../../server/journal/replay.ts'
import { chain, coreVersion, emptyHead, type Head } from '../../server/journal/row.ts'
import { saveSnapshot } from '../../server/journal/snapshots.ts'
import { migrate } from '../../server/store/migrate.ts'
import { openStore, type Store } from '../../server/store/open.ts'
import { median, numberAfter, rounded, say } from './report.ts'

const rounds = numberAfter('--rounds', 5)
const commandCount = numberAfter('--commands', 400_000)
const perBatch = 128
const firstAt = 1_700_000_000_000

const folder = mkdtempSync(join(tmpdir(), 'candor-bench-'))
const store = await openStore({ dataFolder: folder })
try {
  await migrate(store)
  const commands = await makeCommands()
  const { exchange, head } = await writeJournal(store, commands)
  const hash = stateHash(exchange)
  const pairs: { readonly live: Speed; readonly replay: Speed }[] = []
  for (let round = 1; round <= rounds; round++) {
    const live = await measure(async () => execute(commands))
    const replay = await measure(async () => (await recover(store.pool)).exchange)
    for (const { exchange: state } of [live, replay]) assert.equal(stateHash(state), hash, 'the state differs')
    pairs.push({ live: live.speed, replay: replay.speed })
    say(
      `round ${round}: replay ${rounded(replay.speed.cpu)} per CPU-second, live ${rounded(live.speed.cpu)}, ` +
        `ratio ${(replay.speed.cpu / live.speed.cpu).toFixed(2)}, in wall-clock time ${(replay.speed.clock / live.speed.clock).toFixed(2)}`,
    )
  }
  const value = median(pairs.map(({ replay }) => replay.cpu))
  const live = median(pairs.map(({ live }) => live.cpu))
  const ratio = median(pairs.map(({ live, replay }) => replay.cpu / live.cpu))
  const clockRatio = median(pairs.map(({ live, replay }) => replay.clock / live.clock))
  say(
    `replay: median ${rounded(value)} commands per CPU-second, live core ${rounded(live)}, ratio ${ratio.toFixed(2)}, ` +
      `in wall-clock time ${clockRatio.toFixed(2)} (floor 0.5, aim 1)`,
  )

  await saveSnapshot(store.pool, { ...head, coreVersion, dump: exchange.dump() })
  const started = performance.now()
  const restored = await recover(store.pool)
  const snapshotMs = performance.now() - started
  assert.equal(stateHash(restored.exchange), hash, 'the snapshot restores a different state')
  say(`from a snapshot of ${rounded(exchange.dump().length / 1024)} KiB: ${snapshotMs.toFixed(0)} ms`)
  if (process.argv.includes('--json')) {
    const results = { pairs, clockRatio, commands: commandCount, perBatch, snapshotMs }
    console.log(JSON.stringify({ name: 'recovery', value, yardstick: live, yardstickName: 'live core', ratio, results }))
  }
} finally {
  await store[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
}

/** All commands in one buffer, stamped as by the sequencer. */
async function makeCommands(): Promise<Records> {
  const commands = new Records(commandCount * 20)
  let seq = 0
  const add = (command: Command) => {
    seq++
    encodeCommand(command, { seq, at: firstAt + Math.floor(seq / 20), keyId: 0 }, commands)
  }
  await openMarket((async (command: Command) => add(command)) as unknown as Submit)
  const random = seeded(1)
  const earlier = Array.from({ length: userCount }, (): string[] => [])
  while (seq < commandCount) {
    const user = Math.floor(random() * userCount)
    const recent = earlier[user] as string[]
    const id = `r${seq}`
    const command = nextCommand(random, (user + 1) as UserId, id, recent)
    add(command)
    if (command.type === 'spot.place') recent.push(id)
    if (recent.length > 20) recent.shift()
  }
  return commands
}

async function writeJournal(to: Store, commands: Records): Promise<{ exchange: Exchange; head: Head }> {
  const writer = await JournalWriter.lead(to.url)
  const exchange = Exchange.create()
  const events = new Records()
  const batch = new Records()
  let head = emptyHead
  for (let at = 0; at < commands.length; ) {
    events.clear()
    beginPayload(batch)
    const refused: { seq: number; refusal: number }[] = []
    let n = 0
    for (; n < perBatch && at < commands.length; n++) {
      const length = commandLength(commands.data, at)
      exchange.execute(commands.data, at, events)
      batch.append(commands.data, at, at + length)
      const refusal = events.data[events.length - OUTCOME_LENGTH + OUTCOME_REFUSAL] as number
      if (refusal !== 0) refused.push({ seq: exchange.seq, refusal })
      at += length
    }
    const payload = sealPayload(batch, refused)
    const row = chain(head, writer.epoch, { seq: exchange.seq, n, firstAt, coreVersion, eventsDigest: digestOf(events), payload })
    await writer.append(row)
    head = row
  }
  await writer.close()
  return { exchange, head }
}

function execute(commands: Records): Exchange {
  const exchange = Exchange.create()
  const events = new Records(1_000_000)
  for (let at = 0; at < commands.length; at += commandLength(commands.data, at)) {
    if (events.length > 900_000) events.clear()
    exchange.execute(commands.data, at, events)
  }
  return exchange
}

/** Commands per second of processor time, and of wall-clock time. */
type Speed = { readonly cpu: number; readonly clock: number }

async function measure(work: () => Promise<Exchange>): Promise<{ readonly exchange: Exchange; readonly speed: Speed }> {
  const started = performance.now()
  const before = process.cpuUsage()
  const exchange = await work()
  const { user, system } = process.cpuUsage(before)
  return { exchange, speed: { cpu: (commandCount / (user + system)) * 1e6, clock: (commandCount / (performance.now() - started)) * 1000 } }
}
