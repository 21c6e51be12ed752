import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Store } from '../../store/open.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { type AuditEvent, AuditEvents, beginning, cursorText, parseCursor } from '../audit-events.ts'

const command = join(import.meta.dirname, '..', '..', 'main', 'candor.ts')
const folder = mkdtempSync(join(tmpdir(), 'candor-audit-'))
let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const customer = `insert into audit_log (action, at, ip, device) values ($1, $2, '192.0.2.1', '') returning id`
const staff = `insert into staff_log (action, at, ip, device) values ($1, $2, '192.0.2.2', '') returning id`
let clock = 1_000

async function write(text: string, action: string, client: pg.Pool | pg.Client = store.pool): Promise<number> {
  const { rows } = await client.query<{ id: number }>(text, [action, clock++])
  return Number(rows[0]!.id)
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(store.url)
  await client.connect()
  return client
}

/** Everything that is there from a position on, with what the reader waits for, if that ends. */
async function all(events: AuditEvents): Promise<readonly AuditEvent[]> {
  const found: AuditEvent[] = []
  for (let tries = 0; tries < 1_000; tries++) {
    const more = await events.next()
    found.push(...more)
    if (more.length === 0 && !events.isWaiting) return found
    if (more.length === 0) await sleep(10)
  }
  throw new Error('the reader waits for ever')
}

test('WATCH-AUDIT-001: the entries of all logs come once each, in the order of their log, with the cursor after them', async () => {
  const events = new AuditEvents(store.pool, beginning)
  const written = [await write(customer, 'login'), await write(staff, 'withdrawal-approved'), await write(customer, 'key-created')]
  const found = await all(events)
  assert.deepEqual(
    found.map(({ log, id, action }) => [log, id, action]),
    [
      ['customers', written[0], 'login'],
      ['staff', written[1], 'withdrawal-approved'],
      ['customers', written[2], 'key-created'],
    ],
  )
  assert.equal(found[1]!.cursor, cursorText({ customers: written[0]!, staff: written[1]!, firms: 0 }))
  assert.deepEqual((await all(new AuditEvents(store.pool, parseCursor(found[0]!.cursor)!))).length, 2)
  for (const wrong of ['', 'c1-s2', 'c1-s2-f3-', 'c-1-s2-f3', 's1-c2-f3']) assert.equal(parseCursor(wrong), undefined)
})

test('WATCH-AUDIT-002: an entry that is committed after a later one comes before it; a number that was rolled back is waited for no longer than its transaction', async () => {
  const events = new AuditEvents(store.pool, beginning)
  await all(events)
  const [slow, failing] = [await connect(), await connect()]
  try {
    await slow.query('begin')
    const first = await write(customer, 'slow', slow)
    await failing.query('begin')
    const lost = await write(customer, 'lost', failing)
    const last = await write(customer, 'quick')
    assert.deepEqual([lost, last], [first + 1, first + 2])
    for (let turn = 0; turn < 5; turn++) assert.deepEqual(await events.next(), [])
    assert.equal(events.isWaiting, true)
    await failing.query('rollback')
    for (let turn = 0; turn < 5; turn++) assert.deepEqual(await events.next(), [])
    // One that begins later keeps nobody waiting.
    await failing.query('begin')
    await write(customer, 'later', failing)
    await slow.query('commit')
    const found = await all(events)
    assert.deepEqual(
      found.map(({ id }) => id),
      [first, last],
    )
    await failing.query('commit')
    assert.deepEqual(
      (await all(events)).map(({ action }) => action),
      ['later'],
    )
  } finally {
    await Promise.all([slow.end(), failing.end()])
  }
})

const environment = (): NodeJS.ProcessEnv => ({ ...process.env, CANDOR_DATA: join(folder, 'data'), DATABASE_URL: store.url })
const linesOf = (text: string): readonly AuditEvent[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as AuditEvent)

