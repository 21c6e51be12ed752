import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Millis } from '../../money/brand.ts'
import type { Command, Stamp } from '../command/index.ts'
import { commandLength, decodeCommand, encodeCommand, stampCommand } from './command.ts'
import { commandCodes } from './layout.ts'
import { Records } from './records.ts'
import { commandCases } from './test/all-commands.ts'

const count = fc.maxSafeNat()
const stamps = fc.record({ seq: count, at: count, keyId: count })

for (const type of Object.keys(commandCodes) as Command['type'][]) {
  test(`${type} reads back from its record as it was written`, () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(commandCases[type], stamps), { minLength: 1, maxLength: 5 }), (made) => {
        const list = structuredClone(made)
        const records = new Records(1)
        for (const [body, stamp] of list) encodeCommand({ ...body, type } as Command, stamp as Stamp, records)
        const copy = Records.from(records.bytes())
        let at = 0
        for (const [body, stamp] of list) {
          const { command, stamp: read, length } = decodeCommand(copy.data, at)
          assert.deepEqual(command, { type, ...body })
          assert.deepEqual(read, stamp)
          assert.equal(commandLength(copy.data, at), length)
          at += length
        }
        assert.equal(at, copy.length)
      }),
      { numRuns: 60 },
    )
  })
}

test('the sequencer stamps a record in place', () => {
  const records = new Records()
  encodeCommand({ type: 'clock.tick' }, { seq: 0, at: 0, keyId: 7 }, records)
  stampCommand(records.data, 0, 42, 1_700_000_000_000 as Millis)
  assert.deepEqual(decodeCommand(records.data, 0).stamp, { seq: 42, at: 1_700_000_000_000, keyId: 7 })
})

test('encoding a value that no slot can hold throws and writes nothing', () => {
  const records = new Records()
  const cancel = { type: 'spot.cancelAll', user: 1, clientId: '', market: 1 }
  const bad: object[] = [
    { ...cancel, market: 1.5 },
    { ...cancel, market: Number.NaN },
    { ...cancel, market: 2 ** 53 },
    { ...cancel, clientId: 'x'.repeat(37) },
    { ...cancel, clientId: 'ü' },
    { ...cancel, type: 'spot.unknown' },
    { type: 'funds.transfer', user: 1, clientId: '', asset: 1, from: 'spot', to: 'nowhere', amount: 1 },
  ]
  for (const command of bad) assert.throws(() => encodeCommand(command as Command, { seq: 1, at: 1, keyId: 0 }, records))
  assert.equal(records.length, 0)
})
