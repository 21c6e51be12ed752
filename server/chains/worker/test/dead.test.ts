import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { solidAfter, TronLab } from '../../payout/test/tron-lab.ts'
import { deadDigest } from '../../signer/statement.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { signDead } from '../dead.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('PAYOUT-DEAD-001: transactions are called dead when their time is over on each node and no solid block has one of them', async () => {
  await using lab = await TronLab.open(server)
  const { url, solidUrl, chainId } = lab.trond
  const key = lab.signing.custody.reconciliation
  const network = { name: 'tron', kind: 'tron' as const, chainId, nodes: [{ url, solidUrl }] }
  const about = { pool: lab.store.pool, networks: [network], sign: (digest: Buffer) => key.sign(digest) }
  const txids = async (withdrawal: number) => {
    const rows = await lab.rows<{ withdrawal: number; txid: string }>('select withdrawal, txid from payout_attempts order by n')
    return rows.filter((row) => row.withdrawal === withdrawal).map(({ txid }) => txid)
  }
  const payout = lab.payout({ times: { resendMs: 10_000_000, retryMs: 10_000_000 } })
  lab.approve(1)
  lab.approve(2)
  await lab.arm('lose')
  await payout.pass()
  const [lost, sent] = [await txids(1), await txids(2)]
  assert.deepEqual([lost.length, sent.length], [1, 1])

  await lab.mine(solidAfter + 2)
  await assert.rejects(signDead(about, 'tron', 1, lost), /may still be included/)
  // Two minutes and ten seconds after their minute.
  await lab.mine(80)
  await assert.rejects(signDead(about, 'tron', 2, sent), /is in a solid block/)
  await assert.rejects(signDead(about, 'tron', 1, sent), /other transactions/)
  await assert.rejects(signDead(about, 'tron', 1, []), /other transactions/)
  await assert.rejects(signDead(about, 'ethereum', 1, lost), /a nonce replaces/)
  assert.equal(await signDead(about, 'tron', 1, lost), key.sign(deadDigest('tron', 1, lost)))
  const stranger = { ...network, chainId: chainId + 1 }
  await assert.rejects(signDead({ ...about, networks: [stranger] }, 'tron', 1, lost), /another chain/)
  const away = { ...network, nodes: [...network.nodes, { url: 'http://127.0.0.1:1', solidUrl: 'http://127.0.0.1:1' }] }
  await assert.rejects(signDead({ ...about, networks: [away] }, 'tron', 1, lost))
})
