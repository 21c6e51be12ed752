/** A day's statement, from the signer and two nodes to the file that anybody checks. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { dayOf, headHash } from '@candor/core/proof/chain/possession.ts'
import { checkReserves, type ProvedReserves } from '@candor/core/proof/chain/reserves.ts'
import { check, first } from '../../../../core/proof/test/story.ts'
import { signReserves } from '../../../proof/reserve-signer.ts'
import { reserveFile, reservesBefore } from '../../../store/query/proof/reserves.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import { NodeFault } from '../../rpc/json-rpc.ts'
import { EvmTreasuryLab, finality } from '../../treasury/test/evm-lab.ts'
import { readBalances, type Source, sourcesOf } from '../balances.ts'
import { coldMessages, submitCold } from '../cold.ts'
import { ReserveMaker, type ReserveOptions } from '../maker.ts'
import { ChainKey } from './reserve-file.ts'
import { storeHead } from './stored-head.ts'

let server: ScratchServer
const folder = mkdtempSync(join(tmpdir(), 'candor-reserves-'))
const keyFile = join(folder, 'head.key')
before(async () => {
  server = await startScratchServer()
  writeFileSync(keyFile, first.secret.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
})
after(async () => {
  await server[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

const openLab = () => EvmTreasuryLab.open(server, (policy) => Object.assign(policy.networks[0]!, { reserves: { deposits: 0 } }))

/** The lab's node under two names. `bend`: what the second one tells otherwise. */
function twoSources(lab: EvmTreasuryLab, bend: Partial<Source['reader']> = {}): readonly Source[] {
  const [one] = sourcesOf(lab.network)
  return [one!, { host: 'other.example', reader: { ...one!.reader, ...bend } }]
}

const maker = (lab: EvmTreasuryLab, change: Partial<ReserveOptions> = {}) =>
  new ReserveMaker({
    ...{ pool: lab.store.pool, config: lab.config, signer: lab.signing.link, clock: Date.now },
    ...{ sources: () => twoSources(lab), ...change },
  })

/** What the newest published statement proves. */
async function proved(lab: EvmTreasuryLab): Promise<ProvedReserves> {
  await signReserves(lab.store.pool, keyFile)
  const [newest] = await reservesBefore(lab.store.pool, undefined, 1)
  const file = newest === undefined ? undefined : await reserveFile(lab.store.pool, newest.n)
  const found = await checkReserves(JSON.parse(JSON.stringify(file ?? null)), check)
  assert.ok(!('wrong' in found), 'wrong' in found ? found.wrong : '')
  return found
}

const rolesOf = ({ statement }: ProvedReserves) =>
  statement.networks[0]!.addresses.map(({ role, signed, balances }) => [role, signed !== undefined, Number(balances[0]! / 1_000_000n)])

test('PROOF-RESERVE-009: each day own addresses sign its first head with liabilities, two nodes tell their balances at one block, and the file proves it', async () => {
  await using lab = await openLab()
  await lab.customers(3)
  await lab.deposit(2, 7_000_000n)
  await lab.settle()
  await lab.mine(finality)
  assert.equal(await maker(lab).turn(), undefined)
  await storeHead(lab.store.pool, 1, Date.now())
  await storeHead(lab.store.pool, 2, Date.now())
  assert.equal(await maker(lab).turn(), 1)
  assert.equal(await maker(lab).turn(), undefined)
  const found = await proved(lab)
  assert.equal(found.head.n, 1)
  assert.equal(found.statement.networks[0]?.state, 'agreed')
  assert.deepEqual(rolesOf(found), [
    ['hot', true, 1_000_000],
    ['gas', true, 0],
    ['cold', false, 0],
    ['forwarder', false, 7],
  ])
  assert.equal(found.coins.find(({ asset }) => asset === 'USDT')?.reserves, 1_000_007_000_000n)
  const { block } = found.statement.networks[0]!
  assert.equal(`0x${block?.hash}`, (await lab.anvil.client.getBlock({ blockNumber: BigInt(block!.number) })).hash)
})

