/** The small parts of the engine and of its links, each on its own. */
import { Exchange } from '@candor/core/exchange/exchange.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { MarketId, UserId } from '@candor/core/protocol/ids.ts'
import { commandOf } from '@candor/core/protocol/test/literals.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Row } from '../../journal/row.ts'
import { StoreFault } from '../../store/fault.ts'
import { DecidedBatch, type ReleasedBatch, type Sink } from '../batch.ts'
import { Condition } from '../condition.ts'
import type { Engine } from '../engine.ts'
import * as frames from '../frames.ts'
import { type FrameType, FrameReader, frameTypes } from '../frames.ts'
import { ReceivedBatch } from '../outcomes.ts'
import { answerQuestion, makeAsk, type Question, questionNames } from '../questions.ts'
import { RecentBatches } from '../recent.ts'
import { Releases } from '../releases.ts'

test('a frame has the length and type of its body before it, and its parts in order', () => {
  const [one, two] = [Uint8Array.of(0, 1, 2).subarray(1), Uint8Array.of(3)]
  assert.deepEqual([...frames.frame(frameTypes.ask, one, two)], [3, 0, 0, 0, 3, 0, 0, 0, 1, 2, 3])
  assert.deepEqual([...frames.frame(frameTypes.head)], [0, 0, 0, 0, 9, 0, 0, 0])
  assert.deepEqual([...frames.frameHead(frameTypes.ask, 700, two)], [188, 2, 0, 0, 3, 0, 0, 0, 3])
  const json = frames.jsonFrame(frameTypes.answer, { a: 'ü' })
  assert.deepEqual(frames.parseJson(json.subarray(8)), { a: 'ü' })
})

test('numbers in a frame are copies, wherever they lie in it', () => {
  const slots = new Float64Array([9, 1.5, -2]).subarray(1)
  const numbers = Uint32Array.of(7, 8)
  assert.equal(frames.bytesOf(slots).length, 16)
  for (let shift = 0; shift < 9; shift++) {
    const buffer = Buffer.concat([Buffer.alloc(shift), frames.bytesOf(slots), frames.bytesOf(numbers)])
    const read = frames.slotsOf(buffer.subarray(shift, shift + 16))
    const small = frames.numbersOf(buffer.subarray(shift + 16))
    buffer.fill(0)
    assert.deepEqual([read, small], [Float64Array.of(1.5, -2), numbers])
  }
})

test('a byte stream is cut into the same frames wherever it is broken', () => {
  const sent = [Buffer.from('one'), Buffer.alloc(0), Buffer.from('four'), Buffer.alloc(40, 5)]
  const types = [frameTypes.ask, frameTypes.head, frameTypes.state, frameTypes.submit]
  const stream = Buffer.concat(sent.map((body, at) => frames.frame(types[at]!, body)))
  const told = sent.map((body, at) => [types[at], body.toString('hex')])
  for (let size = 1; size <= stream.length; size++) {
    const heard: unknown[] = []
    const reader = new FrameReader((type, body) => heard.push([type, body.toString('hex')]))
    for (let at = 0; at < stream.length; at += size) reader.push(stream.subarray(at, at + size))
    assert.deepEqual(heard, told, `in pieces of ${size}`)
  }
  const early: FrameType[] = []
  const reader = new FrameReader((type) => early.push(type))
  reader.push(stream.subarray(0, 11))
  assert.deepEqual(early, [frameTypes.ask], 'a frame that is complete does not wait for the next')
})

test('a frame beyond 256 MiB is refused, and one of that size is awaited', () => {
  const head = (bytes: number): Buffer => frames.frameHead(frameTypes.submit, bytes)
  const reader = new FrameReader(() => assert.fail('no frame is complete'))
  reader.push(head(2 ** 28))
  reader.push(Buffer.alloc(100))
  assert.throws(() => new FrameReader(() => undefined).push(head(2 ** 28 + 1)), StoreFault)
})

/** The events of commands, one after another, and the slot at which each begins and ends. */
function decided(...commands: readonly Command[]): { readonly events: Records; readonly places: readonly (readonly [number, number])[] } {
  const exchange = Exchange.create()
  const [slots, events] = [new Records(), new Records()]
  const places = commands.map((command, at) => {
    const [from, place] = [events.length, slots.length]
    encodeCommand(command, { seq: at + 1, at: 1_000 + at, keyId: 0 }, slots)
    exchange.execute(slots.data, place, events)
    return [from, events.length] as const
  })
  return { events, places }
}
const list = (symbol: string): Command => commandOf({ type: 'asset.list', symbol, scale: 6 })
const spend = commandOf({ type: 'funds.faucet', user: 5, clientId: 'x', asset: 1, amount: 1 })

