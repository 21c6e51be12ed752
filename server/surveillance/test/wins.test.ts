import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tailOf } from '../detect/wins.ts'
import { madeDays, short, uid } from './made-day.ts'

const madeDay = madeDays()

test('CONSOLE-SURVEIL-005: an impossible streak in Second is flagged with its chance in words, and a lucky but plausible one is not', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 3, 4])
  for (let at = 0; at < 40; at++) {
    await made.contracts({ user: 1, minute: at * 2, result: at === 7 ? 'lose' : 'win' })
    // Two of three won is luck that one account in a few dozen has.
    await made.contracts({ user: 2, minute: at * 2, result: at % 3 === 0 ? 'lose' : 'win' })
    // The same moment counts once, however many orders it has.
    await made.contracts({ user: 3, minute: 10, minutes: 15, result: 'win' })
    // Nothing is said of orders that still run.
    await made.contracts({ user: 4, minute: 1430 + at / 10, minutes: 30, result: null })
  }
  const found = await made.findings()
  assert.deepEqual(found.map(short), [`second-wins ${uid(1)}`])
  assert.match(found[0]!.text, /won 39 of 40 orders of Second that did not overlap in time.*about 1 in 26,800,000,000 accounts/)
  assert.deepEqual(
    found[0]!.measures.map(({ seen }) => seen),
    ['40', '39, 97.5%', '1 in 26,800,000,000', '40', '302'],
  )
})

test('CONSOLE-SURVEIL-005: the chance of a streak is that of the binomial distribution', () => {
  assert.equal(tailOf(0, 10, 0.5), 1)
  assert.ok(Math.abs(tailOf(10, 10, 0.5) - 1 / 1024) < 1e-15)
  assert.ok(Math.abs(tailOf(8, 10, 0.5) - 56 / 1024) < 1e-12)
  assert.ok(Math.abs(tailOf(2_500, 5_000, 0.5) - 0.50564) < 1e-4)
})
