import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DepositState } from '../deposits/tables.ts'
import { evmReader } from '../evm/reader.ts'
import type { AuditedReader } from '../ports.ts'
import { chainId } from './anvil.ts'
import { dollars, evmWorlds } from './evm-world.ts'
import type { DepositWorld } from './world.ts'

const evm = evmWorlds()

const states = async (made: DepositWorld): Promise<readonly (readonly [DepositState, string | null])[]> =>
  (await made.deposits()).map(({ state, why }) => [state, why])

test('DEPOSIT-SCAN-001: after a stop the scanner reads what it missed, in shorter ranges when the node refuses long ones', async () => {
  const { pay, address, start } = await evm.chainWith()
  const widths: number[] = []
  const strict: AuditedReader = {
    ...evm.honest,
    transfers: (contracts, where) => {
      if ('from' in where) {
        const width = where.to - where.from + 1
        widths.push(width)
        if (width > 7) return evm.honest.transfers(contracts, { from: 1_000_000, to: 1_000_001 })
      }
      return evm.honest.transfers(contracts, where)
    },
  }
  await using made = await start({ readers: [strict] })
  await made.customer(7, address(7))
  await made.settle()
  for (let time = 0; time < 5; time++) {
    await pay(address(7), dollars(2))
    await evm.anvil.mine(9)
  }
  await made.settle()
  assert.equal(made.core.balance(7), 10_000_000)
  assert.ok(widths.some((width) => width > 7) && widths.some((width) => width > 1 && width <= 7), widths.join())
})

test('DEPOSIT-SCAN-002: a chain without a block that was final stops the scanner, and nothing is taken back', async () => {
  const { pay, address, start } = await evm.chainWith()
  let other: string | undefined
  const changing: AuditedReader = {
    ...evm.honest,
    block: async (at) => {
      const block = await evm.honest.block(at)
      return block && other !== undefined ? { ...block, hash: other } : block
    },
  }
  await using made = await start({ readers: [changing] })
  await made.customer(7, address(7))
  await pay(address(7), dollars(2))
  await evm.anvil.mine(12)
  await made.settle()
  other = `0x${'cd'.repeat(32)}`
  await assert.rejects(made.settle(), /was final and is another one now/)
  assert.deepEqual([await states(made), made.core.balance(7)], [[['final', null]], 2_000_000])
})

test('DEPOSIT-SCAN-003: a node that fails is replaced by the next one, and one of another chain is never read', async () => {
  const { pay, address, start } = await evm.chainWith()
  const dead = evmReader({ node: 'http://127.0.0.1:9', chainId })
  const foreign = evmReader({ node: evm.anvil.url, chainId: 1 })
  await using made = await start({ readers: [dead, foreign, evm.honest] })
  await made.customer(7, address(7))
  await pay(address(7), dollars(2))
  await evm.anvil.mine(4)
  const parts = made.parts()
  await assert.rejects(parts.scanner.turn(), /The node did not answer/)
  await assert.rejects(parts.scanner.turn(), /The node is of chain 31337 instead of 1/)
  await made.settle(parts)
  assert.equal(made.core.balance(7), 2_000_000)
})

test('DEPOSIT-SCAN-004: a node that has not come as far as the last one takes nothing back', async () => {
  const { pay, address, start } = await evm.chainWith()
  let behind = 0
  const lagging: AuditedReader = {
    ...evm.honest,
    head: async () => (await evm.honest.head()) - behind,
    final: async () => (await evm.honest.final()) - behind,
    block: async (at) => (typeof at === 'number' && at > (await evm.honest.head()) - behind ? undefined : evm.honest.block(at)),
  }
  await using made = await start({ readers: [lagging] })
  await made.customer(7, address(7))
  await pay(address(7), dollars(2))
  await evm.anvil.mine(3)
  await made.settle()
  behind = 2
  await made.settle()
  assert.deepEqual([await states(made), made.core.balance(7)], [[['credited', null]], 2_000_000])
  // So far behind that nothing can be compared.
  behind = 20
  await assert.rejects(made.settle(), /below what was final/)
  behind = 0
  await evm.anvil.mine(9)
  await made.settle()
  assert.deepEqual([await states(made), made.core.carried.length], [[['final', null]], 2])
})
