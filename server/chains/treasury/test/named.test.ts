import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { EvmTreasuryLab, thief } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('TREASURY-NAMED-001: a transaction that two members named ends its unknown inflow; what left stays until the configuration names it', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(1)
  await lab.deposit(1, 50_000_000n)
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await lab.treasury().turn()
  }
  const left = await lab.steal(lab.sinkKey, 5_000_000n, thief)
  const came = await lab.anvil.call(lab.contract, 'TestToken', 'transfer', [lab.network.sink, 3_000_000n])
  await lab.settle()
  await lab.treasury().turn()
  const open = async () => (await lab.findings()).map(({ kind, txid }) => [kind, txid]).toSorted()
  assert.deepEqual(await open(), [
    ['unexplained', left],
    ['unknown-inflow', came],
  ])
  const { pool } = lab.store
  // Two administrators approve each member otherwise.
  await pool.query('alter table staff disable trigger user')
  const people = [randomUUID(), randomUUID()]
  for (const id of people)
    await pool.query(
      `insert into staff (id, email, name, role, state, password, created_at) values ($1::uuid, $1::text, 'a', 'treasury', 'active', 'a', 0)`,
      [id],
    )
  for (const txid of [left, came]) {
    await pool.query(
      `insert into chain_decisions (kind, network, txid, reason, proposed_by, proposed_at, expires_at)
       values ('movement', $1, $2, 'to the bank', $3, 0, 10)`,
      [lab.network.name, txid, people[0]],
    )
    await pool.query(`update chain_decisions set state = 'approved', decided_by = $1, decided_at = 1 where txid = $2`, [people[1], txid])
    await pool.query(
      `insert into treasury_movements (network, holder, contract, amount, kind, txid, block, first, second, made_at)
       select f.network, f.sender, f.contract, -f.value, 'operator', f.txid, f.block, p.number, q.number, 0
       from treasury_flows f, staff p, staff q where f.txid = $1 and p.id = $2 and q.id = $3`,
      [txid, ...people],
    )
  }
  await lab.treasury().turn()
  assert.deepEqual(await open(), [['unexplained', left]])
})
