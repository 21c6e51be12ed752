/**
 * Deposits and withdrawals on both test chains with the real engine: processes and the signer are killed, blocks vanish, fees jump, nodes lie,
 * and commands and answers are lost. Afterwards each withdrawal was paid at most once, each deposit credited once, and the ledger equals the
 * chains. Fails otherwise, or when there was too little unrest.
 *
 *   npm run fuzz -- chains [--seeds=N] [--first=SEED] [--withdrawals=N]
 */
import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, UserId } from '@candor/core/protocol/ids.ts'
import { EvmLab } from '../../server/chains/payout/test/evm-lab.ts'
import { fuzz, type FuzzLab, Random, type Tally, verdictOf } from '../../server/chains/payout/test/fuzz.ts'
import { TronLab } from '../../server/chains/payout/test/tron-lab.ts'
import { startExchange, type TestExchange } from '../../server/main/test/exchange.ts'
import { type ScratchServer, startScratchServer } from '../../server/store/test/scratch.ts'
import { DepositsBeside, networkOf } from './deposits-beside.ts'
import { EngineSide, fee, lossySubmit } from './engine-side.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2' },
    first: { type: 'string', default: '1' },
    withdrawals: { type: 'string', default: '40' },
  },
})
const [seeds, first, withdrawals] = [values.seeds, values.first, values.withdrawals].map(Number) as [number, number, number]
const funds = 5_000
const [killsMin, reorgsMin] = [100, 50]

type Run = { readonly tally: Tally; readonly side: EngineSide; readonly lab: EvmLab | TronLab; readonly beside: DepositsBeside }

async function runSeed(server: ScratchServer, seed: number): Promise<readonly Tally[]> {
  await using exchange = await startExchange({ hasFeeds: false, seed: `fuzz-${seed}` })
  const users: UserId[] = []
  for (let n = 0; n < 4; n++) users.push((await exchange.user({ isCertified: true, funds: { USDT: String(funds) } })).id)
  const asset = (await exchange.link.ask.listing()).assets.find(({ symbol }) => symbol === 'USDT')!.id
  const terms = { isOpen: true, min: 500_000 as Units, fee, autoMax: 1e9 as Units, singleMax: 1e10 as Units }
  for (const name of ['ethereum', 'tron']) {
    const { refusal } = await exchange.link.submit({ type: 'withdraw.setTerms', asset, network: networkOf(name), terms })
    assert.equal(refusal, undefined)
  }
  // One database, as in an exchange: the numbers of credits rise over both chains.
  await using store = await server.store()
  await using evm = await EvmLab.open(server)
  await using tron = await TronLab.open(server)
  const runs: Run[] = []
  for (const lab of [evm, tron]) runs.push(await runLab({ exchange, asset, users, store, seed }, lab))
  await compare(exchange, asset, users, runs)
  return runs.map(({ tally }) => tally)
}

type Ground = {
  readonly exchange: TestExchange
  readonly asset: AssetId
  readonly users: readonly UserId[]
  readonly store: DepositsBeside['world']['store']
  readonly seed: number
}

async function runLab({ exchange, asset, users, store, seed }: Ground, lab: EvmLab | TronLab): Promise<Run> {
  const random = new Random(seed)
  const side = new EngineSide(exchange, lab.core, { network: networkOf(lab.kind === 'evm' ? 'ethereum' : 'tron'), asset, users })
  const beside = new DepositsBeside(lab, store, users)
  let isWild = true
  Object.assign(beside.world.core, { submit: lossySubmit(exchange, asset, () => (isWild ? random : undefined)) })
  await beside.open()
  const tally = await fuzz(around(lab, beside, random), { random, withdrawals, signerKills: 2 })
  isWild = false
  await lab.calm()
  await lab.mine(lab.finality + 2)
  await beside.world.settle()
  await lab.mine(lab.finality + 2)
  await beside.world.settle()
  assert.deepEqual(await verdictOf(lab), { twice: [], lost: [], foreign: 0 })
  const rows = await beside.world.run<{ state: string; count: number }>(
    'select state, count(*)::int as count from deposits where network = $1 group by state order by state',
    beside.world.network,
  )
  const deposits = rows.map(({ state, count }) => `${count} ${state}`).join(', ')
  console.log(
    `seed ${seed} ${lab.kind}: ${tally.kills} kills, ${tally.signerKills} of the signer, ${tally.reorgs} reorganizations; deposits: ${deposits}`,
  )
  assert.ok(
    rows.every(({ state }) => state === 'final' || state === 'orphaned'),
    deposits,
  )
  return { tally, side, lab, beside }
}

/** The lab with deposits between its blocks. */
function around(lab: EvmLab | TronLab, beside: DepositsBeside, random: Random): FuzzLab {
  return {
    ...{ core: lab.core, signing: lab.signing, kind: lab.kind, finality: lab.finality },
    payment: (withdrawal) => lab.payment(withdrawal),
    approve: (withdrawal) => lab.approve(withdrawal),
    chain: () => lab.chain(),
    payout: (change) => lab.payout(change),
    paid: () => lab.paid(),
    reorg: (depth) => lab.reorg(depth),
    disturb: (chance) => lab.disturb(chance),
    calm: () => lab.calm(),
    async mine(blocks) {
      if (random.below(2) === 0) await beside.pay(random)
      await lab.mine(blocks)
      await beside.turn()
    },
  }
}

/** The ledger against the chains: each customer's balance, and what each network brought in and paid out. */
async function compare({ link }: TestExchange, asset: AssetId, users: readonly UserId[], runs: readonly Run[]): Promise<void> {
  for (const user of users) {
    let wanted = BigInt(funds) * 1_000_000n
    for (const { beside, lab, side } of runs) {
      wanted += await beside.onChain(user)
      for (const [withdrawal, isPaid] of lab.core.ended)
        if (isPaid && side.userOf(withdrawal) === user) wanted -= lab.payment(withdrawal).value + BigInt(fee)
    }
    const balances = await link.ask.balances(user)
    const own = balances.find(({ account }) => 'user' in account && account.kind === 'spot' && account.asset === asset)!
    assert.deepEqual([BigInt(own.available), own.held], [wanted, 0], `user ${user}`)
  }
  const flows = await link.ask.chainFlows()
  for (const { beside, lab } of runs) {
    let wanted = 0n
    for (const user of users) wanted += await beside.onChain(user)
    for (const [value, count] of await lab.paid()) wanted -= value * BigInt(count)
    const found = flows.find((one) => one.network === networkOf(beside.world.network) && one.asset === asset)
    assert.deepEqual([BigInt(found?.flow ?? 0), found?.unfinal ?? 0], [wanted, 0], beside.world.network)
  }
}

await using server = await startScratchServer()
const tallies: Tally[] = []
for (let seed = first; seed < first + seeds; seed++) tallies.push(...(await runSeed(server, seed)))
const sum = (of: (tally: Tally) => number): number => tallies.reduce((total, tally) => total + of(tally), 0)
const [kills, reorgs] = [sum((tally) => tally.kills + tally.signerKills), sum((tally) => tally.reorgs)]
console.log(`${seeds} seeds: ${kills} kills, ${reorgs} reorganizations; paid once, credited once, and the ledger equals the chains`)
if (kills < killsMin || reorgs < reorgsMin) {
  console.log(`That was too little unrest: at least ${killsMin} kills and ${reorgsMin} reorganizations`)
  process.exitCode = 1
}
