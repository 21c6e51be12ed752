import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeDays, short, uid } from './made-day.ts'

const madeDay = madeDays()

test('CONSOLE-SURVEIL-001: a scripted wash pair is flagged as round trips, and an honest two-sided maker is not', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 3, 4, 5, 6, 7, 8])
  // 1 and 2 trade to and fro. 3 quotes both sides with a spread, and 4 to 8 trade with it.
  for (let trip = 0; trip < 10; trip++) {
    await made.trades({ buyer: 1, seller: 2, minute: trip * 20 }, { buyer: 2, seller: 1, minute: trip * 20 + 3, price: 100.1 })
    for (const other of [4, 5, 6, 7, 8])
      await made.trades(
        { buyer: 3, seller: other, minute: trip * 20 + 5, takerSide: 'sell', price: 99.95 },
        { buyer: other, seller: 3, minute: trip * 20 + 8, price: 100.05 },
      )
  }
  const [wash, ...others] = await made.findings()
  assert.deepEqual(others, [])
  assert.equal(short(wash!), `round-trips ${uid(1)} ${uid(2)} BTCUSDT`)
  assert.match(wash!.text, /traded BTCUSDT to and fro 10 times/)
  assert.deepEqual(wash!.measures[0], { name: 'Round trips', seen: '10', limit: 'at least 3' })
  assert.equal(wash!.measures[1]!.seen, '100%')
})

test('CONSOLE-SURVEIL-002: trades of linked accounts are flagged as self-trades, and those of the exchange’s market makers are not', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 3])
  await made.accounts([8, 9], { group: 'maker' })
  for (const user of [1, 2]) await made.login(user, 'one browser')
  for (const user of [8, 9]) await made.login(user, 'the bots')
  await made.trades({ buyer: 1, seller: 2, minute: 1 }, { buyer: 8, seller: 9, minute: 2 }, { buyer: 9, seller: 8, minute: 3 })
  await made.trades({ buyer: 3, seller: 9, minute: 4 }, { buyer: 3, seller: 3, minute: 5 })
  const found = await made.findings()
  assert.deepEqual(found.map(short), [
    `self-trades ${uid(3)} BTCUSDT`,
    `self-trades ${uid(1)} ${uid(2)} BTCUSDT`,
    `linked ${uid(1)} ${uid(2)}`,
  ])
  assert.match(found[1]!.text, /The two logged in with the same browser, 2 logins\./)
  assert.match(found[0]!.text, /was on both sides of 1 trade of BTCUSDT/)
})

test('CONSOLE-SURVEIL-013: trades of a firm with itself or with a member are flagged, and that they belong together is no finding', async () => {
  const made = await madeDay()
  await made.accounts([1, 2, 3, 4, 5])
  await made.firm([1, 2], [3, 4])
  await made.trades({ buyer: 1, seller: 2, minute: 1, quantity: 3 }, { buyer: 2, seller: 3, minute: 2, quantity: 2 })
  await made.trades({ buyer: 3, seller: 4, minute: 3 }, { buyer: 5, seller: 1, minute: 4 })
  const found = await made.findings()
  assert.deepEqual(found.map(short), [`self-trades ${uid(1)} ${uid(2)} BTCUSDT`, `self-trades ${uid(2)} ${uid(3)} BTCUSDT`])
  assert.match(found[0]!.text, /The two belong to one firm\. Trades within one person or firm show a volume that is none\./)
  assert.match(found[1]!.text, /The two are an account of a firm and that of somebody who takes part in it\. Money of the firm can leave/)
})
