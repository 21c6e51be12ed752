/** Looks at a token on Ethereum or a chain like it: what its code offers, and what a transfer does that only a call sees. */
import { randomBytes } from 'node:crypto'
import {
  concatHex,
  encodeDeployData,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  padHex,
  toFunctionSelector,
} from 'viem'
import { z } from 'zod'
import { artifactOf } from '../contracts/artifacts.ts'
import { JsonRpc, NodeRefusal } from '../rpc/json-rpc.ts'
import { cloned, compared, decimalsOf, numberOf, textOf, traitsOfCode } from './code.ts'
import { type Expected, judged, reported, type TokenFinding, type TokenReport } from './traits.ts'

const hex = z.string().regex(/^0x[0-9a-f]*$/i)

/** Places of the state in which tokens keep their balances, counted from 0. */
const slotsMax = 60
const yearSeconds = 31_557_600
/** Places of the address of the code behind a proxy: EIP-1967, EIP-1822, and the one that came before them. */
const implementations: readonly Hex[] = [
  placeBefore('eip1967.proxy.implementation'),
  keccak256(textHex('PROXIABLE')),
  keccak256(textHex('org.zeppelinos.proxy.implementation')),
]
/** Place of the contract that tells the address of the code: EIP-1967. */
const beacon = placeBefore('eip1967.proxy.beacon')
/** Where OpenZeppelin's upgradable tokens keep their balances: EIP-7201. */
const namespace: Hex = '0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00'
/** What nodes answer that do not know an argument. */
const unknownArgument: readonly number[] = [-32_602, -32_601]

function placeBefore(text: string): Hex {
  return numberToHex(BigInt(keccak256(textHex(text))) - 1n, { size: 32 })
}

const someAddress = (): Hex => getAddress(`0x${randomBytes(20).toString('hex')}`)

function textHex(text: string): Hex {
  return `0x${Buffer.from(text, 'utf8').toString('hex')}`
}

/** throws  NodeFault when the node does not answer */
export async function checkEvmToken(url: string, contract: string, expected?: Expected): Promise<TokenReport> {
  const look = new Look(new JsonRpc(url), getAddress(contract))
  return look.report(expected)
}

type Override = Readonly<Record<string, { readonly stateDiff: Readonly<Record<string, Hex>> }>>

class Look {
  readonly #rpc: JsonRpc
  readonly #contract: Hex
  /** Who calls, and who gets the transfer: addresses without a key, a coin or a transaction, and others each time, so that no code knows them. */
  readonly #caller = someAddress()
  readonly #recipient = someAddress()
  /** Where the probe runs: the first contract of the caller. */
  readonly #probe = getContractAddress({ from: this.#caller, nonce: 0n })

  constructor(rpc: JsonRpc, contract: Hex) {
    this.#rpc = rpc
    this.#contract = contract
  }

  async report(expected: Expected | undefined): Promise<TokenReport> {
    const contract = this.#contract
    const own = await this.#rpc.call('eth_getCode', [contract, 'latest'], hex)
    if (own === '0x') return judged({ contract, findings: [{ trait: 'no-code' }] }, expected)
    const [digits, symbolAnswer, ownerAnswer, behind] = await Promise.all([
      this.#ask('decimals()'),
      this.#ask('symbol()'),
      this.#ask('owner()'),
      this.#behind(own),
    ])
    const decimals = decimalsOf(digits)
    const symbol = textOf(symbolAnswer)
    const owner = ownerOf(ownerAnswer)
    const code = `${own}${behind === undefined ? '' : (await this.#rpc.call('eth_getCode', [behind, 'latest'], hex)).slice(2)}`
    const offered = traitsOfCode(code)
    const tried = await this.#try(decimals ?? 0).catch(notTaken)
    const exchanged: readonly TokenFinding[] =
      behind === undefined || cloned(own) !== undefined ? [] : [{ trait: 'upgradable', detail: behind }]
    const found = [...compared({ symbol, decimals }, expected), ...tried, ...exchanged]
    return reported({ contract, code: keccak256(code as Hex), symbol, decimals, owner, found, offered }, expected)
  }

