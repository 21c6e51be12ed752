/** Puts test tokens on test chains. They behave like USDT: on Ethereum `transfer` returns nothing, on TRON it returns false. */
import { readFileSync } from 'node:fs'
import { type Abi, createPublicClient, createWalletClient, encodeAbiParameters, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { anvilKey } from './anvil.ts'
import { TronAccount } from './tron-account.ts'
import { rootKey } from '../trond/chain/node.ts'

export type ContractName = 'TestToken' | 'TestTokenFalse' | 'ForwarderFactory'
export type Artifact = { readonly abi: Abi; readonly bytecode: `0x${string}` }

export const decimals = 6
const hurryMs = 100
const folder = new URL('../../server/chains/contracts/artifacts/', import.meta.url)
const numberInput = [{ type: 'uint8' }] as const

/** The compiled contract. Its constructor takes the number of decimals; its owner issues tokens to anybody. */
export function artifactOf(name: ContractName): Artifact {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Artifact
}

/** Makes blocks on Anvil until the work, which waits for some, is done: nobody waits for its clock. */
export async function hurried<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
  const headers = { 'content-type': 'application/json' }
  let isDone = false
  const mining = (async () => {
    while (!isDone) {
      await (await fetch(url, { method: 'POST', headers, body })).text()
      await new Promise((resolve) => setTimeout(resolve, hurryMs))
    }
  })()
  try {
    return await work()
  } finally {
    isDone = true
    await mining
  }
}

/** Deploys the token by Anvil's first account, its owner, and waits for the block. On a node that mines on demand somebody has to. */
export async function deployOnAnvil(url: string): Promise<`0x${string}`> {
  const { abi, bytecode } = artifactOf('TestToken')
  const transport = http(url)
  const id = await createPublicClient({ transport }).getChainId()
  const chain = { chain: { ...anvil, id }, transport, cacheTime: 0 }
  const wallet = createWalletClient({ ...chain, account: privateKeyToAccount(anvilKey) })
  const hash = await wallet.deployContract({ abi, bytecode, args: [decimals] })
  const { contractAddress } = await createPublicClient(chain).waitForTransactionReceipt({ hash, pollingInterval: 100 })
  if (contractAddress === null || contractAddress === undefined) throw new Error('the receipt has no contract')
  return contractAddress
}

/**
 * Deploys the token by the root account, its owner, and waits for the block.
 *
 * returns  its address as hex of 21 bytes
 */
export async function deployOnTron(url: string): Promise<string> {
  const { abi, bytecode } = artifactOf('TestTokenFalse')
  const account = new TronAccount(url, rootKey)
  const { contract, txid } = await account.deploy(bytecode, abi, encodeAbiParameters(numberInput, [decimals]).slice(2))
  await account.settled(txid)
  return contract
}
