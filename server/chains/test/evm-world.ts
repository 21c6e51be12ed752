import { after, before } from 'node:test'
import { forwarderAddress } from '../evm/forwarder.ts'
import { evmReader } from '../evm/reader.ts'
import type { AuditedReader } from '../ports.ts'
import { type Anvil, chainId, startAnvil } from './anvil.ts'
import { depositWorlds, token, type WorldOptions } from './world.ts'

const sink = '0x00000000000000000000000000000000000000c0'

/** Anvil for the tests of a file, a node that tells the truth, and worlds of deposits on it. */
export function evmWorlds() {
  const world = depositWorlds()
  let anvil: Anvil
  let honest: AuditedReader
  before(async () => {
    anvil = await startAnvil()
    honest = evmReader({ node: anvil.url, chainId })
  })
  after(() => anvil[Symbol.asyncDispose]())
  return {
    world,
    get anvil(): Anvil {
      return anvil
    },
    get honest(): AuditedReader {
      return honest
    },
    /** A chain with a token, and its addresses for customers. */
    async chainWith(name: 'TestToken' | 'TestTokenFalse' = 'TestToken', digits = 6) {
      const usdt = await anvil.deploy(name, [digits])
      const factory = await anvil.deploy('ForwarderFactory', [sink])
      await anvil.call(usdt, name, 'issue', [anvil.owner, 10n ** 15n])
      await anvil.mine()
      const pay = (to: string, value: bigint) => anvil.call(usdt, name, 'transfer', [to, value])
      const from = (await honest.head()) + 1
      const address = (place: number) => forwarderAddress({ chainId, factory }, place)
      const start = (more: Partial<WorldOptions> = {}) => world({ readers: [honest], tokens: [token(usdt)], from, ...more })
      return { usdt, pay, from, address, start }
    },
  }
}

export const dollars = (sum: number): bigint => BigInt(Math.round(sum * 1e6))