test('ENGINE-ACK-001: an outcome has the result and exactly the events of its own command', () => {
  const { events, places } = decided(list('USDT'), spend, list('USDT'))
  const all = events.data.slice(0, events.length)
  const moved = new Float64Array(all.length + 3)
  moved.set(all, 3)
  const batch = new ReceivedBatch(1, 3, moved, 3)
  assert.deepEqual([batch.firstSeq, batch.lastSeq], [1, 3])
  assert.deepEqual(batch.events, decodeEvents(all, 0, all.length))
  assert.equal(batch.events, batch.events, 'decoded once')
  const outcomes = places.map(([from, to]) => batch.outcome(from, to))
  for (const [n, { seq, at, events: own }] of outcomes.entries()) {
    assert.deepEqual([seq, at], [n + 1, 1_000 + n])
    assert.deepEqual(own, decodeEvents(all, ...places[n]!))
    assert.equal(outcomes[n]!.events, own)
    const last = own.at(-1)!
    assert.ok(last.type === 'outcome')
    const { user, order, refusal, isRepeat } = outcomes[n]!
    assert.deepEqual([user, order, refusal, isRepeat], [last.user, last.order, last.refusal, last.isRepeat])
  }
  assert.equal(outcomes[1]!.refusal, 'USER_UNKNOWN')
})

class Heard implements Sink {
  readonly told: unknown[] = []
  wantsAll: boolean
  constructor(wantsAll: boolean) {
    this.wantsAll = wantsAll
  }
  release({ firstSeq, lastSeq, events }: ReleasedBatch, own: readonly number[]): void {
    this.told.push([firstSeq, lastSeq, [...events], own])
  }
  advanced(seq: number): void {
    this.told.push(seq)
  }
  refuse(): void {
    assert.fail('nothing is refused')
  }
}

test('ENGINE-ACK-001: a durable batch goes to its callers and to followers, and answers its questions', async () => {
  const recent = new RecentBatches(100)
  const releases = new Releases(recent)
  const [caller, follower, other, gone] = [new Heard(false), new Heard(true), new Heard(false), new Heard(true)]
  for (const sink of [caller, follower, other, gone]) releases.attach(sink)
  releases.detach(gone)
  const batch = new DecidedBatch()
  batch.events.append(Float64Array.of(7, 8), 0, 2)
  Object.assign(batch, { firstSeq: 4, lastSeq: 5, count: 2 })
  batch.ownOf(caller).push(1, 0, 2)
  const asked = new Promise<void>((resolve, reject) => batch.waiting.push({ resolve, reject }))
  releases.release(batch)
  await asked
  assert.deepEqual(caller.told, [[4, 5, [7, 8], [1, 0, 2]], 5])
  assert.deepEqual(follower.told, [[4, 5, [7, 8], []], 5])
  assert.deepEqual(other.told, [5])
  assert.deepEqual(gone.told, [])
  assert.deepEqual(recent.since(3), [{ firstSeq: 4, lastSeq: 5, events: Float64Array.of(7, 8) }])
})

test('ENGINE-OUTAGE-002: a replayed row is released to followers once, unless it was released before', () => {
  const recent = new RecentBatches(100)
  const releases = new Releases(recent)
  const [follower, other] = [new Heard(true), new Heard(false)]
  for (const sink of [follower, other]) releases.attach(sink)
  const events = new Records()
  events.append(Float64Array.of(7, 8), 0, 2)
  const replay = (seq: number): void => releases.releaseReplayed({ seq, n: 2 } as Row, events)
  releases.continueAfter(4)
  for (const seq of [2, 4, 6, 6]) replay(seq)
  events.data[0] = 0
  assert.deepEqual(follower.told, [[5, 6, [7, 8], []], 6])
  assert.deepEqual(other.told, [6])
  assert.deepEqual(recent.since(4), [{ firstSeq: 5, lastSeq: 6, events: Float64Array.of(7, 8) }])
  const batch = new DecidedBatch()
  Object.assign(batch, { firstSeq: 7, lastSeq: 8 })
  releases.release(batch)
  replay(8)
  assert.equal(recent.since(6)!.length, 1)
})

