/** A treasury on an Ethereum node of the test's own: deposits, payouts, the signer's process, and a core that is written down plainly. */
import { randomUUID } from 'node:crypto'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { ChainFlow } from '@candor/core/protocol/port.ts'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type pg from 'pg'
import { createWalletClient, encodeFunctionData, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil as anvilChain } from 'viem/chains'
import type { ScratchServer } from '../../../store/test/scratch.ts'
import type { Store } from '../../../store/open.ts'
import type { ChainsConfig, NetworkConfig, TokenConfig } from '../../config.ts'
import { artifactOf } from '../../contracts/artifacts.ts'
import { Checks } from '../../deposits/checks.ts'
import { Crediting } from '../../deposits/crediting.ts'
import { Finder } from '../../deposits/finder.ts'
import { Poster } from '../../deposits/poster.ts'
import { addressOf } from '../../evm/build.ts'
import { forwarderAddress } from '../../evm/forwarder.ts'
import { readersOf } from '../../nodes.ts'
import { EvmPayoutChain } from '../../payout/evm/chain.ts'
import { feeTerms } from '../../payout/fees.ts'
import { Payout } from '../../payout/payout.ts'
import { FakeCore as Withdrawals, Signing } from '../../payout/test/people.ts'
import { nativeContract } from '../../ports.ts'
import { JsonRpc } from '../../rpc/json-rpc.ts'
import { Scanner } from '../../scan/scanner.ts'
import { addressOfKey } from '../../signer/chain-signer.ts'
import type { Payment } from '../../signer/statement.ts'
import type { Custody, PolicyJson } from '../../signer/test/custody.ts'
import { type Anvil, chainId, startAnvil } from '../../test/anvil.ts'
import { FakeCore as Deposits } from '../../test/core.ts'
import { token, uid } from '../../test/world.ts'
import { joined, OwnFlows } from '../flows.ts'
import { canonical, ownOf } from '../own.ts'
import { Treasury, type TreasuryOptions } from '../treasury.ts'

type Hex = `0x${string}`
export const finality = 6
export const thief: Hex = '0x00000000000000000000000000000000000bad00'
export const usdt: Asset = { id: 1 as AssetId, symbol: 'USDT', scale: 6 } as Asset
export const eth: Asset = { id: 2 as AssetId, symbol: 'ETH', scale: 8 } as Asset
/** Wei of one unit of the exchange. */
const unit = 10n ** 10n
const ether = token(nativeContract, { symbol: 'ETH', asset: eth.id, scale: 8, unit, min: 1_000_000 as Units })

export class EvmTreasuryLab implements AsyncDisposable {
  readonly anvil: Anvil
  readonly contract: Hex
  readonly factory: Hex
  readonly sinkKey: Uint8Array
  readonly signing: Signing
  readonly store: Store
  readonly deposits = new Deposits()
  readonly withdrawals = new Withdrawals()
  readonly log: string[] = []
  readonly #stack: AsyncDisposableStack
  /** What the core says besides; a test bends it. */
  bent = 0
  /** What is known of the token; a test asks a gate. */
  isTokenGood: (contract: string | undefined) => boolean | undefined = () => true
  /** From which sum on addresses are swept. */
  sweeping: { readonly sweepMin?: string } = {}
  /** ETH, where the network lists it. */
  coin: TokenConfig | undefined
  settled: readonly string[] = []

  private constructor(
    parts: Pick<EvmTreasuryLab, 'anvil' | 'contract' | 'factory' | 'sinkKey' | 'signing' | 'store'>,
    stack: AsyncDisposableStack,
  ) {
    ;({ anvil: this.anvil, contract: this.contract, factory: this.factory } = parts)
    ;({ sinkKey: this.sinkKey, signing: this.signing, store: this.store } = parts)
    this.#stack = stack
  }

