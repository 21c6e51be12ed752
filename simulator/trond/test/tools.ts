/** TronWeb as its users install it, and what tests need around a node. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { installIn } from '../../../tools/npm.ts'
import { rootKey } from '../chain/node.ts'

export type Unsigned = { readonly txID: string; readonly raw_data: { readonly [name: string]: unknown }; readonly raw_data_hex: string }
export type Signed = Unsigned & { readonly signature: readonly string[] }
export type Answer = { readonly result?: boolean; readonly txid?: string; readonly code?: string; readonly message?: string }

type Called = { call(): Promise<unknown>; send(options: object): Promise<string> }
export type TokenContract = { readonly address: string; readonly [method: string]: unknown }
type Options = { readonly [name: string]: unknown }

/** The part of TronWeb that tests call. */
export type TronWeb = {
  readonly defaultAddress: { readonly hex: string; readonly base58: string }
  readonly transactionBuilder: {
    sendTrx(to: string, sun: number, from?: string, options?: Options): Promise<Unsigned>
    createSmartContract(options: Options, from: string): Promise<Unsigned & { readonly contract_address: string }>
    triggerSmartContract(
      contract: string,
      signature: string,
      options: Options,
      parameters: readonly Options[],
      from?: string,
    ): Promise<{ readonly transaction: Unsigned }>
    triggerConstantContract(
      contract: string,
      signature: string,
      options: Options,
      parameters: readonly Options[],
      from?: string,
    ): Promise<{ readonly energy_used: number; readonly constant_result: readonly string[] }>
    estimateEnergy(
      contract: string,
      signature: string,
      options: Options,
      parameters: readonly Options[],
      from?: string,
    ): Promise<{ readonly energy_required: number }>
    updateAccountPermissions(owner: string, ownerPermission: Options, witness: null, actives: readonly Options[]): Promise<Unsigned>
  }
  readonly trx: {
    sign(transaction: Unsigned, key?: string): Promise<Signed>
    multiSign(transaction: Unsigned, key: string, permission?: number): Promise<Signed>
    sendRawTransaction(transaction: Signed): Promise<Answer>
    sendHexTransaction(hex: string): Promise<Answer>
    getBalance(address: string): Promise<number>
    getUnconfirmedBalance(address: string): Promise<number>
    getTransaction(id: string): Promise<Unsigned & { readonly ret: readonly { readonly contractRet: string }[] }>
    getTransactionInfo(id: string): Promise<Options>
    getUnconfirmedTransactionInfo(id: string): Promise<Options>
    getAccount(address: string): Promise<Options>
    getAccountResources(address: string): Promise<Options>
    getCurrentBlock(): Promise<{ readonly blockID: string; readonly block_header: { readonly raw_data: { readonly number: number } } }>
    getContract(address: string): Promise<Options>
  }
  readonly address: { fromPrivateKey(key: string): string; toHex(address: string): string; fromHex(hex: string): string }
  readonly utils: { readonly transaction: { txJsonToPb(transaction: Unsigned): unknown } }
  contract(abi: readonly unknown[], address: string): TokenContract
  fromSun(sun: number): string
}

type Module = {
  readonly TronWeb: new (options: {
    readonly fullNode: string
    readonly solidityNode: string
    readonly eventServer: string
    readonly privateKey: string
  }) => TronWeb
}

const heavy = join(import.meta.dirname, '../../../tools/heavy')

/** Connects TronWeb to a node, with the key of an account. */
export function tronWeb({ url, solidUrl }: { readonly url: string; readonly solidUrl: string }, privateKey: string = rootKey): TronWeb {
  installIn(heavy, 'TronWeb for the tests')
  const { TronWeb } = createRequire(join(heavy, 'package.json'))('tronweb') as Module
  return new TronWeb({ fullNode: url, solidityNode: solidUrl, eventServer: url, privateKey })
}

/** A method of a contract, with its arguments. */
export function method(contract: TokenContract, name: string, ...args: readonly unknown[]): Called {
  return (contract[name] as (...args: readonly unknown[]) => Called)(...args)
}

/** Sends a request to a node and gives its answer. */
export async function post<T = { readonly [name: string]: unknown }>(url: string, path: string, body: unknown = {}): Promise<T> {
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body) })
  return (await response.json()) as T
}
