/** Deposits on the chain of a payout lab, read by a machine that is replaced at any moment. */
import type { NetworkNumber, UserId } from '@candor/core/protocol/ids.ts'
import { type EvmLab } from '../../server/chains/payout/test/evm-lab.ts'
import { Random } from '../../server/chains/payout/test/fuzz.ts'
import type { TronLab } from '../../server/chains/payout/test/tron-lab.ts'
import { evmReader } from '../../server/chains/evm/reader.ts'
import type { AuditedReader } from '../../server/chains/ports.ts'
import { NodeFault } from '../../server/chains/rpc/json-rpc.ts'
import { chainId } from '../../server/chains/test/anvil.ts'
import { DepositWorld, token } from '../../server/chains/test/world.ts'
import { fromBase58, fromHex20 } from '../../server/chains/tron/address.ts'
import { tronReader } from '../../server/chains/tron/reader.ts'
import { Lost } from './engine-side.ts'

export const networkOf = (name: string): NetworkNumber => (name === 'tron' ? 2 : 1) as NetworkNumber

export class DepositsBeside {
  readonly world: DepositWorld
  readonly reader: AuditedReader
  readonly #lab: EvmLab | TronLab
  readonly #users: readonly UserId[]
  readonly #contract: string

  constructor(lab: EvmLab | TronLab, store: DepositWorld['store'], users: readonly UserId[]) {
    this.#lab = lab
    this.#users = users
    this.#contract = lab.contract
    this.reader =
      lab.kind === 'evm'
        ? evmReader({ node: (lab as EvmLab).anvil.url, chainId })
        : tronReader({ node: (lab as TronLab).trond.solidUrl, chainId: (lab as TronLab).trond.chainId })
    this.world = new DepositWorld(store, {
      ...{ readers: [this.reader], tokens: [token(lab.contract)], networkOf, network: lab.kind === 'evm' ? 'ethereum' : 'tron' },
      confirmations: lab.kind === 'evm' ? 2 : 0,
    })
  }

  async open(): Promise<void> {
    for (const user of this.#users) await this.world.customer(user, this.addressOf(user))
    const supply = 10n ** 12n
    if (this.#lab.kind === 'evm')
      await (this.#lab as EvmLab).anvil.call(this.#contract as `0x${string}`, 'TestToken', 'issue', [
        (this.#lab as EvmLab).anvil.owner,
        supply,
      ])
    else
      await (this.#lab as TronLab).trond.asRoot(
        '/wallet/triggersmartcontract',
        this.#call('issue(address,uint256)', (this.#lab as TronLab).trond.root, supply),
      )
    // No reorganization takes the coins away again.
    await this.#lab.mine(this.#lab.finality + 2)
  }

  addressOf(user: UserId): string {
    const digits = `5${String(user).padStart(39, '0')}`
    return this.#lab.kind === 'evm' ? `0x${digits}` : fromHex20(`0x${digits}`)
  }

  /** Sends a deposit and makes a block. One that a fault of the node loses is none. */
  async pay(random: Random): Promise<void> {
    const to = this.addressOf(this.#users[random.below(this.#users.length)]!)
    const value = BigInt(1_000_000 + random.below(5_000_000))
    if (this.#lab.kind === 'evm') {
      const { anvil } = this.#lab as EvmLab
      await anvil.recount()
      await anvil.call(this.#contract as `0x${string}`, 'TestToken', 'transfer', [to, value])
    } else
      await (this.#lab as TronLab).trond
        .asRoot('/wallet/triggersmartcontract', this.#call('transfer(address,uint256)', to, value), 0)
        .catch(() => undefined)
    await this.#lab.mine(1)
  }

  /** What a process that knows nothing of the earlier one does next. */
  async turn(): Promise<void> {
    const { scanner, crediting, poster } = this.world.parts()
    for (const work of [() => scanner.turn(), () => crediting.turn(), () => poster.turn()])
      await work().catch((cause: unknown) => {
        if (!(cause instanceof Lost || cause instanceof NodeFault)) throw cause
      })
  }

  /** What came to a customer, by the chain. */
  onChain(user: UserId): Promise<bigint> {
    return this.reader.balance(this.addressOf(user), this.#contract)
  }

  #call(selector: string, to: string, value: bigint) {
    const word = (hex: string): string => hex.padStart(64, '0')
    const hex = to.startsWith('41') ? to.slice(2) : Buffer.from(fromBase58(to).subarray(1)).toString('hex')
    return {
      ...{ contract_address: this.#contract, function_selector: selector, fee_limit: 100_000_000 },
      parameter: word(hex) + word(value.toString(16)),
    }
  }
}
