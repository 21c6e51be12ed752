import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { EvmTreasuryLab, thief } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

test('TREASURY-NAMED-001: an inflow that two members named as the operator’s is none any more, and nothing that left an own address can be named', async () => {
  await using lab = await EvmTreasuryLab.open(server)
  await lab.customers(1)
  await lab.deposit(1, 50_000_000n)
  for (let round = 0; round < 3; round++) {
    await lab.settle()
    await lab.treasury().turn()
  }
  const send = (value: bigint): Promise<string> => lab.anvil.call(lab.contract, 'TestToken', 'transfer', [lab.network.hot, value])
  const own = await send(5_000_000n)
  const other = await send(4_000_000n)
  const theft = await lab.steal(lab.sinkKey, 1_000_000n, thief)
  await lab.settle()
  await lab.treasury().turn()
  const open = async () =>
    (await lab.findings())
      .filter(({ kind, txid }) => kind === 'unexplained' || (kind === 'unknown-inflow' && txid !== ''))
      .map(({ txid }) => txid)
      .toSorted()
  assert.deepEqual(await open(), [own, other, theft].toSorted())
  const { pool } = lab.store
  // Two administrators approve each member otherwise.
  await pool.query('alter table staff disable trigger user')
  const people = [randomUUID(), randomUUID()]
  for (const id of people)
    await pool.query(
      `insert into staff (id, email, name, role, state, password, created_at) values ($1::uuid, $1::text, 'a', 'treasury', 'active', 'a', 0)`,
      [id],
    )
  const name = async (txid: string): Promise<void> => {
    await pool.query(
      `insert into chain_decisions (kind, network, txid, reason, proposed_by, proposed_at, expires_at)
       select 'movement', $1, $2, 'from the bank', $3, 0, 10`,
      [lab.network.name, txid, people[0]],
    )
    await pool.query(`update chain_decisions set state = 'approved', decided_by = $1, decided_at = 1 where txid = $2`, [people[1], txid])
  }
  await name(own)
  await name(theft)
  const named = (await pool.query<{ txid: string }>(`select txid from treasury_movements where kind = 'operator'`)).rows
  assert.deepEqual(named, [{ txid: own }])
  await lab.treasury().turn()
  assert.deepEqual(await open(), [other, theft].toSorted())
})
