import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plain } from '../../money/test/plain.ts'
import { accountKinds, systemAccounts } from '../account.ts'
import { entryReasons, type Event } from '../event/index.ts'
import * as events from './event.ts'
import * as writeWriters from './event-write.ts'
import { Records } from './records.ts'
import { eventCases } from './test/all-events.ts'

const { decodeEvents, eventCodes } = events
const { accountSlot, systemOwner } = plain(events)
const write = plain(writeWriters)

const types = Object.keys(eventCodes) as Event['type'][]

for (const type of types) {
  test(`${type} reads back as it was written`, () => {
    const records = new Records(1)
    eventCases[type].put(records)
    assert.deepEqual(decodeEvents(records.data, 0, records.length), [{ type, ...eventCases[type].event }])
  })
}

test('consecutive events are returned as a list', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...types), { maxLength: 30 }), (list) => {
      const records = new Records(1)
      for (const type of list) eventCases[type].put(records)
      const events = decodeEvents(records.data, 0, records.length)
      assert.deepEqual(
        events.map((event) => event.type),
        list,
      )
    }),
    { numRuns: 50 },
  )
})

test('a reader gets accounts and the begin and end of orders only of users in whom it is interested, and everything else', () => {
  const isPrivate = (event: Event): boolean => ['entry', 'order.accepted', 'order.closed'].includes(event.type)
  for (const type of types) {
    const records = new Records(1)
    eventCases[type].put(records)
    const whole = decodeEvents(records.data, 0, records.length)
    const read = (entries: boolean, orders: boolean): readonly Event[] => {
      const asked: number[] = []
      const interested = (answer: boolean) => (user: number) => {
        asked.push(user)
        return answer
      }
      const found = decodeEvents(records.data, 0, records.length, { entries: interested(entries), orders: interested(orders) })
      assert.deepEqual(asked, whole.filter(isPrivate).map(userOf), type)
      return found
    }
    assert.deepEqual(read(true, true), whole)
    assert.deepEqual(read(false, true), type === 'entry' ? [] : whole)
    assert.deepEqual(read(true, false), isPrivate(whole[0]!) && type !== 'entry' ? [] : whole)
  }
  const records = new Records()
  write.writeEntry(records, systemOwner(2), accountSlot(0, 3, 0), 0, 1, 0, 1, 0)
  const none = { entries: (owner: number) => owner >= 0, orders: () => true }
  assert.deepEqual(decodeEvents(records.data, 0, records.length, none), [])
  assert.throws(() => decodeEvents(records.data, 0, records.length - 1, none))
})

/** Of an event about a user's account or order. */
function userOf(event: Event): number {
  if (event.type !== 'entry') return (event as { user: number }).user
  return 'user' in event.account ? event.account.user : -1 - systemAccounts.indexOf(event.account.system)
}

test('the two slots of an account identify exactly one account', () => {
  const user = fc.tuple(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.nat(accountKinds.length - 1), fc.nat(2 ** 20 - 1), fc.nat(2 ** 20))
  fc.assert(
    fc.property(user, fc.nat(entryReasons.length - 1), ([owner, kind, asset, market], reason) => {
      const records = new Records()
      write.writeEntry(records, owner, accountSlot(kind, asset, market), reason, -1, 1, 0, 1)
      const account = { user: owner, kind: accountKinds[kind], asset }
      const [event] = decodeEvents(records.data, 0, records.length)
      assert.deepEqual((event as { account: object }).account, market === 0 ? account : { ...account, market })
    }),
  )
  systemAccounts.forEach((system, i) => {
    const records = new Records()
    write.writeEntry(records, systemOwner(i), accountSlot(0, 3, 0), 0, 1, 0, 1, 0)
    assert.deepEqual((decodeEvents(records.data, 0, records.length)[0] as { account: object }).account, { system, asset: 3 })
  })
})

test('decoding a cut or unknown event throws', () => {
  const records = new Records()
  eventCases.entry.put(records)
  assert.throws(() => decodeEvents(records.data, 0, records.length - 1))
  records.data[0] = 1000 * 2 ** 20 + 8
  assert.throws(() => decodeEvents(records.data, 0, records.length))
})
