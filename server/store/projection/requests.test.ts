import type { UserId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import type { KeptRequest } from '@candor/core/exchange/requests/kept.ts'
import { UNKNOWN } from '@candor/core/exchange/requests/entry.ts'
import { Requests } from '@candor/core/exchange/requests/requests.ts'
import { packText } from '@candor/core/protocol/codec/text.ts'
import fc from 'fast-check'
import type { Statement } from './columns.ts'
import { RequestProjection } from './requests.ts'

const limits = { retail: 8, maker: 16, all: 64, last: 2 }
const headBytes = 20

/** The values of a column's arrays, from PostgreSQL's binary form: numbers, or bytes. */
function valuesOf({ batches }: Statement, column: number): (number | Buffer)[] {
  return batches.flatMap((values) => {
    const bytes = values[column] as Buffer
    const read: (number | Buffer)[] = []
    for (let at = headBytes; at < bytes.length; ) {
      const length = bytes.readInt32BE(at)
      const value = bytes.subarray(at + 4, at + 4 + length)
      read.push(length === 8 && column < 3 ? Number(value.readBigInt64BE(0)) : Buffer.from(value))
      at += 4 + length
    }
    return read
  })
}

/** A core that has requests and nothing else, and the follower's tables. */
class World {
  readonly #makers = new Set<number>()
  readonly #core = new Requests(
    () => false,
    (user) => this.#makers.has(user),
    limits,
  )
  readonly #slots = new Float64Array(8)
  readonly #kept = new Map<string, readonly [user: number, name: string]>()
  readonly rows = new Set<string>()
  readonly #users = new Set<UserId>()
  #seq = 0
  #projection = this.#follow()

  send(user: number, name: string): void {
    this.#seq++
    packText(name, this.#slots, 0, 6)
    if (this.#core.meet(user as UserId, this.#slots, 0, 11, 6, 8) !== UNKNOWN) return
    const { idLow, idHigh } = this.#core.hashes(user as UserId, this.#slots, 0, 11, 6, 8)
    this.#core.keep(this.#seq, 0)
    this.#kept.set(`${user} ${idLow} ${idHigh}`, [user, name])
  }

  setMaker(user: number, isMaker: boolean): void {
    if (isMaker) this.#makers.add(user)
    else this.#makers.delete(user)
  }

  write(): void {
    for (const statement of this.#projection.take()) {
      if (statement?.text.startsWith('insert into request_blocks') === true) {
        const ids = valuesOf(statement, 3) as Buffer[]
        for (const [row, user] of valuesOf(statement, 0).entries()) {
          for (let at = 0; at < ids[row]!.length; at += 8) {
            this.rows.add(`${user} ${ids[row]!.readInt32BE(at)} ${ids[row]!.readInt32BE(at + 4)}`)
          }
        }
      } else if (statement !== undefined) for (const user of valuesOf(statement, 0)) this.#users.add(user as UserId)
    }
  }

  /** The follower restarts from the contents of its tables. */
  restart(): void {
    this.write()
    this.#projection = this.#follow()
  }

  /** Ids that neither the core nor the tables have any more. */
  lost(): readonly string[] {
    return [...this.#kept].flatMap(([key, [user, name]]) => {
      packText(name, this.#slots, 0, 6)
      return this.#core.find(user as UserId, this.#slots, 0) === UNKNOWN && !this.rows.has(key) ? [`${user} ${name}`] : []
    })
  }

  #follow(): RequestProjection {
    const projection = new RequestProjection(0 as Millis, this.#users)
    const core = this.#core
    projection.follow({
      seq: this.#seq,
      atMs: 1 as Millis,
      requestRoom: (user) => core.room(user),
      requests: (users) => core.all(users),
      watchRequests: (watch: (request: KeptRequest) => void) => core.watch(watch),
    })
    return projection
  }
}

test('SPOT-ONCE-007: requests that the core forgets are in the tables, for any amount and class of users', () => {
  const step = fc.record({
    user: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 20 })),
    name: fc.nat(200),
    becomes: fc.option(fc.boolean(), { freq: 10 }),
    restarts: fc.nat(60).map((n) => n === 0),
  })
  fc.assert(
    fc.property(fc.array(step, { minLength: 50, maxLength: 600, size: 'max' }), (steps) => {
      const world = new World()
      for (const [n, { user, name, becomes, restarts }] of steps.entries()) {
        if (becomes !== null) world.setMaker(user, becomes)
        world.send(user, `id-${name}`)
        if (n % 5 === 0) world.write()
        if (restarts) world.restart()
      }
      world.write()
      assert.deepEqual(world.lost(), [])
    }),
    { numRuns: 200, endOnFailure: true },
  )
})

