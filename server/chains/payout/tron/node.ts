/** One node of TRON by its HTTP interface. Its answers have no envelope, so each has a strict shape. */
import { z } from 'zod'
import { checked, NodeFault, postJson } from '../../rpc/json-rpc.ts'

const hex = z.string().regex(/^[0-9a-f]*$/i)
const id = hex.length(64)
const blockShape = z.object({
  blockID: id,
  block_header: z.object({ raw_data: z.object({ number: z.number().int().default(0), timestamp: z.number().int().default(0) }) }),
})
const infoShape = z.object({
  id,
  blockNumber: z.number().int(),
  fee: z.number().int().default(0),
  result: z.string().optional(),
  receipt: z.object({ result: z.string().optional() }).optional(),
  log: z.array(z.object({ address: hex.length(40), topics: z.array(hex).default([]), data: hex.default('') })).default([]),
})
/** A transaction that the node does not have is an empty object. */
const foundShape = z.union([infoShape, z.strictObject({})])
const callShape = z.object({
  result: z.object({ result: z.boolean().optional(), code: z.string().optional(), message: z.string().optional() }),
  energy_used: z.number().int().optional(),
  constant_result: z.array(hex).optional(),
  transaction: z.object({ ret: z.array(z.object({ ret: z.string().optional() })).optional() }).optional(),
})
const parametersShape = z.object({ chainParameter: z.array(z.object({ key: z.string(), value: z.number().int().optional() })) })
const accountShape = z.object({ address: z.string().optional(), balance: z.number().int().default(0), type: z.string().optional() })
const resourcesShape = z.object({ EnergyLimit: z.number().int().default(0), EnergyUsed: z.number().int().default(0) })
const sentShape = z.object({ result: z.boolean().optional(), code: z.string().optional(), message: z.string().optional() })

export type TronInfo = z.output<typeof infoShape>
export type TronBlock = { readonly id: string; readonly number: number; readonly at: number }

/** `url`: the full node. `solidUrl`: its solidity interface, which knows nothing that can still vanish. */
export type TronNodeUrls = { readonly url: string; readonly solidUrl: string }

export class TronNode {
  readonly #urls: TronNodeUrls
  readonly #chainId: number
  #isRight = false

  constructor(urls: TronNodeUrls, chainId: number) {
    this.#urls = urls
    this.#chainId = chainId
  }

  /** A node of another chain is never asked: the last four bytes of its first block's id tell. throws  NodeFault */
  async checkChain(): Promise<void> {
    if (this.#isRight) return
    const first = await this.#full('getblockbynum', { num: 0 }, blockShape)
    if (Number.parseInt(first.blockID.slice(-8), 16) !== this.#chainId) throw new NodeFault('The node is of another chain of TRON')
    this.#isRight = true
  }

  async solid(): Promise<TronBlock> {
    const { blockID, block_header } = await this.#solid('getnowblock', {}, blockShape)
    return { id: blockID, number: block_header.raw_data.number, at: block_header.raw_data.timestamp }
  }

  /** What became of a transaction, by the solid blocks alone or by all. */
  async info(txid: string, isSolid: boolean): Promise<TronInfo | undefined> {
    const body = { value: txid }
    const found = await (isSolid
      ? this.#solid('gettransactioninfobyid', body, foundShape)
      : this.#full('gettransactioninfobyid', body, foundShape))
    if (typeof found.id !== 'string') return undefined
    if (found.id !== txid) throw new NodeFault('The node answered with another transaction than asked for')
    return found as TronInfo
  }

  /** The energy of a call, or undefined when it fails. */
  async call(from: string, contract: string, selector: string, parameter: string) {
    const { result, energy_used, constant_result, transaction } = await this.#full(
      'triggerconstantcontract',
      { owner_address: from, contract_address: contract, function_selector: selector, parameter, visible: true },
      callShape,
    )
    const isFailed = result.message !== undefined || transaction?.ret?.some(({ ret }) => ret !== undefined && ret !== 'SUCESS') === true
    if (result.result !== true || isFailed || energy_used === undefined) return undefined
    return { energy: BigInt(energy_used), output: constant_result?.[0] ?? '' }
  }

  async sunPerEnergy(): Promise<bigint> {
    const { chainParameter } = await this.#full('getchainparameters', {}, parametersShape)
    const found = chainParameter.find(({ key }) => key === 'getEnergyFee')?.value
    if (found === undefined) throw new NodeFault('The node does not tell the price of energy')
    return BigInt(found)
  }

  async balance(address: string): Promise<bigint> {
    return BigInt((await this.#account(address)).balance)
  }

  /** No transfer of TRX to a contract is ever in a block. */
  async isContract(address: string): Promise<boolean> {
    return (await this.#account(address)).type === 'Contract'
  }

  /** Whether the address has no account yet. */
  async isNew(address: string): Promise<boolean> {
    return (await this.#account(address)).address === undefined
  }

  /** Energy that the address need not pay for. */
  async energyLeft(address: string): Promise<bigint> {
    const { EnergyLimit, EnergyUsed } = await this.#full('getaccountresource', { address, visible: true }, resourcesShape)
    return BigInt(Math.max(0, EnergyLimit - EnergyUsed))
  }

  broadcast(raw: string): Promise<z.output<typeof sentShape>> {
    return this.#full('broadcasthex', { transaction: raw }, sentShape)
  }

  #account(address: string): Promise<z.output<typeof accountShape>> {
    return this.#full('getaccount', { address, visible: true }, accountShape)
  }

  async #full<Shape extends z.ZodType>(method: string, body: object, shape: Shape): Promise<z.output<Shape>> {
    return checked(method, refuseErrors(await postJson(`${this.#urls.url}/wallet/${method}`, body)), shape)
  }

  async #solid<Shape extends z.ZodType>(method: string, body: object, shape: Shape): Promise<z.output<Shape>> {
    return checked(method, refuseErrors(await postJson(`${this.#urls.solidUrl}/walletsolidity/${method}`, body)), shape)
  }
}

/** A node that is busy says so with status 200. throws  NodeFault */
function refuseErrors(answer: unknown): unknown {
  if (typeof answer === 'object' && answer !== null && 'Error' in answer) throw new NodeFault(`The node failed: ${String(answer.Error)}`)
  return answer
}
