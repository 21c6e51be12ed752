import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@candor/client/errors.ts'
import { takeAll } from './faucet-all.ts'

const id = '0f8c2f0e-6f5e-4a44-9d0a-3a1f2b4c5d6e'
const portions = ['USDT', 'BTC', 'ETH'].map((asset) => ({ asset, amount: '1', dailyMax: '5' }))
const limit = new ApiError({ code: 'FAUCET_LIMIT', message: '', status: 429 })

test('UI-FUNDED-004: each coin has one client id, the same after a lost answer, and used up coins are passed over', async () => {
  const asked: string[] = []
  const give = ({ clientId, asset }: { readonly clientId: string; readonly asset: string }) => {
    asked.push(`${asset} ${clientId}`)
    return asset === 'BTC' ? Promise.reject(limit) : Promise.resolve()
  }
  const given = await takeAll(id, portions, give)
  assert.deepEqual(
    given.map(({ asset }) => asset),
    ['USDT', 'ETH'],
  )
  assert.equal(new Set(asked).size, 3)
  assert.ok(asked.every((one) => one.split(' ')[1]?.length === id.length))
  const before = [...asked]
  asked.length = 0
  await takeAll(id, portions, give)
  assert.deepEqual(asked, before)
})

test('the refusal is thrown if no coin is due, and any other error at once', async () => {
  await assert.rejects(
    takeAll(id, portions, () => Promise.reject(limit)),
    limit,
  )
  let calls = 0
  const lost = new Error('lost')
  await assert.rejects(
    takeAll(id, portions, () => Promise.reject(calls++ === 0 ? lost : limit)),
    lost,
  )
  assert.equal(calls, 1)
})