  /** The answer of a function without arguments; undefined where it has none. */
  async #ask(name: string): Promise<string | undefined> {
    return this.#call({ to: this.#contract, data: toFunctionSelector(name) })
  }

  /** The address of the code that runs instead of the contract's own. */
  async #behind(own: string): Promise<Hex | undefined> {
    const clone = cloned(own)
    if (clone !== undefined) return getAddress(`0x${clone}`)
    for (const place of implementations) {
      const found = await this.#addressAt(place)
      if (found !== undefined) return found
    }
    const told = await this.#addressAt(beacon)
    return told && ownerOf(await this.#call({ to: told, data: toFunctionSelector('implementation()') }))
  }

  async #addressAt(place: Hex): Promise<Hex | undefined> {
    const word = await this.#rpc.call('eth_getStorageAt', [this.#contract, place, 'latest'], hex)
    return BigInt(word === '0x' ? 0 : word) === 0n ? undefined : getAddress(`0x${word.slice(-40)}`)
  }

  /** Moves a sum that exists in the call alone, and looks at both balances. */
  async #try(decimals: number): Promise<readonly TokenFinding[]> {
    const sum = 1_000_000n * 10n ** BigInt(decimals)
    const found = await this.#balancePlace(sum)
    if (found === 'computed') return [{ trait: 'rebasing', detail: 'balances are computed' }]
    if (found === 'nowhere') return [{ trait: 'untried', detail: 'no place was found where it keeps balances' }]
    const state = { [this.#contract]: { stateDiff: { [found]: numberToHex(sum, { size: 32 }) } } }
    const value = sum / 1_000n
    const { abi, bytecode } = artifactOf('TokenProbe')
    const data = encodeDeployData({ abi, bytecode, args: [this.#contract, this.#recipient, value] })
    const answer = await this.#call({ from: this.#caller, data }, state)
    const words = answer === undefined ? [] : (answer.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
    const [isDone, length, first, before, after, theirs, theirsAfter] = words
    if (words.length !== 7) return [{ trait: 'untried', detail: 'the node does not run the probe' }]
    if (isDone !== 1n) return [{ trait: 'fails' }]
    const [sent, arrived] = [before! - after!, theirsAfter! - theirs!]
    return [
      ...(sent === 0n && arrived === 0n ? [{ trait: 'moves-nothing' } as const] : []),
      ...(sent !== value || arrived !== value ? differing(sent, arrived, value) : []),
      ...(length === 0n ? [{ trait: 'no-answer' } as const] : length === 32n && first === 0n ? [{ trait: 'false-answer' } as const] : []),
      ...((await this.#grows(state, sum)) ? [{ trait: 'rebasing', detail: 'a balance differs a year later' } as const] : []),
    ]
  }

  /**
   * Where the probe's balance is kept: each place that it may have gets another sum, and the token says which one counts. A balance that
   * is none of them is computed, as by tokens that grow.
   */
  async #balancePlace(sum: bigint): Promise<Hex | 'computed' | 'nowhere'> {
    const key = padHex(this.#probe, { size: 32 })
    const slots = [namespace, ...Array.from({ length: slotsMax }, (_, slot) => numberToHex(slot, { size: 32 }))]
    // Solidity hashes the key first, Vyper the number.
    const places = slots.flatMap((slot) => [keccak256(concatHex([key, slot])), keccak256(concatHex([slot, key]))])
    const stateDiff = Object.fromEntries(places.map((place, index) => [place, numberToHex(sum + BigInt(index), { size: 32 })]))
    const told = numberOf(await this.#balance({ [this.#contract]: { stateDiff } }))
    if (told === undefined || told === 0n) return 'nowhere'
    return places[Number(told - sum)] ?? 'computed'
  }

  /** Whether the balance is another one after a year in which nobody sent anything. */
  async #grows(state: Override, sum: bigint): Promise<boolean> {
    const block = await this.#rpc.call('eth_getBlockByNumber', ['latest', false], z.object({ timestamp: hex, number: hex }))
    const later = { time: numberToHex(Number(block.timestamp) + yearSeconds), number: numberToHex(Number(block.number) + yearSeconds / 12) }
    const told = numberOf(await this.#balance(state, later))
    return told !== undefined && told !== sum
  }

  #balance(state: Override, block?: object): Promise<string | undefined> {
    const data = concatHex([toFunctionSelector('balanceOf(address)'), padHex(this.#probe, { size: 32 })])
    return this.#call({ to: this.#contract, data }, state, block)
  }

  /** Undefined: the call fails on the chain. throws  NodeFault, also when the node does not run it */
  async #call(call: object, state?: Override, block?: object): Promise<string | undefined> {
    const more = block === undefined ? (state === undefined ? [] : [state]) : [state, block]
    try {
      return await this.#rpc.call('eth_call', [call, 'latest', ...more], hex)
    } catch (cause) {
      if (cause instanceof NodeRefusal && isRevert(cause)) return undefined
      throw cause
    }
  }
}

/** More left than was asked for, or less arrived than left. */
function differing(sent: bigint, arrived: bigint, value: bigint): readonly TokenFinding[] {
  if (sent === 0n && arrived === 0n) return []
  if (arrived < sent || arrived < value) return [{ trait: 'fee', detail: `${value - arrived} of ${value}` }]
  return [{ trait: 'rebasing', detail: `${arrived} arrived of ${value}` }]
}

/** Whether the code failed, and not the node. Nodes say so in different words. */
function isRevert({ code, message }: NodeRefusal): boolean {
  return code === 3 || code === -32_015 || /revert|opcode|out of gas|stack|jump/i.test(message)
}

/** A node that takes no assumed state says nothing about the token. throws  NodeFault of any other kind */
function notTaken(cause: unknown): readonly TokenFinding[] {
  if (!(cause instanceof NodeRefusal) || !unknownArgument.includes(cause.code)) throw cause
  return [{ trait: 'untried', detail: 'the node takes no assumed balances' }]
}

function ownerOf(answer: string | undefined): Hex | undefined {
  const number = numberOf(answer)
  return number === undefined || number === 0n || number >> 160n !== 0n ? undefined : getAddress(numberToHex(number, { size: 20 }))
}
