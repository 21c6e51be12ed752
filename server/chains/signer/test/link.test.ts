import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FrameReader, frame } from '../frames.ts'
import { CustodyFault, SignerRefused } from '../reasons.ts'
import { takeDoor } from '../serve.ts'
import { startSigner } from '../start.ts'
import type { Answer, Request } from '../wire.ts'
import { cheapLock } from './cheap.ts'
import { Custody, kill, openLink, passphrase, startProcess } from './custody.ts'

const status = { kind: 'status' } as const

/** A door whose answers the test decides. */
async function door(custody: Custody, answer: (request: Request) => Promise<Answer>) {
  const opened = await takeDoor(custody.door)
  opened.open({ answer }, () => undefined)
  return opened
}

async function raw(custody: Custody): Promise<{ readonly socket: Socket; readonly answers: Answer[]; readonly closed: Promise<unknown> }> {
  const socket = connect(custody.door)
  const answers: Answer[] = []
  const reader = new FrameReader((text) => answers.push(JSON.parse(text) as Answer))
  socket.on('data', (chunk: Buffer) => reader.push(chunk))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  return { socket, answers, closed }
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate)
}

test('SIGNER-LINK-002: a request with an unknown kind, an unknown field or a wrong type reaches no key', async () => {
  using custody = new Custody()
  let reached = 0
  await using _ = await door(custody, async () => {
    reached++
    return { ok: true }
  })
  const { socket, answers } = await raw(custody)
  const good = custody.request()
  const bad: readonly unknown[] = [
    ...[null, 1, 'status', [], {}, { kind: 'export' }, { kind: 'status', more: 1 }, { ...good, kind: 'signs' }],
    ...[
      { ...good, more: 1 },
      { ...good, payment: { ...good.payment, value: 25_000_000 } },
      { ...good, approvals: {} },
    ],
    ...[
      { ...good, payment: { ...good.payment, contract: null } },
      { ...good, engine: good.engine.toUpperCase() },
    ],
    { ...good, payment: { ...good.payment, more: 1 } },
  ]
  for (const each of bad) socket.write(frame(each))
  socket.write(Buffer.concat([Buffer.of(3, 0, 0, 0), Buffer.from('{"a')]))
  await until(() => answers.length === bad.length + 1)
  for (const answer of answers) assert.deepEqual(answer, { ok: false, reason: 'BAD_REQUEST' })
  assert.equal(reached, 0)
  socket.write(frame(good))
  await until(() => reached === 1)
})

test('SIGNER-LINK-003: a frame that is too long or not UTF-8 ends the connection, and no other', async () => {
  using custody = new Custody()
  await using _ = await door(custody, async () => ({ ok: true }))
  using link = await openLink(custody)
  for (const bytes of [Buffer.of(1, 0, 1, 0), Buffer.of(255, 255, 255, 255), Buffer.of(2, 0, 0, 0, 0xc3, 0x28)]) {
    const { socket, closed } = await raw(custody)
    socket.write(bytes)
    await closed
  }
  await link.removeKey({ user: 1, id: 'a', engine: '00'.repeat(64) })
})

test('SIGNER-LINK-007: an unforeseen fault is an answer, told to the signer’s own log, and the next request is answered', async () => {
  using custody = new Custody()
  const faults: unknown[] = []
  const opened = await takeDoor(custody.door)
  let isFaulty = true
  const answer = async (): Promise<Answer> => {
    if (isFaulty) throw new Error('unforeseen')
    return { ok: true }
  }
  opened.open({ answer }, (cause) => faults.push(cause))
  await using _ = opened
  using link = await openLink(custody)
  const removal = { user: 1, id: 'a', engine: '00'.repeat(64) }
  await assert.rejects(link.removeKey(removal), /FAULT/)
  assert.equal(faults.length, 1)
  isFaulty = false
  await link.removeKey(removal)
})

