import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSeen } from '../../journal/witness-file.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { root } from '../settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'candor-accept-'))
const data = join(folder, 'data')
const database = join(data, 'postgres')
const older = join(folder, 'older')
const children: ChildProcess[] = []

after(async () => {
  for (const child of children) if (child.exitCode === null) await ended(child, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
})

/** `candor …` in a process of its own on this data folder, as an operator would run it. */
class Candor {
  readonly child: ChildProcess
  said = ''

  constructor(...words: string[]) {
    const env = { ...process.env, CANDOR_DATA: data, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '1', CANDOR_BOTS: 'off' }
    const command = join(root, 'server', 'main', 'candor.ts')
    this.child = spawn(process.execPath, [command, ...words], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(this.child)
    for (const stream of [this.child.stdout, this.child.stderr]) stream!.on('data', (text) => (this.said += String(text)))
  }

  /** Resolves when the output matches. Rejects when the process ends without it. */
  async says(what: RegExp): Promise<void> {
    while (!what.test(this.said)) {
      if (this.child.exitCode !== null) throw new Error(`ended with ${this.child.exitCode}: ${this.said}`)
      await sleep(20)
    }
  }

  async done(): Promise<{ readonly code: number | null; readonly text: string }> {
    const code = await ended(this.child)
    return { code, text: this.said }
  }
}

async function ended(child: ChildProcess, signal?: NodeJS.Signals): Promise<number | null> {
  if (signal !== undefined) child.kill(signal)
  // Waits until its output has been read to the end, too.
  if (child.exitCode === null || !child.stdout!.closed) await new Promise((resolve) => child.once('close', resolve))
  return child.exitCode
}

/** Reads the epoch and the newest command from the witness. */
async function witness(): Promise<readonly number[]> {
  const { epoch, seq } = (await readSeen(join(data, 'witness')))!
  return [epoch, seq]
}

/** Starts it, lets it acknowledge a command, does the work of the test, and stops it. */
async function run(work: () => Promise<void> = () => Promise.resolve()): Promise<void> {
  const exchange = new Candor('start')
  await exchange.says(/Open http/)
  assert.match(exchange.said, /^This is a sandbox\.$/m)
  const [, before = 0] = await witness()
  while (((await witness())[1] ?? 0) <= before + 10) await sleep(50)
  await work()
  assert.equal(await ended(exchange.child, 'SIGINT'), 0, exchange.said)
}

test('JOURNAL-WITNESS-004: on the command line a rolled-back database does not start until a person accepts it', {
  timeout: 600_000,
}, async () => {
  mkdirSync(data)
  copyPrepared(data)
  await run()
  execFileSync('cp', ['-Rp', database, older])
  await run(async () => {
    const refused = await new Candor('witness', 'accept').done()
    assert.equal(refused.code, 1)
    assert.match(refused.text, /The exchange is running: stop it first/)
  })
  const [epoch = 0, seq = 0] = await witness()

  rmSync(database, { recursive: true })
  execFileSync('cp', ['-Rp', older, database])
  const halted = await new Candor('start').done()
  assert.equal(halted.code, 1, halted.text)
  assert.match(halted.text, /The database was rolled back .* journal ends at command \d+ \(hash .*, but command \d+ \(hash/)
  assert.ok(halted.text.includes(`command ${seq} `), halted.text)
  assert.match(halted.text, /candor witness accept/)
  assert.deepEqual(await witness(), [epoch, seq], 'a refused start forgets nothing')

  const accepted = await new Candor('witness', 'accept').done()
  assert.equal(accepted.code, 0, accepted.text)
  assert.match(accepted.text, /^Accepted: the journal ends at command \d+ \(hash/m)
  assert.ok(accepted.text.includes(`Acknowledged but lost: everything up to command ${seq} `), accepted.text)
  const [, now = 0] = await witness()
  assert.ok(now < seq)

  await run()
  assert.ok(((await witness())[0] ?? 0) > epoch, 'no epoch is given twice')
  // Accepted once more, there is nothing left to lose, and `--json` reports that.
  const again = await new Candor('witness', 'accept', '--json').done()
  assert.equal(again.code, 0, again.text)
  const told = JSON.parse(again.text)
  assert.equal(told.now.seq, told.before.seq)
  assert.ok(told.now.epoch > told.before.epoch, 'no epoch is given twice')
})