  static async open(
    server: ScratchServer,
    change: (policy: PolicyJson, custody: Custody) => unknown = () => undefined,
  ): Promise<EvmTreasuryLab> {
    await using stack = new AsyncDisposableStack()
    const anvil = stack.use(await startAnvil({ finality }))
    const contract = await anvil.deploy('TestToken', [6])
    const sinkKey = secp256k1.utils.randomSecretKey()
    const sink = addressOfKey('evm', secp256k1.getPublicKey(sinkKey, false))
    const factory = await anvil.deploy('ForwarderFactory', [sink])
    const signing = stack.use(
      await Signing.start((policy, custody) => {
        const [network] = policy.networks
        if (network === undefined) throw new Error('no network')
        Object.assign(network, { chainId, feeMax: `${10n ** 17n}`, feeDay: `${10n ** 20n}`, caps: { payment: 1e9, hour: 1e9, day: 1e9 } })
        Object.assign(network, { sink, deposits: { factory } })
        Object.assign(network, {
          tokens: [
            { asset: 'USDT', contract, decimals: 6, cents: 100 },
            { asset: 'ETH', decimals: 18, cents: 400_000 },
          ],
        })
        change(policy, custody)
      }),
    )
    const store = stack.use(await server.store())
    const lab = new EvmTreasuryLab({ anvil, contract, factory, sinkKey, signing, store }, stack.move())
    const { hot, gas } = lab.network
    for (const address of [hot, gas, sink]) await anvil.client.setBalance({ address: address as Hex, value: 10n ** 21n })
    for (const to of [hot, anvil.owner]) await anvil.call(contract, 'TestToken', 'issue', [to, 10n ** 12n])
    await lab.mine(finality + 2)
    return lab
  }

  get network(): NetworkConfig {
    const { custody } = this.signing
    return {
      ...{ name: 'ethereum', number: 1, kind: 'evm', label: 'ERC20', chainId, nodes: [{ url: this.anvil.url }], confirmations: 3 },
      tokens: [
        { asset: 'USDT', contract: this.contract, decimals: 6, depositMin: '1', ...this.sweeping },
        ...(this.coin ? [this.coin] : []),
      ],
      settled: [...this.settled],
      ...{ hot: custody.from('evm'), gas: custody.gas('ethereum'), deposits: { factory: this.factory }, feeMax: `${10n ** 17n}` },
      sink: addressOfKey('evm', secp256k1.getPublicKey(this.sinkKey, false)),
    }
  }

  get config(): ChainsConfig {
    return { walletKey: '00'.repeat(32), signer: this.signing.custody.door, networks: [this.network] }
  }

  treasury(change: Partial<TreasuryOptions> = {}): Treasury {
    const { custody, link } = this.signing
    return new Treasury({
      ...{ pool: this.store.pool, config: this.config, assets: [usdt, eth], ask: { chainFlows: async () => this.flows() }, signer: link },
      ...{ sign: (digest) => custody.reconciliation.sign(digest), clock: Date.now, log: ({ message }) => void this.log.push(message) },
      ...{ waitMs: 0, ...change },
    })
  }

  /** What the core would say. */
  flows(): readonly ChainFlow[] {
    const about = { network: 1 as NetworkNumber, unfinal: 0 as Units }
    const of = (asset: AssetId, isCoin: boolean, digits: bigint): number => {
      const credited = [1, 2, 3, 4, 5, 6, 7, 8, 9].reduce((sum, user) => sum + this.deposits.balance(user, asset), 0)
      const payments = [...this.withdrawals.ended].flatMap(([number, isPaid]) =>
        isPaid ? [this.withdrawals.approvals.get(number)!.payment] : [],
      )
      const paid = payments.filter(({ contract }) => (contract === undefined) === isCoin).reduce((sum, { value }) => sum + value, 0n)
      return credited - Number(paid / digits)
    }
    return [
      { ...about, asset: usdt.id, flow: (of(usdt.id, false, 1n) + this.bent) as Units },
      { ...about, asset: eth.id, flow: of(eth.id, true, unit) as Units },
    ]
  }

  address(place: number): Hex {
    return forwarderAddress({ chainId, factory: this.factory }, place)
  }

  /** Customers 1 to `count`, each with the address at their place. */
  async customers(count: number): Promise<void> {
    for (let user = 1; user <= count; user++) {
      await this.store.pool.query(
        `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
         values ($1, $2, $3, $4, '', 0, 'en', $2, 'retail', 0)`,
        [randomUUID(), uid(user), user, `a${user}@example.com`],
      )
      await this.store.pool.query(
        `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
         select 'ethereum', $1, id, $2, $2, decode(repeat('00', 64), 'hex'), 0 from accounts where core_user = $2`,
        [this.address(user), user],
      )
    }
  }

  deposit(user: number, value: bigint): Promise<Hex> {
    return this.anvil.call(this.contract, 'TestToken', 'transfer', [this.address(user), value])
  }

  approve(withdrawal: number, value: bigint, isCoin = false): void {
    const payment: Payment = {
      ...{ withdrawal, user: 7, clientId: `w${withdrawal}`, network: 'ethereum', chainId, value },
      ...(isCoin ? {} : { contract: this.contract }),
      to: `0x${(0x1000000 + withdrawal).toString(16).padStart(40, '1')}`,
    }
    this.withdrawals.approvals.set(withdrawal, this.signing.approve(payment))
  }

