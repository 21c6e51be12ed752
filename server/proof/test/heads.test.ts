import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { headLeaf, readHeadText } from '@candor/core/proof/head.ts'
import { areEqual, pathPlaces, rootOfPath, rootOfSubtrees, subtreesOf } from '@candor/core/proof/merkle.ts'
import { fromHex, toHex } from '@candor/core/proof/sha256.ts'
import { Sequencer } from '../../engine/sequencer.ts'
import { chain, emptyHead, type Head } from '../../journal/row.ts'
import type { Store } from '../../store/open.ts'
import { headKeys, headsFrom, treeNodes } from '../../store/query/proof/heads.ts'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { headKeyFile } from '../head-key.ts'
import { HeadMaker } from '../head-maker.ts'
import { rotateHeadKey } from '../rotate-key.ts'
import { compareHeads } from '../../journal/audit-heads.ts'

let scratch: ScratchServer
let store: Store
let folder: string
let now = 0
let end: Head = emptyHead
before(async () => {
  scratch = await startScratchServer()
})
after(() => scratch[Symbol.asyncDispose]())
beforeEach(async () => {
  store = await scratch.store()
  folder = mkdtempSync(join(tmpdir(), 'candor-heads-'))
  ;[now, end] = [1_790_000_000_000, emptyHead]
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const maker = (): HeadMaker => new HeadMaker({ pool: store.pool, keyFile: headKeyFile(folder), clock: () => now })

/** A row of the journal, as the engine appends them. */
async function append(): Promise<void> {
  const batch = { seq: end.seq + 3, n: 3, firstAt: now, coreVersion: 1, eventsDigest: Buffer.alloc(32), payload: Buffer.from([end.seq]) }
  const row = chain(end, 1, batch)
  await store.pool.query(
    `insert into journal (seq, epoch, n, first_at, core_version, prev_hash, hash, events_digest, payload) values ($1, 1, 3, $2, 1, $3, $4, $5, $6)`,
    [row.seq, now, row.prevHash, row.hash, row.eventsDigest, row.payload],
  )
  await store.pool.query('update projection set seq = $1', [row.seq])
  end = row
}

/** Makes this many heads, a minute apart. */
async function make(count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await append()
    assert.notEqual(await maker().turn(), undefined)
    now += 60_000
  }
}

test('PROOF-HEAD-004: in each minute one head is made, however many processes try; none for an empty journal', async () => {
  assert.equal(await maker().turn(), undefined)
  await append()
  const made = await Promise.all(Array.from({ length: 8 }, () => maker().turn()))
  // Whoever comes first makes it; the others find it or the lock.
  assert.equal(made.filter((one) => one !== undefined).length, 1)
  now += 59_000 - (now % 60_000)
  assert.equal(await maker().turn(), undefined)
  now += 1_000
  const next = await maker().turn()
  assert.deepEqual([next?.n, next?.seq, next?.at, next?.epoch, next?.hash], [2, 3, now, 1, toHex(end.hash)])
  assert.equal((await headsFrom(store.pool, 1, 10)).length, 2)
})

test('PROOF-HEAD-004: every head carries the root of those before it, is signed, and each path leads to a later root', async () => {
  await make(21)
  const [key] = await headKeys(store.pool)
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key!.publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  })
  const heads = await headsFrom(store.pool, 1, 100)
  const leaves = heads.map(({ text }) => headLeaf(text))
  const slow = (from: number, to: number): Uint8Array => {
    if (to - from === 1) return leaves[from]!
    let half = 1
    while (half * 2 < to - from) half *= 2
    return rootOfSubtrees([slow(from, from + half), slow(from + half, to)])
  }
  for (const [index, { text, signature }] of heads.entries()) {
    assert.ok(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'hex')))
    const head = readHeadText(text)!
    assert.equal(head.log, toHex(index === 0 ? rootOfSubtrees([]) : slow(0, index)))
    assert.equal(toHex(rootOfSubtrees(await treeNodes(store.pool, subtreesOf(index)))), head.log)
    for (let n = 0; n < index; n++) {
      const steps = await Promise.all(pathPlaces(n, index).map(async (step) => rootOfSubtrees(await treeNodes(store.pool, step))))
      assert.ok(areEqual(rootOfPath(leaves[n]!, n, index, steps)!, fromHex(head.log)!))
    }
  }
})

test('PROOF-HEAD-005: the key is drawn once; with a missing, readable, broken or other key no head is made', async () => {
  await make(1)
  const path = headKeyFile(folder)
  const kept = readFileSync(path)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const fails = (why: RegExp): Promise<void> => append().then(() => assert.rejects(maker().turn(), why))
  rmSync(path)
  await fails(/no such file/)
  const pem = (kind: 'ed25519' | 'x25519'): string => {
    const pair = kind === 'ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')
    return pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  }
  writeFileSync(path, pem('ed25519'), { mode: 0o600 })
  await fails(/is not key 1/)
  writeFileSync(path, pem('x25519'))
  await fails(/is no Ed25519 key/)
  writeFileSync(path, 'no key\n')
  await fails(/./)
  writeFileSync(path, kept)
  chmodSync(path, 0o644)
  await fails(/mode must be 600/)
  chmodSync(path, 0o600)
  assert.equal((await maker().turn())?.n, 2)
})

