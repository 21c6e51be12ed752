/** Deposits and a treasury beside the payouts of a TRON node. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Units } from '@candor/core/money/brand.ts'
import type { AssetId, NetworkNumber } from '@candor/core/protocol/ids.ts'
import type { Asset } from '@candor/core/protocol/market.ts'
import type { NetworkConfig, TokenConfig } from '../../config.ts'
import { Checks } from '../../deposits/checks.ts'
import { Crediting } from '../../deposits/crediting.ts'
import { Finder } from '../../deposits/finder.ts'
import { Poster } from '../../deposits/poster.ts'
import { solidAfter, type TronLab } from '../../payout/test/tron-lab.ts'
import { Scanner } from '../../scan/scanner.ts'
import { checked } from '../../signer/chain-signer.ts'
import { sinkTron, softSigner } from '../../signer/test/custody.ts'
import { FakeCore as Deposits } from '../../test/core.ts'
import { token, uid } from '../../test/world.ts'
import { fromBase58 } from '../../tron/address.ts'
import { assembleTron, buildTron } from '../../tron/build.ts'
import { TronAddresses } from '../../tron/deposit-addresses.ts'
import { readersOf } from '../../nodes.ts'
import { nativeContract } from '../../ports.ts'
import { joined, OwnFlows } from '../flows.ts'
import { ownOf } from '../own.ts'
import { Treasury } from '../treasury.ts'
import { usdt, writeWarrants } from './evm-lab.ts'

const trx: Asset = { id: 3 as AssetId, symbol: 'TRX', scale: 4 } as Asset
/** Sun of one unit of the exchange. */
const unit = 100n
const tronCoin = token(nativeContract, { symbol: 'TRX', asset: trx.id, scale: 4, unit, min: 10_000 as Units })
const word = (hex: string): string => hex.padStart(64, '0')
const hex20 = (address: string): string => Buffer.from(fromBase58(address).subarray(1)).toString('hex')

export class TronTreasuryLab {
  readonly lab: TronLab
  readonly deposits = new Deposits()
  readonly log: string[] = []
  /** TRX, where the network lists it. */
  readonly coin: TokenConfig | undefined

  private constructor(lab: TronLab, coin: TokenConfig | undefined) {
    this.lab = lab
    this.coin = coin
  }

  static async open(lab: TronLab, coin?: TokenConfig): Promise<TronTreasuryLab> {
    const world = new TronTreasuryLab(lab, coin)
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
      ...{ confirmations: 0, tokens: [{ asset: 'USDT', contract, decimals: 6, depositMin: '1' }, ...(this.coin ? [this.coin] : [])] },
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
    const about = { network: 2 as NetworkNumber, unfinal: 0 as Units }
    const flow = (asset: AssetId, isCoin: boolean, digits: bigint): Units =>
      ([1, 2].reduce((sum, user) => sum + this.deposits.balance(user, asset), 0) - Number(this.#paid(isCoin) / digits)) as Units
    return new Treasury({
      ...{
        pool: lab.store.pool,
        config: { walletKey: '00'.repeat(32), signer: '', networks: [network] },
        assets: [usdt, trx],
        signer: link,
      },
      ask: {
        chainFlows: async () => [
          { ...about, asset: usdt.id, flow: flow(usdt.id, false, 1n) },
          { ...about, asset: trx.id, flow: flow(trx.id, true, unit) },
        ],
      },
      ...{ sign: (digest) => custody.reconciliation.sign(digest), clock: lab.now, log: ({ message }) => void this.log.push(message) },
      ...{ waitMs: 0, sweeping: { lifeMs: 60_000, times: { retryMs: 0 } } },
    })
  }

  #paid(isCoin: boolean): bigint {
    const { core } = this.lab
    const payments = [...core.ended].flatMap(([number, isPaid]) => (isPaid ? [core.approvals.get(number)!.payment] : []))
    return payments.filter(({ contract }) => (contract === undefined) === isCoin).reduce((sum, { value }) => sum + value, 0n)
  }

  async work(): Promise<void> {
    const { pool } = this.lab.store
    const { contract, now: clock } = this.lab
    const tokens = new Map([[contract, token(contract)], ...(this.coin ? [[nativeContract, tronCoin] as const] : [])])
    const log = ({ message }: { message: string }): void => void this.log.push(message)
    const sink = joined([
      new Finder({ pool, network: 'tron', gas: this.network.gas, tokens, clock }),
      new OwnFlows({ pool, own: ownOf(this.network) }),
    ])
    const scanner = new Scanner({ network: 'tron', readers: readersOf(this.network), pool, sink, log, from: 1 })
    const nodes = () => ({ reader: scanner.reader, other: undefined })
    const checks = new Checks({ nodes, isAddressGood: async () => true, screen: async () => undefined, isTokenGood: () => true })
    const crediting = new Crediting({ pool, network: 'tron', confirmations: 0, tokens, checks, clock, log })
    const about = { networkOf: () => 2 as NetworkNumber, assetOf: (symbol: string) => (symbol === 'TRX' ? trx.id : usdt.id), clock, log }
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
    return this.lab.rows<{ kind: string; holder: string; contract: string; amount: string; stops: boolean }>(
      'select kind, holder, contract, amount::text, stops from treasury_findings where closed_at is null order by id',
    )
  }

  /** Sends TRX. */
  pay(to: string, sun: number): Promise<unknown> {
    return this.lab.trond.asRoot('/wallet/createtransaction', { to_address: to, amount: sun })
  }

  /** A transfer of the token, or of TRX, that nobody ordered. */
  async steal(key: Uint8Array, from: string, value: bigint, isCoin = false): Promise<void> {
    const { trond, contract, now } = this.lab
    const { blockID } = await trond.post<{ blockID: string }>('/wallet/getnowblock')
    const times = { timestamp: now(), expiration: now() + 60_000 }
    const slot = {
      kind: 'tron',
      refBytes: blockID.slice(12, 16),
      refHash: blockID.slice(16, 32),
      ...times,
      feeLimit: isCoin ? 0 : 50_000_000,
    } as const
    const intent = { withdrawal: 0, network: 'tron', chainId: trond.chainId, to: trond.root, value, ...(isCoin ? {} : { contract }) }
    const unsigned = buildTron(intent, slot, from)
    const signer = softSigner(key)
    const { raw } = assembleTron(unsigned, checked(unsigned.digest, await signer.sign(unsigned), signer.publicKey))
    const sent = await trond.post('/wallet/broadcasthex', { transaction: raw })
    assert.equal(sent['result'], true, JSON.stringify(sent))
  }
}