  /** A transfer of the token that nobody ordered, signed with an own key. */
  steal(key: Uint8Array, value: bigint, to: Hex = thief): Promise<Hex> {
    const data = encodeFunctionData({ abi: artifactOf('TestToken').abi, functionName: 'transfer', args: [to, value] })
    return this.#send(key, { to: this.contract, data })
  }

  /** The same of the native coin. */
  stealCoin(key: Uint8Array, value: bigint, to: Hex = thief): Promise<Hex> {
    return this.#send(key, { to, value })
  }

  async #send(key: Uint8Array, call: { readonly to: Hex; readonly data?: Hex; readonly value?: bigint }): Promise<Hex> {
    const account = privateKeyToAccount(`0x${Buffer.from(key).toString('hex')}`)
    const wallet = createWalletClient({ account, chain: anvilChain, transport: http(this.anvil.url) })
    const nonce = await this.anvil.client.getTransactionCount({ address: account.address })
    return wallet.sendTransaction({ ...call, nonce, gas: 200_000n, maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 1n })
  }

  async mine(blocks: number): Promise<void> {
    await this.anvil.mine(blocks)
  }

  /** Blocks, all of them final in the end and read. */
  async settle(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      await this.work()
      await this.mine(finality + 2)
    }
    await this.work()
  }

  /** What the process of chains does in its loops. */
  async work(): Promise<void> {
    const { scanner, crediting, poster, payout } = this.#parts()
    while (await scanner.turn()) await crediting.turn()
    await crediting.turn()
    await poster.turn()
    await writeWarrants(this.store.pool, this.withdrawals)
    await payout.pass()
  }

  #parts() {
    const { pool } = this.store
    const { network, signing, withdrawals } = this
    const contract = canonical('evm', this.contract)
    const tokens = new Map([[contract, token(contract)], ...(this.coin ? [[nativeContract, ether] as const] : [])])
    const log = ({ message }: { message: string }): void => void this.log.push(message)
    const clock = Date.now
    const sink = joined([
      new Finder({ pool, network: 'ethereum', gas: canonical('evm', network.gas), tokens, clock }),
      new OwnFlows({ pool, own: ownOf(network) }),
    ])
    const readers = readersOf(network)
    const scanner = new Scanner({ network: 'ethereum', readers, pool, sink, log, from: 1 })
    const checks = new Checks({
      nodes: () => ({ reader: scanner.reader, other: undefined }),
      isAddressGood: async () => true,
      screen: async () => undefined,
      isTokenGood: this.isTokenGood,
    })
    const crediting = new Crediting({ pool, network: 'ethereum', confirmations: 3, tokens, checks, clock, log })
    const poster = new Poster({
      ...{
        pool,
        submit: this.deposits.submit,
        networkOf: () => 1 as NetworkNumber,
        assetOf: (symbol) => (symbol === 'ETH' ? eth.id : usdt.id),
        clock,
        log,
      },
    })
    const chain = new EvmPayoutChain({
      ...{ nodes: [new JsonRpc(this.anvil.url)], chainId, from: addressOf(network.hot), fees: { ...feeTerms, bumpMs: 100 } },
    })
    const { link: signer, signDead } = signing
    const { approved, finish } = withdrawals
    const { isTokenGood } = this
    const payout = new Payout({ pool, network: 'ethereum', chain, signer, signDead, approved, finish, isTokenGood })
    return { scanner, crediting, poster, payout }
  }

  /** Open findings, as `kind holder amount`. */
  async findings(): Promise<readonly { kind: string; holder: string; amount: string; txid: string; stops: boolean }[]> {
    const { rows } = await this.store.pool.query<{ kind: string; holder: string; amount: string; txid: string; stops: boolean }>(
      'select kind, holder, amount::text, txid, stops from treasury_findings where closed_at is null order by kind, id',
    )
    return rows
  }

  async balance(address: string): Promise<bigint> {
    const { abi } = artifactOf('TestToken')
    return (await this.anvil.client.readContract({ address: this.contract, abi, functionName: 'balanceOf', args: [address] })) as bigint
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#stack.disposeAsync()
  }
}

/** What the engine signed for each approved withdrawal, as its process writes it. */
export async function writeWarrants(pool: pg.Pool, { approvals }: Withdrawals): Promise<void> {
  for (const { payment, proofs } of approvals.values())
    await pool.query(
      'insert into payout_warrants (withdrawal, network, payment, engine, signed_at) values ($1, $2, $3, $4, 0) on conflict do nothing',
      [payment.withdrawal, payment.network, { ...payment, value: String(payment.value) }, proofs.engine],
    )
}
