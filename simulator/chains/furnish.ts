/** What a sandbox's test chains need besides tokens: the factory of deposit addresses, and coins for the exchange's own addresses. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPublicClient, createWalletClient, http, parseEther } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { rootKey } from '../trond/chain/node.ts'
import { anvilKey } from './anvil.ts'
import { artifactOf, decimals, hurried } from './deploy.ts'
import type { TestChains } from './start.ts'
import { addressOf } from '../trond/wire/bytes.ts'
import { TronAccount } from './tron-account.ts'

/** The exchange's own addresses on a network. */
export type OwnAddresses = { readonly hot: string; readonly gas: string; readonly sink: string }
export type Furnished = { readonly factory: `0x${string}`; readonly isAnchorPaid?: boolean }

/** What the hot wallets hold at first, in whole coins. */
export const firstHot = { USDT: 1_000_000, ETH: 1_000, TRX: 1_000_000 } as const

const sunPerTrx = 1_000_000
const usdt = (whole: number): bigint => BigInt(whole) * 10n ** BigInt(decimals)
/** What the faucet has to give. Issuing tells no transfer, so it can't be a deposit. */
const faucetUsdt = usdt(1_000_000_000)

/** Carried out once: a file in the folder says what was done. */
export async function furnish(
  data: string,
  chains: TestChains,
  own: { readonly ethereum: OwnAddresses & { readonly anchor?: string }; readonly tron: OwnAddresses },
): Promise<Furnished> {
  const file = join(data, 'furnished.json')
  try {
    const furnished = JSON.parse(readFileSync(file, 'utf8')) as Furnished
    if (furnished.isAnchorPaid === true || own.ethereum.anchor === undefined) return furnished
    // Furnished by a version that wrote no heads.
    await hurried(chains.ethereum.url, () => payAnchor(chains, own.ethereum.anchor!))
    const all = { ...furnished, isAnchorPaid: true }
    writeFileSync(file, JSON.stringify(all))
    return all
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
  const [factory] = await Promise.all([hurried(chains.ethereum.url, () => onEthereum(chains, own.ethereum)), onTron(chains, own.tron)])
  const { anchor } = own.ethereum
  if (anchor !== undefined) await hurried(chains.ethereum.url, () => payAnchor(chains, anchor))
  const furnished = { factory, ...(anchor === undefined ? {} : { isAnchorPaid: true }) }
  writeFileSync(file, JSON.stringify(furnished))
  return furnished
}

type Hex = `0x${string}`

async function onEthereum({ ethereum }: TestChains, { hot, gas, sink }: OwnAddresses): Promise<Hex> {
  const transport = http(ethereum.url)
  const options = { chain: { ...anvil, id: ethereum.chainId }, transport, cacheTime: 0 }
  const wallet = createWalletClient({ ...options, account: privateKeyToAccount(anvilKey) })
  const reader = createPublicClient(options)
  const settled = (hash: Hex) => reader.waitForTransactionReceipt({ hash, pollingInterval: 50 })
  const { abi, bytecode } = artifactOf('ForwarderFactory')
  const { contractAddress } = await settled(await wallet.deployContract({ abi, bytecode, args: [sink] }))
  const token = artifactOf('TestToken')
  const shares = [
    [hot, usdt(firstHot.USDT)],
    [wallet.account.address, faucetUsdt],
  ]
  for (const args of shares)
    await settled(await wallet.writeContract({ address: ethereum.token, abi: token.abi, functionName: 'issue', args }))
  for (const to of [hot, gas]) await settled(await wallet.sendTransaction({ to: to as Hex, value: parseEther(String(firstHot.ETH)) }))
  if (contractAddress === null || contractAddress === undefined) throw new Error('the receipt has no contract')
  return contractAddress
}

/** Coins for the fees of the transactions that carry heads. */
async function payAnchor({ ethereum }: TestChains, anchor: string): Promise<void> {
  const options = { chain: { ...anvil, id: ethereum.chainId }, transport: http(ethereum.url), cacheTime: 0 }
  const wallet = createWalletClient({ ...options, account: privateKeyToAccount(anvilKey) })
  const hash = await wallet.sendTransaction({ to: anchor as Hex, value: parseEther('10') })
  await createPublicClient(options).waitForTransactionReceipt({ hash, pollingInterval: 50 })
}

async function onTron({ tron }: TestChains, { hot, gas }: OwnAddresses): Promise<void> {
  const root = new TronAccount(tron.url, rootKey)
  const issue = (to: string, value: bigint): Promise<string> =>
    root.call(tronHex(tron.token), 'issue(address,uint256)', tronArguments(to, value))
  const sent = [await issue(hot, usdt(firstHot.USDT)), await issue(root.address, faucetUsdt)]
  for (const to of [hot, gas]) sent.push(await root.transfer(tronHex(to), firstHot.TRX * sunPerTrx))
  for (const txid of sent) await root.settled(txid)
}

/** An address of TRON as hex of 21 bytes. throws  Error for other text */
export function tronHex(address: string): string {
  const hex = addressOf(address)
  if (hex === undefined) throw new Error(`${address} is no address of TRON`)
  return hex
}

/** An address and a number as a contract's arguments. */
export function tronArguments(to: string, value: bigint): string {
  return tronHex(to).slice(2).padStart(64, '0') + value.toString(16).padStart(64, '0')
}
