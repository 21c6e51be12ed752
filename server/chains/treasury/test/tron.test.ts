import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Units } from '@candor/core/money/brand.ts'
import type { NetworkNumber } from '@candor/core/protocol/ids.ts'
import { type ScratchServer, startScratchServer } from '../../../store/test/scratch.ts'
import type { NetworkConfig } from '../../config.ts'
import { Checks } from '../../deposits/checks.ts'
import { Crediting } from '../../deposits/crediting.ts'
import { Finder } from '../../deposits/finder.ts'
import { Poster } from '../../deposits/poster.ts'
import { solidAfter, TronLab } from '../../payout/test/tron-lab.ts'
import { Scanner } from '../../scan/scanner.ts'
import { checked } from '../../signer/chain-signer.ts'
import { sinkTron, softSigner } from '../../signer/test/custody.ts'
import { FakeCore as Deposits } from '../../test/core.ts'
import { token, uid } from '../../test/world.ts'
import { fromBase58 } from '../../tron/address.ts'
import { assembleTron, buildTron } from '../../tron/build.ts'
import { TronAddresses } from '../../tron/deposit-addresses.ts'
import { tronReader } from '../../tron/reader.ts'
import { joined, OwnFlows } from '../flows.ts'
import { ownOf } from '../own.ts'
import { Treasury } from '../treasury.ts'
import { usdt, writeWarrants } from './evm-lab.ts'

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

const word = (hex: string): string => hex.padStart(64, '0')
const hex20 = (address: string): string => Buffer.from(fromBase58(address).subarray(1)).toString('hex')

/** Deposits and a treasury beside the payouts of a TRON node. */
class World {
  readonly lab: TronLab
  readonly deposits = new Deposits()
  readonly log: string[] = []

  constructor(lab: TronLab) {
    this.lab = lab
  }

  static async open(lab: TronLab): Promise<World> {
    const world = new World(lab)
    await lab.trond.asRoot('/wallet/createtransaction', { to_address: lab.signing.custody.gas('tron'), amount: 10_000_000_000 })
    await world.call('issue(address,uint256)', lab.trond.root, 10n ** 12n)
    for (const user of [1, 2]) {
      await lab.store.pool.query(
        `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
         values ($1, $2, $3, $4, '', 0, 'en', $2, 'retail', 0)`,
        [randomUUID(), uid(user), user, `a${user}@example.com`],
      )
      await lab.store.pool.query(
        `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
         select 'tron', $1, id, $2, $2, decode(repeat('00', 64), 'hex'), 0 from accounts where core_user = $2`,
        [world.address(user), user],
      )
    }
    await world.settle()
    return world
  }

  get network(): NetworkConfig {
    const { trond, contract, signing } = this.lab
    const { custody } = signing
    return {
      ...{
        name: 'tron',
        number: 2,
        kind: 'tron',
        label: 'TRC20',
        chainId: trond.chainId,
        nodes: [{ url: trond.url, solidUrl: trond.solidUrl }],
      },
      ...{ confirmations: 0, tokens: [{ asset: 'USDT', contract, decimals: 6, depositMin: '1' }] },
      ...{ hot: custody.from('tron'), gas: custody.gas('tron'), sink: sinkTron, feeMax: '100000000' },
      deposits: { xpub: custody.deposits.publicExtendedKey },
    }
  }

  address(place: number): string {
    return new TronAddresses(this.lab.signing.custody.deposits.publicExtendedKey).at(place)
  }

  call(selector: string, to: string, value: bigint): Promise<unknown> {
    return this.lab.trond.asRoot('/wallet/triggersmartcontract', {
      ...{ contract_address: this.lab.contract, function_selector: selector, fee_limit: 100_000_000 },
      parameter: word(hex20(to)) + word(value.toString(16)),
    })
  }

  treasury(): Treasury {
    const { lab, network } = this
    const { custody, link } = lab.signing
    const flow = () => ([1, 2].reduce((sum, user) => sum + this.deposits.balance(user), 0) - this.#paid()) as Units
    return new Treasury({
      ...{ pool: lab.store.pool, config: { walletKey: '00'.repeat(32), signer: '', networks: [network] }, assets: [usdt], signer: link },
      ask: { chainFlows: async () => [{ network: 2 as NetworkNumber, asset: usdt.id, flow: flow(), unfinal: 0 as Units }] },
      ...{ sign: (digest) => custody.reconciliation.sign(digest), clock: lab.now, log: ({ message }) => void this.log.push(message) },
      ...{ waitMs: 0, sweeping: { lifeMs: 60_000, times: { retryMs: 0 } } },
    })
  }

  #paid(): number {
    const { core } = this.lab
    return [...core.ended].reduce((sum, [number, isPaid]) => sum + (isPaid ? Number(core.approvals.get(number)!.payment.value) : 0), 0)
  }

