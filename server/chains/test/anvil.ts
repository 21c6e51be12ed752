import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { createTestClient, createWalletClient, encodeDeployData, encodeFunctionData, getContractAddress, http, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil as chain } from 'viem/chains'
import { z } from 'zod'
import { JsonRpc } from '../rpc/json-rpc.ts'
import { artifactOf, type ContractName } from '../contracts/artifacts.ts'

type Hex = `0x${string}`
/** The first key of every anvil; worth nothing anywhere else. */
const firstKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const chainId = 31_337

const binary = join(dirname(createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/package.json')), 'bin/anvil')

export type Anvil = Awaited<ReturnType<typeof startAnvil>>

type AnvilOptions = {
  readonly finality?: number
  readonly accounts?: number
  /** The time of the first block, from which the chain's clock runs. Unix milliseconds. Default: now. */
  readonly from?: number
}

/** An Ethereum node of its own. Blocks come on demand; those deeper than `finality` are final. */
export async function startAnvil({ finality = 8, accounts = 1, from = Date.now() }: AnvilOptions = {}) {
  const [slots, second] = [Math.ceil(finality / 2), Math.floor(from / 1000)]
  const node = spawn(
    binary,
    [
      '--port',
      '0',
      '--slots-in-an-epoch',
      `${slots}`,
      '--no-mining',
      '--accounts',
      `${accounts}`,
      '--order',
      'fifo',
      '--timestamp',
      `${second}`,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const ended = new Promise((resolve) => node.once('exit', resolve))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: node.stdout }).on('line', (line) => {
      const found = /^Listening on (.+)$/.exec(line)
      if (found) resolve(`http://${found[1]}`)
    })
    void ended.then(() => reject(new Error('anvil ended')))
  })
  const client = createTestClient({ mode: 'anvil', chain, transport: http(url), cacheTime: 0 }).extend(publicActions)
  const rpc = new JsonRpc(url)
  const owner = privateKeyToAccount(firstKey)
  const wallet = createWalletClient({ account: owner, chain, transport: http(url) })
  let nonce = 0
  const fees = { gas: 200_000n, maxFeePerGas: 1_000_000_000_000n, maxPriorityFeePerGas: 1n }
  return {
    url,
    client,
    owner: owner.address,
    mine: (blocks = 1) => client.mine({ blocks }),
    /** Signs a transaction of the owner without sending it. */
    async call(
      to: Hex,
      name: ContractName,
      functionName: string,
      args: readonly unknown[],
      more: { readonly gas?: bigint } = {},
    ): Promise<Hex> {
      const data = encodeFunctionData({ abi: artifactOf(name).abi, functionName, args })
      return wallet.sendTransaction({ ...fees, ...more, to, data, nonce: nonce++ })
    },
    /** Sends the network's own coin. */
    pay: (to: Hex, value: bigint): Promise<Hex> => wallet.sendTransaction({ ...fees, to, value, nonce: nonce++ }),
    /** Puts a contract on the chain in a block of its own. */
    async deploy(name: ContractName, args: readonly unknown[]): Promise<Hex> {
      const { abi, bytecode } = artifactOf(name)
      const address = getContractAddress({ from: owner.address, nonce: BigInt(nonce) })
      await wallet.sendTransaction({ ...fees, gas: 5_000_000n, data: encodeDeployData({ abi, bytecode, args }), nonce: nonce++ })
      await client.mine({ blocks: 1 })
      return address
    },
    /** Counts the owner's transactions anew, after a reorganization dropped some. */
    async recount(): Promise<void> {
      nonce = await client.getTransactionCount({ address: owner.address })
    },
    /** Replaces the last blocks by as many without their transactions, but with these. */
    reorg: (depth: number, transactions: readonly (readonly [raw: Hex, block: number])[] = []) =>
      rpc.call('anvil_reorg', [depth, transactions], z.unknown()),
    async [Symbol.asyncDispose]() {
      node.kill('SIGKILL')
      await ended
    },
  }
}