test('SIGNER-LINK-004: requests are answered one at a time and in order, over all connections, and too many are refused', async () => {
  using custody = new Custody()
  let working = 0
  let most = 0
  const waiting: (() => void)[] = []
  const opened = await door(custody, async () => {
    most = Math.max(most, ++working)
    await new Promise<void>((resolve) => waiting.push(resolve))
    working--
    return { ok: true }
  })
  const links = await Promise.all([raw(custody), raw(custody)])
  for (let i = 0; i < 35; i++) for (const { socket } of links) socket.write(frame(status))
  await until(() => links.reduce((sum, { answers }) => sum + answers.length, 0) === 6)
  for (let i = 0; i < 64; i++) {
    await until(() => waiting.length > 0)
    waiting.shift()?.()
  }
  await until(() => links.reduce((sum, { answers }) => sum + answers.length, 0) === 70)
  assert.equal(most, 1)
  const busy = links.flatMap(({ answers }) => answers).filter((answer) => !answer.ok)
  assert.deepEqual(
    busy,
    Array.from({ length: 6 }, () => ({ ok: false, reason: 'BUSY' })),
  )
  await opened[Symbol.asyncDispose]()
})

const isRoot = process.getuid?.() === 0

test('SIGNER-LINK-005: another user of the machine can’t reach the socket', {
  skip: !isRoot && 'only root can become another user',
}, async () => {
  using custody = new Custody()
  await using _ = await door(custody, async () => ({ ok: true }))
  assert.equal(statSync(custody.door).mode & 0o777, 0o600)
  // Another user needs a program that it may run: Node is copied to where it may.
  const place = mkdtempSync(join(tmpdir(), 'candor-other-'))
  chmodSync(place, 0o755)
  copyFileSync(process.execPath, join(place, 'node'))
  const tries = `require('node:net').connect(process.argv[1]).on('connect', () => console.log('in')).on('error', (e) => console.log(e.code)).on('connect', () => process.exit())`
  const asOther = (path: string): string =>
    spawnSync(join(place, 'node'), ['-e', tries, path], { uid: 65_534, gid: 65_534, cwd: '/', encoding: 'utf8' }).stdout.trim()
  // The folder is closed; opened by hand, the socket still is.
  assert.equal(asOther(custody.door), 'EACCES')
  for (const path of [custody.folder, custody.run]) chmodSync(path, 0o755)
  assert.equal(asOther(custody.door), 'EACCES')
  rmSync(place, { recursive: true })
})

test('SIGNER-LINK-006: a folder that its group may enter shares the socket with the group, and one that is open to all is refused', async () => {
  using custody = new Custody()
  chmodSync(custody.run, 0o750)
  {
    await using _ = await takeDoor(custody.door)
    assert.equal(statSync(custody.door).mode & 0o777, 0o660)
  }
  chmodSync(custody.run, 0o755)
  await assert.rejects(takeDoor(custody.door), /open to others/)
})

test('SIGNER-START-001: a second signer on the same socket does not start, and a socket left by a dead one is taken over', async () => {
  using custody = new Custody()
  await custody.seal()
  const options = { folder: custody.folder, door: custody.door, lock: cheapLock(passphrase) }
  {
    await using _ = await startSigner(options)
    await assert.rejects(startSigner(options), /Another signer listens/)
    using link = await openLink(custody)
    assert.equal((await link.status()).policy, 1)
  }
  const { child, said } = await startProcess(custody)
  assert.match(said(), /ready/)
  await kill(child)
  assert.ok(existsSync(custody.door))
  await using _ = await startSigner(options)
  using link = await openLink(custody)
  await assert.rejects(
    link.beat({ heartbeat: { at: 1, isMatch: true, seq: 0, head: '00'.repeat(32) }, signature: '00'.repeat(64) }),
    SignerRefused,
  )
})

test('SIGNER-START-002: the passphrase comes from a credential file, and what does not belong together does not start', async () => {
  using custody = new Custody()
  await custody.seal()
  writeFileSync(join(custody.run, 'candor-signer'), 'another passphrase', { mode: 0o600 })
  await assert.rejects(startSigner({ folder: custody.folder, door: custody.door, lock: cheapLock('another passphrase') }), /does not open/)
  chmodSync(custody.folder, 0o755)
  await assert.rejects(startSigner({ folder: custody.folder, door: custody.door, lock: cheapLock(passphrase) }), /open to others/)
  chmodSync(custody.folder, 0o700)
  custody.writePolicy(() => undefined, custody.engine)
  await assert.rejects(startSigner({ folder: custody.folder, door: custody.door, lock: cheapLock(passphrase) }), CustodyFault)
  const { child, said } = await startProcess(custody)
  assert.match(said(), /policy is refused/)
  assert.equal(child.exitCode, 1)
})
