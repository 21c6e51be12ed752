/** The test chains of a sandbox: Ethereum and TRON, each with a token, kept in a folder. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, http } from 'viem'
import { chainId } from '../trond/chain/block.ts'
import { slotMs } from '../trond/chain/node.ts'
import { startTrond } from '../trond/start.ts'
import { addressOf, toBase58 } from '../trond/wire/bytes.ts'
import { anvilChainId, startAnvil } from './anvil.ts'
import { deployOnAnvil, deployOnTron, hurried } from './deploy.ts'

export type TestChainsOptions = {
  readonly data: string
  /** Milliseconds between blocks; absent: 12 s on Ethereum and 3 s on TRON, as on the real ones. */
  readonly blockMs?: number
  /** The same for Ethereum alone, and blocks on top of a final one there. */
  readonly ethereumBlockMs?: number
  readonly finality?: number
  /** Ports on 127.0.0.1; absent: any free ones. */
  readonly ports?: { readonly ethereum: number; readonly tron: number; readonly tronSolid: number }
}

export type TestChains = AsyncDisposable & {
  readonly ethereum: { readonly url: string; readonly chainId: number; readonly token: `0x${string}` }
  readonly tron: { readonly url: string; readonly solidUrl: string; readonly chainId: number; readonly token: string }
}

type Tokens = { readonly ethereum?: `0x${string}`; readonly tron?: string }

const usualEthereumBlockMs = 12_000

/** Starts both chains. A token that its chain has is used again; else it is deployed, which takes a block. */
export async function startTestChains({ data, blockMs, ethereumBlockMs, finality, ports }: TestChainsOptions): Promise<TestChains> {
  mkdirSync(data, { recursive: true })
  await using stack = new AsyncDisposableStack()
  const anvil = stack.use(
    await startAnvil({
      ...{ data: join(data, 'ethereum'), blockMs: ethereumBlockMs ?? blockMs ?? usualEthereumBlockMs, port: ports?.ethereum ?? 0 },
      ...(finality === undefined ? {} : { finality }),
    }),
  )
  const trond = stack.use(
    await startTrond({ data: join(data, 'tron'), blockMs: blockMs ?? slotMs, port: ports?.tron ?? 0, solidPort: ports?.tronSolid ?? 0 }),
  )
  const file = join(data, 'tokens.json')
  const known = tokensIn(file)
  const code =
    known.ethereum === undefined ? undefined : await createPublicClient({ transport: http(anvil.url) }).getCode({ address: known.ethereum })
  const contract = known.tron === undefined ? undefined : trond.node.chain.state.contract(addressOf(known.tron) ?? '')
  const [ethereum, tron] = await Promise.all([
    known.ethereum !== undefined && code !== undefined ? known.ethereum : hurried(anvil.url, () => deployOnAnvil(anvil.url)),
    known.tron !== undefined && contract !== undefined ? known.tron : deployOnTron(trond.url).then(toBase58),
  ])
  writeFileSync(`${file}.new`, JSON.stringify({ ethereum, tron }))
  renameSync(`${file}.new`, file)
  const owned = stack.move()
  return {
    ethereum: { url: anvil.url, chainId: anvilChainId, token: ethereum },
    tron: { url: trond.url, solidUrl: trond.solidUrl, chainId, token: tron },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

function tokensIn(file: string): Tokens {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Tokens
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw cause
  }
}