test('ENGINE-HALT-001: listeners hear each change of the state once; a halted engine stays halted', () => {
  const condition = new Condition()
  assert.deepEqual([condition.state, condition.reason, condition.isDiskFull], ['down', 'starting', false])
  const heard: string[] = []
  const hear = (state: string): number => heard.push(state)
  condition.on(hear)
  condition.set('down', 'another reason')
  assert.deepEqual([condition.reason, heard], ['another reason', []])
  condition.setUp('recovered')
  assert.deepEqual([condition.state, condition.reason], ['up', 'recovered'])
  condition.isDiskFull = true
  condition.setUp('recovered again')
  assert.deepEqual([condition.state, condition.reason], ['full', 'the disk is nearly full'])
  condition.off(hear)
  condition.set('down', 'gone')
  condition.on(hear)
  condition.set('halted', 'broken')
  condition.set('up', 'never')
  assert.deepEqual([condition.state, condition.reason], ['halted', 'broken'])
  assert.deepEqual(heard, ['up', 'full', 'halted'])
})

test('every question reads the exchange with its own arguments', async () => {
  const read: unknown[] = []
  const exchange = new Proxy({ seq: 9, mode: undefined } as object, {
    get: (of, name) =>
      name in of
        ? Reflect.get(of, name)
        : (...args: unknown[]) => (read.push([name, ...args]), name === 'requestRoom' ? { ring: 1 } : name),
  }) as Exchange
  const engine = { ask: async <T>(question: (exchange: Exchange) => T) => question(exchange) } as unknown as Engine
  const special = new Set([
    ...['mode', 'seq', 'head', 'ordersAt', 'requestRoom', 'chainStanding', 'withdrawals', 'withdrawTerms', 'chainFlows'],
    ...[
      'convertTerms',
      'convertStanding',
      'convertInventory',
      'referralTerms',
      'referralStanding',
      'presales',
      'presaleTokens',
      'firmStanding',
      'presaleSubscriptions',
    ],
  ])
  for (const name of questionNames.filter((each) => !special.has(each))) {
    assert.equal(await answerQuestion(engine, { name, args: [5, 6] }), name)
    const [method, ...args] = read.pop() as unknown[]
    assert.equal(method, name)
    assert.deepEqual(args, [5, 6].slice(0, args.length))
    assert.equal(args.length, /^(balances|tier|perpAccount|claims|optionMe|openOptions|book)$/.test(name) ? 1 : args.length)
    if (/^(openOrders|marginAccounts)$/.test(name)) assert.equal(args.length, 2)
  }
  const answer = (name: Question['name']): Promise<unknown> => answerQuestion(engine, { name, args: [5] })
  assert.deepEqual([await answer('mode'), await answer('seq')], [null, 9])
  assert.deepEqual(await answer('ordersAt'), { seq: 9, orders: 'openOrders' })
  assert.deepEqual(await answer('requestRoom'), { seq: 9, ring: 1 })
  assert.deepEqual(read, [
    ['openOrders', 5],
    ['requestRoom', 5],
  ])
  const real = Exchange.create()
  const about = { ask: async <T>(question: (exchange: Exchange) => T) => question(real) } as unknown as Engine
  assert.deepEqual(await answerQuestion(about, { name: 'head', args: [] }), { seq: 0, hash: real.hash() })
  assert.deepEqual(await answerQuestion(about, { name: 'chainStanding', args: [5] }), real.chain.standing(5 as UserId))
  assert.deepEqual(await answerQuestion(about, { name: 'convertStanding', args: [5] }), real.convert.standing(5 as UserId))
  assert.deepEqual(await answerQuestion(about, { name: 'referralStanding', args: [5] }), real.referral.standing(5 as UserId))
  assert.deepEqual(await answerQuestion(about, { name: 'firmStanding', args: [5] }), real.firm.standing(5 as UserId))
  for (const name of ['presaleTokens', 'presaleSubscriptions'] as const) assert.equal(await answerQuestion(about, { name, args: [5] }), 0)
  for (const name of ['convertTerms', 'referralTerms'] as const) assert.equal(await answerQuestion(about, { name, args: [] }), null)
  for (const name of ['withdrawals', 'withdrawTerms', 'chainFlows', 'convertInventory', 'presales'] as const)
    assert.deepEqual(await answerQuestion(about, { name, args: [] }), [])
})

test('a question is carried with its name and the arguments that were given', async () => {
  const carried: Question[] = []
  const ask = makeAsk(async (question) => carried.push(question))
  await ask.balances(3 as UserId)
  await ask.openOrders(3 as UserId, undefined)
  await ask.openOrders(3 as UserId, 0 as MarketId)
  assert.deepEqual(carried, [
    { name: 'balances', args: [3] },
    { name: 'openOrders', args: [3] },
    { name: 'openOrders', args: [3, 0] },
  ])
  assert.deepEqual(Object.keys(ask), questionNames)
})