  async work(): Promise<void> {
    const { pool } = this.lab.store
    const { contract, now: clock, trond } = this.lab
    const tokens = new Map([[contract, token(contract)]])
    const log = ({ message }: { message: string }): void => void this.log.push(message)
    const sink = joined([
      new Finder({ pool, network: 'tron', gas: this.network.gas, tokens, clock }),
      new OwnFlows({ pool, own: ownOf(this.network) }),
    ])
    const readers = [tronReader({ node: trond.solidUrl, chainId: trond.chainId })]
    const scanner = new Scanner({ network: 'tron', readers, pool, sink, log, from: 1 })
    const nodes = () => ({ reader: scanner.reader, other: undefined })
    const checks = new Checks({ nodes, isAddressGood: async () => true, screen: async () => undefined, isTokenGood: () => true })
    const crediting = new Crediting({ pool, network: 'tron', confirmations: 0, tokens, checks, clock, log })
    const about = { networkOf: () => 2 as NetworkNumber, assetOf: () => usdt.id, clock, log }
    const poster = new Poster({ pool, submit: this.deposits.submit, ...about })
    while (await scanner.turn()) await crediting.turn()
    await crediting.turn()
    await poster.turn()
    await writeWarrants(pool, this.lab.core)
    await this.lab.payout().pass()
  }

  async settle(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      await this.work()
      await this.lab.mine(solidAfter + 2)
    }
    await this.work()
  }

  findings() {
    return this.lab.rows<{ kind: string; holder: string; amount: string; stops: boolean }>(
      'select kind, holder, amount::text, stops from treasury_findings where closed_at is null order by id',
    )
  }

  /** A transfer of the token that nobody ordered. */
  async steal(key: Uint8Array, from: string, value: bigint): Promise<void> {
    const { trond, contract, now } = this.lab
    const { blockID } = await trond.post<{ blockID: string }>('/wallet/getnowblock')
    const times = { timestamp: now(), expiration: now() + 60_000 }
    const slot = { kind: 'tron', refBytes: blockID.slice(12, 16), refHash: blockID.slice(16, 32), ...times, feeLimit: 50_000_000 } as const
    const intent = { withdrawal: 0, network: 'tron', chainId: trond.chainId, contract, to: trond.root, value }
    const unsigned = buildTron(intent, slot, from)
    const signer = softSigner(key)
    const { raw } = assembleTron(unsigned, checked(unsigned.digest, await signer.sign(unsigned), signer.publicKey))
    const sent = await trond.post('/wallet/broadcasthex', { transaction: raw })
    assert.equal(sent['result'], true, JSON.stringify(sent))
  }
}

test('TREASURY-TRON-001: on TRON a deposit address gets the coins that its sweep costs, and is swept; no stage leaves a difference', async () => {
  await using lab = await TronLab.open(server)
  const world = await World.open(lab)
  const treasury = world.treasury()
  await treasury.turn()
  await world.call('transfer(address,uint256)', world.address(1), 50_000_000n)
  await world.call('transfer(address,uint256)', world.address(2), 9_000_000n)
  lab.approve(1)
  for (let round = 0; round < 10; round++) {
    await lab.mine(10)
    await world.work()
    await treasury.turn()
    assert.deepEqual(
      (await world.findings()).filter(({ kind }) => kind !== 'in-flight'),
      [],
      `round ${round}`,
    )
  }
  const jobs = await lab.rows<{ kind: string; places: number[]; fate: string }>('select kind, places, fate from treasury_jobs order by job')
  assert.deepEqual(jobs, [
    { kind: 'sweep', places: [1], fate: 'done' },
    { kind: 'fuel', places: [1], fate: 'done' },
  ])
  const reader = tronReader({ node: lab.trond.solidUrl, chainId: lab.trond.chainId })
  assert.equal(await reader.balance(sinkTron, lab.contract), 50_000_000n)
  assert.equal(await reader.balance(world.address(1), lab.contract), 0n)
  assert.deepEqual([...lab.core.ended], [[1, true]])
  assert.deepEqual(await lab.rows(`select address from deposits where swept_block is not null`), [{ address: world.address(1) }])
})

test('TREASURY-TRON-002: on TRON what leaves the hot wallet or a deposit address without an order stops the signer', async () => {
  await using lab = await TronLab.open(server)
  const world = await World.open(lab)
  const treasury = world.treasury()
  const { custody } = lab.signing
  await world.call('transfer(address,uint256)', world.address(1), 5_000_000n)
  await world.settle()
  await treasury.turn()
  assert.deepEqual(await world.findings(), [])
  await world.steal(custody.tronKey, custody.from('tron'), 7_000_000n)
  await world.settle()
  await treasury.turn()
  const found = await world.findings()
  assert.deepEqual(found[0], { kind: 'unexplained', holder: custody.from('tron'), amount: '-7000000', stops: true })
  lab.approve(1)
  await world.work()
  const [row] = await lab.rows<{ trouble: string }>('select trouble from payouts')
  assert.equal(row!.trouble, 'BOOKS_DIFFER')

  const key = custody.deposits.deriveChild(0).deriveChild(1).privateKey!
  await lab.trond.asRoot('/wallet/createtransaction', { to_address: world.address(1), amount: 100_000_000 })
  await world.steal(key, world.address(1), 5_000_000n)
  await world.settle()
  await treasury.turn()
  const holders = (await world.findings()).filter(({ stops }) => stops).map(({ holder }) => holder)
  assert.ok(holders.includes(world.address(1)))
})