test('PROOF-RESERVE-010: where nodes differ or one is missing nothing counts, and the next turns try again; one node alone is said to be one', async () => {
  await using lab = await openLab()
  await storeHead(lab.store.pool, 1, Date.now())
  const wanted = { kind: 'evm', addresses: [lab.network.hot], coins: [lab.contract, undefined] } as const
  const stateOf = async (bend: Partial<Source['reader']>) => (await readBalances(twoSources(lab, bend), wanted, Date.now())).state
  const { reader } = sourcesOf(lab.network)[0]!
  const fails = () => Promise.reject(new NodeFault('away'))
  assert.equal(await stateOf({}), 'agreed')
  assert.equal(await stateOf({ balance: async (...asked) => (await reader.balance(...asked)) + 1n }), 'differ')
  assert.equal(await stateOf({ block: async (at) => ({ ...(await reader.block(at))!, hash: `0x${'aa'.repeat(32)}` }) }), 'differ')
  assert.equal(await stateOf({ balance: fails }), 'silent')
  assert.equal(await stateOf({ final: fails }), 'silent')
  assert.equal((await readBalances(sourcesOf(lab.network), wanted, Date.now())).state, 'single')
  assert.equal((await readBalances(sourcesOf(lab.network), wanted, Date.now() + 86_400_000)).state, 'silent')
  // Two addresses of one host are one source.
  const { nodes } = lab.network
  assert.equal(sourcesOf({ ...lab.network, nodes: [...nodes, { url: `${nodes[0]!.url}/other` }] }).length, 1)

  assert.equal(await maker(lab, { sources: () => twoSources(lab, { balance: fails }) }).turn(), 1)
  assert.deepEqual(
    (await proved(lab)).statement.sums.map(({ amount }) => amount),
    [0n],
  )
  assert.equal(await maker(lab).turn(), undefined)
  assert.equal(await maker(lab, { clock: () => Math.min(Date.now() + 600_001, Date.parse(dayOf(Date.now())) + 86_399_999) }).turn(), 2)
  assert.equal((await proved(lab)).statement.networks[0]?.state, 'agreed')
})

test('PROOF-RESERVE-011: a cold address signs the message that the operator gets; another signature is refused, and a right one counts for 35 days', async () => {
  await using lab = await openLab()
  await lab.anvil.call(lab.contract, 'TestToken', 'issue', [lab.network.sink, 9_000_000n])
  await lab.mine(finality + 2)
  await storeHead(lab.store.pool, 1, Date.now())
  const { pool } = lab.store
  const [message] = await coldMessages(pool, lab.config, Date.now())
  assert.equal(message?.about.address, lab.network.sink.toLowerCase())
  const wrong = new ChainKey().sign(message.about)
  await assert.rejects(submitCold(pool, lab.config, { network: 'ethereum', signature: `0x${wrong}` }, Date.now()), /not signed/)
  const key = Object.assign(new ChainKey(), { secret: lab.sinkKey })
  const other = { ...message.about, head: { n: 1, hash: headHash('another') } }
  await assert.rejects(submitCold(pool, lab.config, { network: 'ethereum', signature: key.sign(other) }, Date.now()), /not signed/)
  await submitCold(pool, lab.config, { network: 'ethereum', signature: `0x${key.sign(message.about).toUpperCase()}` }, Date.now())
  await maker(lab).turn()
  assert.deepEqual(rolesOf(await proved(lab))[2], ['cold', true, 9])
})

test('PROOF-RESERVE-012: the process that signs heads signs nothing but a statement that names a head of its key', async () => {
  await using lab = await openLab()
  await storeHead(lab.store.pool, 1, Date.now())
  const put = async (n: number, body: string): Promise<number> => {
    await lab.store.pool.query('insert into reserve_statements (n, at_ms, head, body) values ($1, 0, 1, $2)', [n, body])
    return signReserves(lab.store.pool, keyFile)
  }
  assert.equal(await put(1, 'candor head key 1\n2\nab'), 0)
  assert.equal(await put(2, 'candor head 1\nn 2\n'), 0)
  await lab.store.pool.query('delete from reserve_statements')
  await maker(lab).turn()
  const { rows } = await lab.store.pool.query<{ body: string }>('select body from reserve_statements')
  await lab.store.pool.query('delete from reserve_statements')
  const right = rows[0]!.body
  assert.equal(await put(1, right.replace(/head 1 .{64}/, `head 1 ${'00'.repeat(32)}`)), 0)
  assert.equal(await put(2, right), 0)
  assert.equal(await put(3, right.replace('\nn 1\n', '\nn 3\n')), 1)
})
