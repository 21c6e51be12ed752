import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkAnchor } from '@candor/core/proof/chain/anchor.ts'
import { checkReserveText } from '@candor/core/proof/chain/reserves.ts'
import { publishReserves } from '../../chains/reserves/test/published.ts'
import { isHeadSigned } from '../../journal/audit-heads.ts'
import { verify } from '../../main/commands/verify.ts'
import type { Settings } from '../../main/settings.ts'
import { startExchange } from '../../main/test/exchange.ts'
import { headKeyFile } from '../../proof/head-key.ts'
import { HeadMaker } from '../../proof/head-maker.ts'
import { LiabilityMaker, statementMs } from '../../proof/liabilities/maker.ts'

test('PROOF-RESERVE-013: everybody gets the newest statement of reserves and the anchors, and candor verify checks both files', async () => {
  await using exchange = await startExchange({ seed: 'reserves', hasFeeds: false })
  const { store, dataFolder, link } = exchange
  const { pool } = store
  const user = await exchange.user({ funds: { USDT: '1000', BTC: '0.5' } })
  const get = (path: string) => fetch(`${exchange.url}/app/v1/proof/${path}`)
  assert.equal((await get('reserves')).status, 404)
  assert.deepEqual(await (await get('anchors')).json(), { anchors: [] })
  const { seq } = await link.ask.head()
  while (((await pool.query<{ seq: number }>('select seq from projection')).rows[0]?.seq ?? 0) < seq) await sleep(20)
  const now = Date.now() + statementMs
  await new LiabilityMaker(pool, () => now).turn()
  await new HeadMaker({ pool, keyFile: headKeyFile(dataFolder), clock: () => now }).turn()
  await publishReserves(pool, headKeyFile(dataFolder))

  const answer = await get('reserves')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  const text = await answer.text()
  const found = await checkReserveText(text, isHeadSigned)
  assert.ok(!('wrong' in found), 'wrong' in found ? found.wrong : '')
  const of = (asset: string) => found.coins.find((one) => one.asset === asset)
  // Hot and gas on both networks; the cold ones have not signed.
  assert.deepEqual([of('USDT')?.reserves, of('USDT')?.gross, of('USDT')?.overGross], [1_600_000_000n, 1_000_000_000n, 600_000_000n])
  assert.equal(of('BTC')?.isOnChain, false)
  const { n } = found.statement
  const named = await get(`reserves/${n}`)
  assert.equal(await named.text(), text)
  assert.match(named.headers.get('cache-control') ?? '', /immutable/)
  assert.equal((await get(`reserves/${n + 1}`)).status, 404)
  const { statements } = (await (await get('reserves/list')).json()) as { statements: { n: number }[] }
  assert.deepEqual(
    statements.map((one) => one.n),
    [n],
  )
  const { body } = await user.call('GET', '/proof/anchors')
  const { anchors } = body as { anchors: readonly object[] }
  const proved = await checkAnchor(JSON.stringify(anchors[0]), isHeadSigned)
  assert.ok(!('wrong' in proved) && proved.head.n === found.head.n, JSON.stringify(anchors))
  assert.equal((await get('anchors?before=2026-02-30')).status, 400)

  const folder = mkdtempSync(join(tmpdir(), 'candor-reserves-'))
  try {
    for (const [name, content] of [
      ['reserves.json', text],
      ['anchors.ndjson', await (await get('anchors.ndjson')).text()],
    ] as const) {
      const path = join(folder, name)
      const run = (options: Readonly<Record<string, string>> = {}) => verify.run({ settings: {} as Settings, operands: [path], options })
      writeFileSync(path, content)
      const right = await run()
      assert.equal(right.json['ok'], true, JSON.stringify(right))
      assert.equal((await run({ key: '00'.repeat(32) })).isFailure, true)
      writeFileSync(
        path,
        content.replace(/signature":"(.)/, (_, digit) => `signature":"${digit === '1' ? '2' : '1'}`),
      )
      assert.equal((await run()).isFailure, true)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
