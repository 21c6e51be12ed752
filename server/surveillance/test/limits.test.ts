import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '../read/reads.ts'
import { madeDays } from './made-day.ts'

const madeDay = madeDays()

test('CONSOLE-SURVEIL-007: a report names the reads that took as many rows as they may, and keeps the limits', async () => {
  const made = await madeDay()
  made.limits = { ...limits, devices: 1, pairs: 1, trades: 2, players: 1, contracts: 30, networks: 1 }
  await made.accounts([1, 2, 3])
  for (const user of [1, 2]) await made.login(user, 'one browser')
  for (let minute = 1; minute <= 3; minute++) await made.trades({ buyer: 1, seller: 2, minute })
  for (let at = 0; at < 40; at++) await made.contracts({ user: 3, minute: at * 2, result: 'win' })
  await made.findings()
  const [report] = await made.desk.days()
  assert.deepEqual(report!.examined.atLimit, ['contracts', 'devices', 'pairs', 'players', 'trades'])
  assert.deepEqual(await made.run(`select thresholds -> 'limits' ->> 'trades' as trades from surveillance_reports`), [{ trades: '2' }])
})

test('CONSOLE-SURVEIL-007: fills and large orders of a spoof count against their limits, and a report below all limits names none', async () => {
  const made = await madeDay()
  await made.accounts([1, 2])
  for (let n = 0; n < 6; n++) await made.orders({ user: 2, side: 'buy', at: n, life: 1_000, executed: 1 })
  for (let move = 0; move < 4; move++) {
    const at = move * 600_000
    await made.orders({ user: 1, side: 'sell', at, life: 4_000, quantity: 50 })
    const [own] = await made.orders({ user: 1, side: 'buy', at: at + 1_000, life: 2_000, executed: 1 })
    await made.trades({ buyer: 1, seller: 2, minute: (at + 3_000) / 60_000, takerSide: 'sell', orders: [own!, 1] })
  }
  assert.deepEqual(
    (await made.findings()).map(({ kind }) => kind),
    ['spoofing'],
  )
  assert.deepEqual((await made.desk.days())[0]!.examined.atLimit, [])
  made.limits = { ...limits, quoters: 1, largeOrders: 4, fills: 4 }
  await made.run('alter table surveillance_reports disable trigger user; alter table surveillance_findings disable trigger user')
  await made.run('delete from surveillance_findings')
  await made.run('delete from surveillance_reports')
  await made.findings()
  assert.deepEqual((await made.desk.days())[0]!.examined.atLimit, ['fills', 'largeOrders', 'quoters'])
  made.limits = { ...limits, fills: 5 }
  await made.run('delete from surveillance_findings')
  await made.run('delete from surveillance_reports')
  await made.findings()
  assert.deepEqual((await made.desk.days())[0]!.examined.atLimit, [])
})