test('WATCH-AUDIT-003: a file that is followed has each entry once, whenever the reader is killed', async () => {
  const file = join(folder, 'audit.ndjson')
  const follow = () =>
    spawn(process.execPath, [command, 'audit-events', '--follow', '--to', file], { env: environment(), cwd: folder, stdio: 'ignore' })
  const written: number[] = []
  let isDone = false
  // Two writers, some of whose transactions last and some of which fail.
  const writers = [0, 1].map(async (writer) => {
    const client = await connect()
    for (let n = 0; !isDone; n++) {
      await client.query('begin')
      const id = await write(customer, `writer-${writer}`, client)
      if (n % 3 === writer) await sleep(20)
      if (n % 5 === 4) await client.query('rollback')
      else {
        await client.query('commit')
        written.push(id)
      }
    }
    await client.end()
  })
  const size = (): number => (existsSync(file) ? statSync(file).size : 0)
  for (let round = 0; round < 3; round++) {
    const child = follow()
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const before = size()
    for (let tries = 0; tries < 1_500 && size() < before + 2_000; tries++) await sleep(20)
    assert.ok(size() > before, 'nothing was written')
    child.kill('SIGKILL')
    await ended
    // What a crash in the middle of a write would leave.
    if (round === 0) truncateSync(file, size() - 7)
    if (round === 1) appendFileSync(file, '{"cursor":"c1')
  }
  isDone = true
  await Promise.all(writers)
  await promisify(execFile)(process.execPath, [command, 'audit-events', '--to', file], { env: environment(), cwd: folder })
  const ids = linesOf(readFileSync(file, 'utf8'))
    .filter(({ action }) => action.startsWith('writer-'))
    .map(({ id }) => id)
  assert.ok(written.length > 20)
  assert.deepEqual(
    ids,
    written.toSorted((one, other) => one - other),
  )
})

test('WATCH-AUDIT-004: the command prints what follows a cursor', async () => {
  const run = (...words: string[]) =>
    promisify(execFile)(process.execPath, [command, 'audit-events', ...words], { env: environment(), cwd: folder, maxBuffer: 2 ** 26 })
  const everything = linesOf((await run()).stdout)
  const middle = everything[Math.floor(everything.length / 2)]!
  const rest = linesOf((await run('--after', middle.cursor)).stdout)
  assert.deepEqual(rest, everything.slice(everything.indexOf(middle) + 1))
  await assert.rejects(run('--after', 'yesterday'), { code: 2 })
})

test('WATCH-AUDIT-005: a file that has something else in it is refused and stays as it is', async () => {
  const file = join(folder, 'other.txt')
  for (const text of ['notes\n', 'notes', '{"cursor":"nothing"}\n']) {
    writeFileSync(file, text)
    const run = promisify(execFile)(process.execPath, [command, 'audit-events', '--to', file], { env: environment(), cwd: folder })
    await assert.rejects(run, { code: 2 })
    assert.equal(readFileSync(file, 'utf8'), text)
  }
})

test('WATCH-AUDIT-007: of two readers with one file, one ends with an error, and no entry comes twice', async () => {
  const file = join(folder, 'shared.ndjson')
  const words = [command, 'audit-events', '--to', file]
  const options = { env: environment(), cwd: folder }
  await promisify(execFile)(process.execPath, words, options)
  const before = linesOf(readFileSync(file, 'utf8')).length
  const first = spawn(process.execPath, [...words, '--follow'], { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  first.stderr.on('data', (text: Buffer) => (said += text))
  const ended = new Promise<number | null>((resolve) => first.once('exit', resolve))
  await write(customer, 'for the first')
  for (let tries = 0; tries < 1_500 && linesOf(readFileSync(file, 'utf8')).length === before; tries++) await sleep(20)
  // What another reader wrote meanwhile.
  appendFileSync(file, `${readFileSync(file, 'utf8').trimEnd().split('\n').at(-1)}\n`)
  const text = readFileSync(file, 'utf8')
  await write(customer, 'for one of them')
  assert.equal(await ended, 1)
  assert.match(said, /Somebody else writes to/)
  assert.equal(readFileSync(file, 'utf8'), text)
})

test('WATCH-AUDIT-006: after a restore to an earlier state nothing is read on behind entries that are gone, even when others have their numbers', async () => {
  const file = join(folder, 'restored.ndjson')
  const run = () => promisify(execFile)(process.execPath, [command, 'audit-events', '--to', file], { env: environment(), cwd: folder })
  const [before, gone] = [await write(customer, 'kept'), await write(customer, 'gone')]
  await run()
  const text = readFileSync(file, 'utf8')
  // What a restore does: the entry and its number were never given.
  const forget = async (): Promise<void> => {
    await store.pool.query('begin; set local session_replication_role = replica; delete from audit_log where id > ' + before + '; commit')
    await store.pool.query(`select setval(pg_get_serial_sequence('audit_log', 'id'), $1)`, [before])
  }
  await forget()
  await assert.rejects(run(), /has no entry \d+, or another one than was read/)
  assert.equal(await write(customer, 'another'), gone)
  await write(customer, 'later')
  await assert.rejects(run(), /has no entry \d+, or another one than was read/)
  assert.equal(readFileSync(file, 'utf8'), text)
  rmSync(file)
  await run()
  assert.deepEqual(
    linesOf(readFileSync(file, 'utf8'))
      .map(({ action }) => action)
      .slice(-3),
    ['kept', 'another', 'later'],
  )
})