test('PROOF-HEAD-013: when two processes draw the first key at the same time, only the one in the table signs', async () => {
  await append()
  const folders = ['one', 'two'].map((name) => join(folder, name))
  const makers = folders.map((at) => new HeadMaker({ pool: racing(store.pool), keyFile: headKeyFile(at), clock: () => now }))
  await Promise.allSettled(makers.map((one) => one.turn()))
  now += 60_000
  await append()
  const turns = await Promise.allSettled(makers.map((one) => one.turn()))
  assert.deepEqual(turns.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  assert.match(String(turns.find((one) => one.status === 'rejected')?.reason), /is not key 1/)
  assert.deepEqual(await compareHeads(store.pool), [])
})

/** Lets two processes see that there is no key before one of them writes its own. */
function racing(pool: Store['pool']): Store['pool'] {
  const asked = Promise.withResolvers<void>()
  waiting.push(asked.resolve)
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  return new Proxy(pool, {
    get: (target, name) => {
      if (name !== 'query') return Reflect.get(target, name).bind?.(target) ?? Reflect.get(target, name)
      return async (...args: unknown[]) => {
        if (String(args[0]).startsWith('insert into proof_keys')) {
          arrived += 1
          if (arrived === waiting.length) for (const go of waiting) go()
          await asked.promise
        }
        return query(...args)
      }
    },
  })
}
const waiting: (() => void)[] = []
let arrived = 0

test('PROOF-HEAD-006: no head is made while the journal ends before the last one', async () => {
  await make(2)
  await store.pool.query('delete from journal where seq = $1', [end.seq])
  await assert.rejects(maker().turn(), /the journal ends at 3, and head 2 covers 6/)
  assert.equal((await headsFrom(store.pool, 1, 10)).length, 2)
})

test('PROOF-HEAD-009: another key is announced with the present one, also when the change was interrupted; heads and their audit go on', async () => {
  const path = headKeyFile(folder)
  const rotate = () => rotateHeadKey(store.pool, path)
  await assert.rejects(rotate(), /no key for heads yet/)
  await make(2)
  const first = readFileSync(path)
  const second = await rotate()
  assert.deepEqual([second.key, readFileSync(path).equals(first)], [2, false])
  await make(2)
  // As if the process had died after the key was announced, and before it took its place.
  const old = readFileSync(path)
  const third = await rotate()
  copyFileSync(path, `${path}.next`)
  writeFileSync(path, old)
  await append()
  await assert.rejects(maker().turn(), /is not key 3/)
  assert.deepEqual(await rotate(), third)
  // As if it had died before it was announced.
  writeFileSync(`${path}.next`, first, { mode: 0o600 })
  assert.equal((await rotate()).key, 4)
  await make(1)
  assert.deepEqual(
    (await headsFrom(store.pool, 1, 10)).map(({ text }) => readHeadText(text)?.key),
    [1, 1, 2, 2, 4],
  )
  assert.deepEqual(await compareHeads(store.pool), [])
  await store.pool.query(`update proof_keys set signature = translate(signature, '01', '10') where key = 3`)
  assert.deepEqual(await compareHeads(store.pool), ['The list of keys that sign heads has a key 3 that the one before did not announce'])
  writeFileSync(path, first)
  await assert.rejects(rotate(), /is not key 4/)
})

test('PROOF-HEAD-014: a clock that jumps by a year moves the time of a head by seconds, and one that is set right brings it back', async () => {
  let steady = 0
  let jump = 0
  const clock = new Sequencer(0, { wall: () => now + jump, steady: () => steady })
  const one = new HeadMaker({ pool: store.pool, keyFile: headKeyFile(folder), clock: () => clock.now(), steady: () => steady })
  const pass = (ms: number): void => void ([now, steady] = [now + ms, steady + ms])
  await append()
  assert.equal((await one.turn())?.at, now)
  jump = 365 * 86_400_000
  for (let minute = 0; minute < 3; minute++) {
    pass(60_000)
    await append()
    const head = await one.turn()
    assert.ok(head !== undefined && head.at >= now && head.at - now <= 60_000 * 0.02 * (minute + 1), `${head?.at}, ${now}`)
  }
  jump = 0
  for (let minute = 0; minute < 5; minute++) {
    pass(60_000)
    await append()
    assert.notEqual(await one.turn(), undefined)
  }
  assert.equal((await headsFrom(store.pool, 9, 1))[0]!.at, now)
})

test('PROOF-HEAD-015: behind a head that is a year later than the clock, heads go on each minute, until the clock is there', async () => {
  await make(1)
  const [first] = await headsFrom(store.pool, 1, 1)
  now -= 365 * 86_400_000
  let steady = 0
  const told: number[] = []
  const parts = { pool: store.pool, keyFile: headKeyFile(folder), clock: () => now, steady: () => steady }
  const one = new HeadMaker({ ...parts, onAhead: (ms) => told.push(ms) })
  for (let minute = 1; minute <= 3; minute++) {
    await append()
    const head = await one.turn()
    assert.deepEqual([head?.n, head?.at, head?.seq], [minute + 1, first!.at + minute, end.seq])
    assert.equal(await one.turn(), undefined)
    ;[now, steady] = [now + 60_000, steady + 60_000]
  }
  assert.deepEqual(told, [365 * 86_400_000 - 60_000])
  now = first!.at + 120_000
  await append()
  assert.deepEqual([(await one.turn())?.at, told.length], [now, 1])
  const client = await store.pool.connect()
  try {
    assert.deepEqual(await compareHeads(client), [])
  } finally {
    client.release()
  }
})
