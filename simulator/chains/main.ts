/**
 * The test chains of a sandbox as a process: `node simulator/chains/main.ts FOLDER ADDRESSES`. `ADDRESSES`: the exchange's own, as JSON.
 * Tells its parent where everything is, and ends with it.
 */
import { startFaucet } from './faucet.ts'
import { furnish, type OwnAddresses } from './furnish.ts'
import { startTestChains, type TestChains } from './start.ts'

/** What the parent is told. */
export type ChainsReady = Pick<TestChains, 'ethereum' | 'tron'> & {
  readonly type: 'ready'
  readonly factory: string
  readonly faucet: string
}

/** Faster than the real network, so that nobody waits long for a block or for a final one. */
const ethereumBlockMs = 3_000
const finality = 16

const [folder, addresses] = process.argv.slice(2)
if (folder === undefined || addresses === undefined) throw new Error('Usage: node simulator/chains/main.ts FOLDER ADDRESSES')
const own = JSON.parse(addresses) as { readonly ethereum: OwnAddresses & { readonly anchor?: string }; readonly tron: OwnAddresses }

await using parts = new AsyncDisposableStack()
const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  process.once('disconnect', () => resolve())
})
const chains = parts.use(await startTestChains({ data: folder, ethereumBlockMs, finality }))
const { factory } = await furnish(folder, chains, own)
const faucet = parts.use(await startFaucet(chains))
const { ethereum, tron } = chains
process.send?.({ type: 'ready', ethereum, tron, factory, faucet: faucet.url } satisfies ChainsReady)
await ended
if (process.connected) process.disconnect?.()
