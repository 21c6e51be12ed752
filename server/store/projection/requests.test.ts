import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeptRequest } from '@candor/core/exchange/request-kept.ts'
import { Requests, UNKNOWN } from '@candor/core/exchange/requests.ts'
import { packText } from '@candor/core/protocol/codec/text.ts'
import fc from 'fast-check'
import type { Statement } from './columns.ts'
import { RequestProjection } from './requests.ts'

const limits = { retail: 8, maker: 16, all: 64, last: 2 }
const headBytes = 20

/** The numbers of the first columns, row by row, from PostgreSQL's binary form of arrays. */
function rowsOf({ batches }: Statement, columns: number): number[][] {
  return batches.flatMap((values) => {
    const read = values.slice(0, columns).map((array) => {
      const bytes = array as Buffer
      const numbers: number[] = []
      for (let at = headBytes; at < bytes.length; ) {
        const length = bytes.readInt32BE(at)
        numbers.push(length === 4 ? bytes.readInt32BE(at + 4) : Number(bytes.readBigInt64BE(at + 4)))
        at += 4 + length
      }
      return numbers
    })
    return read[0]!.map((_, row) => read.map((column) => column[row]!))
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
  readonly #users = new Set<number>()
  #seq = 0
  #projection = this.#follow()

  send(user: number, name: string): void {
    this.#seq++
    packText(name, this.#slots, 0, 6)
    if (this.#core.meet(user, this.#slots, 0, 11, 6, 8) !== UNKNOWN) return
    const { idLow, idHigh } = this.#core.hashes(user, this.#slots, 0, 11, 6, 8)
    this.#core.keep(this.#seq, 0)
    this.#kept.set(`${user} ${idLow} ${idHigh}`, [user, name])
  }

  setMaker(user: number, isMaker: boolean): void {
    if (isMaker) this.#makers.add(user)
    else this.#makers.delete(user)
  }

  write(): void {
    for (const statement of this.#projection.take()) {
      if (statement?.text.startsWith('insert into request_ids') === true) {
        for (const row of rowsOf(statement, 3)) this.rows.add(row.join(' '))
      } else if (statement !== undefined) for (const [user] of rowsOf(statement, 1)) this.#users.add(user!)
    }
  }

  /** The follower starts anew with what its tables say. */
  restart(): void {
    this.write()
    this.#projection = this.#follow()
  }

  /** Ids that neither the core nor the tables know any more. */
  lost(): readonly string[] {
    return [...this.#kept].flatMap(([key, [user, name]]) => {
      packText(name, this.#slots, 0, 6)
      return this.#core.find(user, this.#slots, 0) === UNKNOWN && !this.rows.has(key) ? [`${user} ${name}`] : []
    })
  }

  #follow(): RequestProjection {
    const projection = new RequestProjection(0, this.#users)
    const core = this.#core
    projection.follow({
      seq: this.#seq,
      atMs: 1 as never,
      requestRoom: (user) => core.room(user),
      requests: (user) => core.all(user),
      watchRequests: (watch: (request: KeptRequest) => void) => core.watch(watch),
    })
    return projection
  }
}

test('SPOT-ONCE-007: what the core forgets stands in the tables, whoever sends how much and whatever class they have', () => {
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

test('SPOT-ONCE-008: of users who stay below half of their ring nothing is written down', () => {
  const world = new World()
  for (let user = 1; user <= 6; user++) for (let n = 0; n < 3; n++) world.send(user, `id-${n}`)
  world.write()
  assert.equal(world.rows.size, 0)
})
