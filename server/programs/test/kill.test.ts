import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readSettings } from '../../main/settings.ts'
import { startTree } from '../../main/supervisor.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { priceOf, programsOf, signedKillRounds } from './kill.ts'
import type { Program } from './program.ts'

const symbol = 'BTCUSDT'

test('API-KILL-001: killed ten times under signed load, the exchange keeps each acknowledged order, amendment, cancel and transfer exactly once', async () => {
  const { acknowledged, kinds, repeats, saidUnknown } = await signedKillRounds({ rounds: 10, seed: 3 })
  assert.ok(acknowledged > 500, `only ${acknowledged} requests were acknowledged: that proves little`)
  assert.ok(repeats > 0 && saidUnknown > 0)
  const all = ['spot order', 'spot cancel', 'spot transfer', 'contracts order', 'contracts amend', 'contracts cancel']
  for (const kind of all) assert.ok((kinds[kind] ?? 0) >= 10, `${kind}: ${JSON.stringify(kinds)}`)
})

test('API-AGAIN-003: a request whose outcome was lost with the engine is 503 with -1006, and repeated with the same id gets its outcome', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-unknown-'))
  copyPrepared(folder)
  const settings = readSettings(
    { CANDOR_DATA: folder, PORT: '0', CANDOR_FEED: 'simulated', CANDOR_SEED: '1', CANDOR_BOTS: 'off', CANDOR_TEST_CHAINS: 'off' },
    folder,
  )
  try {
    await using tree = await startTree(settings, () => undefined)
    const [program] = (await programsOf(settings, tree.url, 1)) as [Program]
    const before = {
      symbol,
      side: 'BUY',
      type: 'LIMIT',
      timeInForce: 'GTC',
      quantity: '0.001',
      price: String((await priceOf(program)) - 1_000),
      newClientOrderId: randomUUID(),
    }
    const known = await program.done('POST', '/api/v3/order', before)
    const lost = { ...before, newClientOrderId: randomUUID() }
    const transfer = { type: 'MAIN_UMFUTURE', asset: 'USDT', amount: '5', clientTranId: randomUUID() }
    const requests = [
      ['POST', '/api/v3/order', lost],
      ['DELETE', '/api/v3/order', { symbol, origClientOrderId: before.newClientOrderId, newClientOrderId: randomUUID() }],
      ['POST', '/sapi/v1/asset/transfer', transfer],
    ] as const

    // A stopped engine receives requests and answers none; then it is killed, and they are lost with it.
    const engine = tree.pids()['engine'] as number
    process.kill(engine, 'SIGSTOP')
    const asked = Promise.all(requests.map(([method, path, fields]) => program.signed(method, path, fields)))
    // Later requests with the same key are answered later: by then the command of the first one is with the engine.
    for (let n = 0; n < 20; n++) await program.done('GET', '/sapi/v1/account/apiRestrictions')
    process.kill(engine, 'SIGKILL')
    const [placed, ...others] = await asked
    assert.deepEqual([placed?.status, placed?.body.code], [503, -1006], JSON.stringify(placed?.body))
    assert.match(placed?.body.msg, /unknown/i)
    // A request that first has a question for the engine may not have come to its command: then nothing was changed, and the
    // answer says that.
    for (const { status, body } of others) assert.ok(status === 503 && [-1006, -1001].includes(body.code), JSON.stringify(body))

    const again: any[] = []
    for (const [method, path, fields] of requests) {
      const end = Date.now() + 120_000
      let answer = await program.signed(method, path, fields)
      while (answer.status === 503 && Date.now() < end) {
        await sleep(50)
        answer = await program.signed(method, path, fields)
      }
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      again.push(answer.body)
    }
    assert.deepEqual([again[1].orderId, again[1].status], [known.orderId, 'CANCELED'])
    const listed = await program.done('GET', '/api/v3/allOrders', { symbol })
    assert.deepEqual(
      listed.map(({ orderId, status }: any) => [orderId, status]),
      [
        [known.orderId, 'CANCELED'],
        [again[0].orderId, 'NEW'],
      ],
    )
    const { rows } = await program.done('GET', '/sapi/v1/asset/transfer', { type: 'MAIN_UMFUTURE' })
    assert.deepEqual(
      rows.map(({ tranId, amount }: any) => [tranId, Number(amount)]),
      [[again[2].tranId, 5]],
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
