/** A door of the test chains that sends test coins to an address: `POST /send {network, asset, to, amount}` answers `{txid}`. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWalletClient, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvil } from 'viem/chains'
import { rootKey } from '../trond/chain/node.ts'
import { anvilKey } from './anvil.ts'
import { artifactOf, decimals } from './deploy.ts'
import { tronArguments, tronHex } from './furnish.ts'
import type { TestChains } from './start.ts'
import { TronAccount } from './tron-account.ts'

export type Wanted = { readonly network: string; readonly asset: string; readonly to: string; readonly amount: string }

const bodyMax = 1_000

/** Serves on 127.0.0.1, any free port. */
export async function startFaucet(chains: TestChains): Promise<AsyncDisposable & { readonly url: string }> {
  // One at a time: each transaction of the paying account takes the next nonce.
  let turn: Promise<unknown> = Promise.resolve()
  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.method !== 'POST' || request.url !== '/send') return answer(404, { error: 'There is only POST /send' })
    turn = turn.then(async () => {
      try {
        answer(200, { txid: await send(chains, wantedOf(await bodyOf(request))) })
      } catch (cause) {
        answer(400, { error: cause instanceof Error ? cause.message : String(cause) })
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Sends and gives the transaction's id, without waiting for its block. throws  Error for unknown coins and addresses */
export function send(chains: TestChains, wanted: Wanted): Promise<string> {
  if (wanted.network === 'ethereum') return sendOnEthereum(chains.ethereum, wanted)
  if (wanted.network === 'tron') return sendOnTron(chains.tron, wanted)
  throw new Error(`There is no network ${wanted.network}`)
}

function sendOnEthereum({ url, chainId, token }: TestChains['ethereum'], { asset, to, amount }: Wanted): Promise<string> {
  const account = privateKeyToAccount(anvilKey)
  const wallet = createWalletClient({ chain: { ...anvil, id: chainId }, transport: http(url), cacheTime: 0, account })
  if (asset === 'ETH') return wallet.sendTransaction({ to: to as `0x${string}`, value: parseUnits(amount, 18) })
  if (asset !== 'USDT') throw new Error(`There is no ${asset} on Ethereum`)
  const { abi } = artifactOf('TestToken')
  return wallet.writeContract({ address: token, abi, functionName: 'transfer', args: [to, parseUnits(amount, decimals)] })
}

function sendOnTron({ url, token }: TestChains['tron'], { asset, to, amount }: Wanted): Promise<string> {
  const root = new TronAccount(url, rootKey)
  const value = parseUnits(amount, decimals)
  if (asset === 'TRX') return root.transfer(tronHex(to), Number(value))
  if (asset !== 'USDT') throw new Error(`There is no ${asset} on TRON`)
  return root.call(tronHex(token), 'transfer(address,uint256)', tronArguments(to, value))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > bodyMax) throw new Error('The request is too long')
  }
  return text
}

function wantedOf(text: string): Wanted {
  const given = JSON.parse(text) as Readonly<Record<keyof Wanted, unknown>>
  for (const name of ['network', 'asset', 'to', 'amount'] as const)
    if (typeof given[name] !== 'string') throw new Error(`${name} is missing`)
  const wanted = given as Wanted
  if (!/^[0-9]{1,9}(\.[0-9]{1,18})?$/.test(wanted.amount) || Number(wanted.amount) <= 0) throw new Error('amount is not a positive number')
  return wanted
}
