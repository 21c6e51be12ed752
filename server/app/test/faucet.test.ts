import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId } from '@candor/core/protocol/ids.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startExchange } from '../../main/test/exchange.ts'

test('GATEWAY-FAUCET-002: while the tables lag, nobody gets practice funds that could exceed the day’s limit', async () => {
  await using exchange = await startExchange({ seed: 'faucet', patience: { lagMs: 500 } })
  const alice = await exchange.user()
  const press = () => alice.call('POST', '/sandbox/faucet', { clientId: 'press', asset: 'ETH' })
  const lock = await exchange.store.pool.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table balances in share mode')
    await exchange.link.submit({
      type: 'funds.faucet',
      user: alice.id,
      clientId: 'given',
      asset: 3 as AssetId,
      amount: 1 as Units,
    })
    const { status, body } = await press()
    assert.deepEqual([status, body.code], [503, 'UNAVAILABLE'])
    await lock.query('rollback')
  } finally {
    lock.release()
  }
  for (let tries = 0; tries < 20 && (await press()).status !== 200; tries++);
  assert.equal((await press()).status, 200)
})
