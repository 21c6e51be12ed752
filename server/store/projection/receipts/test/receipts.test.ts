import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Millis } from '@candor/core/money/brand.ts'
import { readReceiptText } from '@candor/core/proof/receipt.ts'
import { decodeEvents, eventCodes } from '@candor/core/protocol/codec/event.ts'
import { encodeCommand } from '@candor/core/protocol/codec/command.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import { commandCases } from '@candor/core/protocol/codec/test/all-commands.ts'
import { eventCases } from '@candor/core/protocol/codec/test/all-events.ts'
import type { Command } from '@candor/core/protocol/command/index.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import type { Asset, Market } from '@candor/core/protocol/market.ts'
import fc from 'fast-check'
import { Known } from '../../known.ts'
import { commandFacts } from '../commands.ts'
import { eventTellings } from '../events.ts'
import { ReceiptProjection } from '../receipts.ts'

/** Names of everything that the events of the codec's tests name. */
function namedByNumber(): Known {
  const known = new Known()
  for (const [id, symbol] of ['', 'USDT', 'BTC', 'ETH', 'SOL', 'XRP', 'ADA', 'DOT', 'LTC', 'BCH', 'UNI'].entries())
    if (id > 0) known.addAsset({ id, symbol, scale: 6 } as Asset)
  for (let id = 1; id <= 20; id++)
    known.addMarket({ id, symbol: `MARKET${id}`, base: 2, quote: 1, tick: '0.1', lot: '0.001', terms: {} } as Market)
  return known
}

type Row = { readonly user: number; readonly lines: string }

/** Lines of the rows that a projection would write, by user. */
class Collected extends ReceiptProjection {
  rows(): readonly Row[] {
    const [statement] = this.take()
    return (statement?.batches ?? []).flatMap(([, users, , lines]) => {
      const texts = elementsOf(lines as Buffer).map((bytes) => bytes.toString())
      return elementsOf(users as Buffer).map((bytes, n) => ({ user: Number(bytes.readBigInt64BE()), lines: texts[n]! }))
    })
  }
}

/** Elements of an array in PostgreSQL's binary form. */
function elementsOf(array: Buffer): readonly Buffer[] {
  const found: Buffer[] = []
  for (let at = 20; at < array.length; ) {
    const length = array.readInt32BE(at)
    found.push(array.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return found
}

const at = 1_790_000_000_000 as Millis
const collected = (house: readonly UserId[] = []): Collected => new Collected(namedByNumber(), { house, after: 0 as Seq })
const outcomeOf = (seq: number, more: object = {}): Event =>
  ({ type: 'outcome', seq, at, user: 0, order: 0, refusal: undefined, isRepeat: false, ...more }) as Event
const textOf = (lines: string): string => `candor receipt 1\nseq 1\nat 1\nuser 123456789\n${lines}`

const userFields = ['user', 'makerUser', 'takerUser', 'inviter', 'invitee', 'main', 'bankruptUser', 'referrer']
const staffFields = ['first', 'second', 'proposer', 'approver']
const sideFields = ['makerOrder', 'takerOrder']

/** The event with each person's number, and each order that may be another's, replaced by one that is found in a text. */
function marked(event: object, marks: Map<string, number>): object {
  return Object.fromEntries(
    Object.entries(event).map(([field, value]) => {
      if (typeof value === 'number' && [...userFields, ...staffFields, ...sideFields].includes(field)) {
        const mark = 900_000_001 + 7919 * marks.size
        marks.set(field, mark)
        return [field, mark]
      }
      return [field, typeof value === 'object' && value !== null && !Array.isArray(value) ? marked(value, marks) : value]
    }),
  )
}

test('PROOF-RECEIPT-004: every event is given to the customers whose it is, or named as public or as the house’s; nobody’s number or order is in it', () => {
  for (const type of Object.keys(eventCodes) as Event['type'][]) {
    const records = new Records(1)
    eventCases[type].put(records)
    const marks = new Map<string, number>()
    const event = marked(decodeEvents(records.data, 0, records.length)[0]!, marks) as Event
    const projection = collected()
    projection.applyCommand(type === 'outcome' ? [event] : [event, outcomeOf(1)], 1 as Seq, at, undefined)
    const rows = projection.rows()
    const isGiven = typeof eventTellings[type] !== 'string'
    assert.equal(rows.length > 0, isGiven, type)
    for (const { user, lines } of rows) {
      assert.ok(readReceiptText(textOf(lines)) !== undefined, `${type}: ${lines}`)
      const own = userFields.filter((field) => marks.get(field) === user)
      assert.ok(own.length > 0, `${type} is given to ${user}`)
      for (const [field, mark] of marks) {
        // A user's own order, and both of them where both are the user's.
        const isOwnOrder = sideFields.includes(field) && (marks.has('user') || own.includes(field.replace('Order', 'User')))
        assert.equal(lines.includes(String(mark)), isOwnOrder, `${type} to ${own.join()}: ${field} in ${lines}`)
      }
    }
  }
})

test('PROOF-RECEIPT-005: every command is shown as it came, whatever its values, or named as not a customer’s; the last event is its outcome', () => {
  for (const type of Object.keys(commandFacts) as Command['type'][]) {
    const isShown = commandFacts[type] !== 'house'
    fc.assert(
      fc.property(commandCases[type], (body) => {
        const records = new Records(1)
        const user = 900_000_001
        const owned = 'user' in body ? { user } : {}
        encodeCommand({ ...body, ...owned, type } as Command, { seq: 1, at, keyId: 77_777 }, records)
        const projection = collected()
        projection.applyCommand([outcomeOf(1, { refusal: 'FORBIDDEN' })], 1 as Seq, at, { data: records.data, offset: 0 })
        const rows = projection.rows()
        assert.equal(rows.length, isShown ? 1 : 0)
        for (const row of rows) {
          const receipt = readReceiptText(textOf(row.lines))
          assert.deepEqual(
            [row.user, receipt?.command?.name, receipt?.events],
            [user, type, [{ name: 'outcome', facts: { refusal: 'FORBIDDEN' } }]],
          )
          assert.ok(!row.lines.includes(String(user)), row.lines)
        }
      }),
      { numRuns: 60 },
    )
  }
})

test('PROOF-RECEIPT-006: the house’s own users have no receipts while they are the house’s', () => {
  const [ann, bot] = [11, 12] as [UserId, UserId]
  const event = { ...eventCases.traded.event, type: 'traded', makerUser: ann, takerUser: bot } as unknown as Event
  const housed = (isHouse: boolean): Event => ({ type: 'user.housed', user: bot, isHouse })
  const projection = collected([bot])
  const usersAfter = (seq: number, ...events: readonly Event[]): readonly number[] => {
    projection.applyCommand([...events, outcomeOf(seq)], seq as Seq, at, undefined)
    return projection.rows().map(({ user }) => user)
  }
  assert.deepEqual(usersAfter(1, event), [ann])
  assert.deepEqual(usersAfter(2, housed(false), event), [ann, bot])
  assert.deepEqual(usersAfter(3, housed(true), event), [ann])
  // Commands from before there were receipts; the house is learned from them.
  const later = new Collected(namedByNumber(), { house: [], after: 3 as Seq })
  later.applyCommand([housed(true), event, outcomeOf(3)], 3 as Seq, at, undefined)
  assert.deepEqual(later.rows(), [])
  later.applyCommand([event, outcomeOf(4)], 4 as Seq, at, undefined)
  assert.deepEqual(
    later.rows().map(({ user }) => user),
    [ann],
  )
})