test('SPOT-ONCE-008: nothing is recorded for users who stay below half of their ring', () => {
  const world = new World()
  for (let user = 1; user <= 6; user++) for (let n = 0; n < 3; n++) world.send(user, `id-${n}`)
  world.write()
  assert.equal(world.rows.size, 0)
})

test('SPOT-ONCE-007: one walk finds the requests of all who reach half of their ring at about the same time', () => {
  const [users, half] = [200, 50]
  const core = new Requests(
    () => false,
    () => false,
    { retail: 2 * half, maker: 4 * half, all: 1_000_000, last: 2 },
  )
  const slots = new Float64Array(8)
  const projection = new RequestProjection(0 as Millis)
  let walks = 0
  projection.follow({
    seq: 1,
    atMs: 1 as Millis,
    requestRoom: (user) => core.room(user),
    requests: (joining) => {
      walks++
      return core.all(joining)
    },
    watchRequests: (watch: (request: KeptRequest) => void) => core.watch(watch),
  })
  for (let n = 0; n < half + 2; n++) {
    for (let user = 1; user <= users; user++) {
      packText(`id-${user}-${n}`, slots, 0, 6)
      core.meet(user as UserId, slots, 0, 11, 6, 8)
      core.keep(1, 0)
    }
  }
  assert.equal(walks, 0)
  assert.ok(projection.size > users, 'a part that contains them is a large one')
  const rows = projection.take().find((statement) => statement?.text.startsWith('insert into request_blocks') === true)!
  const ids = valuesOf(rows, 3).map((block) => (block as Buffer).length / 8)
  assert.deepEqual([walks, ids], [1, Array.from({ length: users }, () => half + 2)])
})

test('SPOT-ONCE-007: when rings become crowded, everybody’s requests are recorded in time, without walks', () => {
  const all = 200_000
  const each = 40
  const core = new Requests(
    () => false,
    () => false,
    { retail: 100, maker: 200 as UserId, all, last: 2 },
  )
  const slots = new Float64Array(8)
  const projection = new RequestProjection(0 as Millis)
  let walks = 0
  projection.follow({
    seq: 1,
    atMs: 1 as Millis,
    requestRoom: (user) => core.room(user),
    requests: (users) => {
      if (users !== undefined) walks++
      return core.all(users)
    },
    watchRequests: (watch: (request: KeptRequest) => void) => core.watch(watch),
  })
  const written = new Set<number>()
  const write = (): void => {
    for (const statement of projection.take()) {
      if (statement?.text.startsWith('insert into request_blocks') !== true) continue
      for (const outcomes of valuesOf(statement, 4) as Buffer[]) {
        for (let at = 0; at < outcomes.length; at += 20) written.add(outcomes.readUInt32BE(at + 12))
      }
    }
  }
  let number = 0
  const name = (user: number, n: number): void => void packText(`id-${user}-${n}`, slots, 0, 6)
  const send = (user: number, n: number): void => {
    name(user, n)
    core.meet(user as UserId, slots, 0, 11, 6, 8)
    core.keep(++number, 0)
    // The follower does the same while it catches up.
    if (projection.size >= 20_000) write()
  }
  const users = all / each
  for (let n = 0; n < each + 4; n++) for (let user = 1; user <= users; user++) send(user, n)
  write()
  let lost = 0
  number = 0
  for (let n = 0; n < each + 4; n++) {
    for (let user = 1; user <= users; user++) {
      name(user, n)
      if (!written.has(++number) && core.find(user as UserId, slots, 0) === UNKNOWN) lost++
    }
  }
  assert.deepEqual([walks, lost], [0, 0])
})
