/**
 * Looks at a token on TRON: what its code offers, and what a transfer by somebody who has some would do. Its nodes take no assumed
 * balances, and tell no balances after a call, so that the logs of the transfer are all that is seen of it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { checked, NodeFault, postJson } from '../rpc/json-rpc.ts'
import { fromHex20, toHex20 } from '../tron/address.ts'
import { compared, decimalsOf, numberOf, textOf, traitsOfCode } from './code.ts'
import { type Expected, judged, reported, type TokenFinding, type TokenReport } from './traits.ts'

const hex = z.string().regex(/^[0-9a-f]*$/i)
const infoShape = z.object({ runtimecode: hex.optional() })
const callShape = z.object({
  result: z.object({ result: z.boolean().optional(), code: z.string().optional(), message: z.string().optional() }),
  constant_result: z.array(hex).optional(),
  logs: z.array(z.object({ address: z.string(), topics: z.array(hex).default([]), data: hex.default('') })).optional(),
  transaction: z.object({ ret: z.array(z.object({ ret: z.string().optional() })).optional() }).optional(),
})

/** keccak256 of `Transfer(address,address,uint256)`. */
const transferTopic = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const word = (address: string): string => toHex20(address).slice(2).padStart(64, '0')

export type TronTokenOptions = {
  /** The full node. */
  readonly url: string
  readonly contract: string
  /** Addresses that may have some of the token. */
  readonly holders: readonly string[]
}

/** throws  NodeFault when the node does not answer */
export async function checkTronToken({ url, contract, holders }: TronTokenOptions, expected?: Expected): Promise<TokenReport> {
  const look = new Look(url, contract)
  const code = await look.code(contract)
  if (code === '') return judged({ contract, findings: [{ trait: 'no-code' }] }, expected)
  const [digits, symbolAnswer, ownerAnswer, rate, behindAnswer] = await Promise.all([
    look.ask(look.recipient, 'decimals()'),
    look.ask(look.recipient, 'symbol()'),
    look.ask(look.recipient, 'owner()'),
    look.ask(look.recipient, 'basisPointsRate()'),
    look.ask(look.recipient, 'implementation()'),
  ])
  const decimals = decimalsOf(digits?.answer)
  const symbol = textOf(symbolAnswer?.answer)
  const owner = addressIn(ownerAnswer?.answer)
  const behind = addressIn(behindAnswer?.answer)
  const tried = await triedOf(look, contract, holders)
  const taken = numberOf(rate?.answer) ?? 0n
  const found: readonly TokenFinding[] = [
    ...compared({ symbol, decimals }, expected),
    ...tried,
    ...(taken > 0n && !tried.some(({ trait }) => trait === 'fee') ? [{ trait: 'fee', detail: `${taken} of 10000` } as const] : []),
    ...(behind === undefined ? [] : [{ trait: 'upgradable', detail: behind } as const]),
  ]
  const all = `${code}${behind === undefined ? '' : await look.code(behind)}`
  const offered = traitsOfCode(all)
  const digest = createHash('sha256').update(all).digest('hex')
  return reported({ contract, code: digest, symbol, decimals, owner, found, offered }, expected)
}

/** A transfer of all that the first holder has who has any, without being sent. */
async function triedOf(look: Look, contract: string, holders: readonly string[]): Promise<readonly TokenFinding[]> {
  for (const holder of holders) {
    const balance = numberOf((await look.ask(holder, 'balanceOf(address)', word(holder)))?.answer) ?? 0n
    if (balance > 0n) return transferred(look, { contract, holder, balance })
  }
  return [{ trait: 'untried', detail: 'nobody who is known has any' }]
}

async function transferred(
  look: Look,
  { contract, holder, balance }: { readonly contract: string; readonly holder: string; readonly balance: bigint },
): Promise<readonly TokenFinding[]> {
  const made = await look.ask(holder, 'transfer(address,uint256)', `${word(look.recipient)}${balance.toString(16).padStart(64, '0')}`)
  if (made === undefined) return [{ trait: 'fails' }]
  const answered: readonly TokenFinding[] =
    made.answer === '' ? [{ trait: 'no-answer' }] : numberOf(made.answer) === 0n ? [{ trait: 'false-answer' }] : []
  if (made.logs === undefined) return [{ trait: 'untried', detail: 'the node tells no logs of a call' }, ...answered]
  const arrived = made.logs
    .filter(({ address, topics }) => addressOf(address) === contract && topics[0] === transferTopic && topics[2] === word(look.recipient))
    .reduce((sum, { data }) => sum + BigInt(`0x${data || '0'}`), 0n)
  if (arrived === 0n) return [{ trait: 'moves-nothing' }, ...answered]
  return arrived === balance ? answered : [{ trait: 'fee', detail: `${balance - arrived} of ${balance}` }, ...answered]
}

/** The address that a contract answers; undefined for anything else. */
function addressIn(answer: string | undefined): string | undefined {
  const number = numberOf(answer)
  return number === undefined || number === 0n || number >> 160n !== 0n
    ? undefined
    : fromHex20(`0x${number.toString(16).padStart(40, '0')}`)
}

/** Nodes write addresses of logs with and without their first byte. */
const addressOf = (text: string): string => fromHex20(`0x${text.slice(-40)}`)

class Look {
  /** Nobody's, and another one each time, so that no code knows it. */
  readonly recipient = fromHex20(`0x${randomBytes(20).toString('hex')}`)
  readonly #url: string
  readonly #contract: string

  constructor(url: string, contract: string) {
    this.#url = url.replace(/\/$/, '')
    this.#contract = contract
  }

  async code(value: string): Promise<string> {
    const { runtimecode = '' } = await this.#wallet('getcontractinfo', { value, visible: true }, infoShape)
    return runtimecode
  }

  /** Undefined: the call fails on the chain. throws  NodeFault, also when the node does not run it */
  async ask(from: string, selector: string, parameter = '') {
    const { result, constant_result, logs, transaction } = await this.#wallet(
      'triggerconstantcontract',
      { owner_address: from, contract_address: this.#contract, function_selector: selector, parameter, visible: true },
      callShape,
    )
    if (result.result !== true) throw new NodeFault(`The node does not run ${selector}: ${result.code ?? 'no reason'}`)
    const isFailed = result.message !== undefined || transaction?.ret?.some(({ ret }) => ret !== undefined && ret !== 'SUCESS') === true
    return isFailed ? undefined : { answer: constant_result?.[0] ?? '', logs }
  }

  async #wallet<Shape extends z.ZodType>(method: string, body: object, shape: Shape): Promise<z.output<Shape>> {
    const answer = await postJson(`${this.#url}/wallet/${method}`, body)
    if (typeof answer === 'object' && answer !== null && 'Error' in answer) throw new NodeFault(`The node failed: ${String(answer.Error)}`)
    return checked(method, answer, shape)
  }
}
