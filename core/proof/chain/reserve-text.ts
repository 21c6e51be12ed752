/** Statements of reserves as text: what the exchange holds on chains, address by address, at named blocks. */
import { timeMax } from '../head.ts'
import { type ChainKind, isChainAddress } from './address.ts'
import { isDay } from './day.ts'

/**
 * Who can move what an address holds:
 *
 *   forwarder  nobody has a key; its code pays to the exchange's own address alone
 *   deposit    a customer's deposit address on TRON, by the signer
 *   hot, gas   the signer
 *   cold       a key that is on no machine
 */
export const reserveRoles = ['forwarder', 'deposit', 'hot', 'gas', 'cold'] as const
export type ReserveRole = (typeof reserveRoles)[number]

/**
 *   agreed  two nodes or more told the same balances of the same block
 *   single  there is only one node, and nobody confirms what it told
 *   differ  nodes told different balances, or different blocks
 *   silent  no node told anything, one of several did not answer, or none knows a block of the last day
 */
export const reserveStates = ['agreed', 'single', 'differ', 'silent'] as const
export type ReserveState = (typeof reserveStates)[number]

/** `contract`: `native` for the network's own coin. */
export type ReserveCoin = { readonly asset: string; readonly decimals: number; readonly contract: string }

export type ReserveAddress = {
  readonly address: string
  readonly role: ReserveRole
  /** Of forwarders and deposit addresses: the place from which the address follows. */
  readonly place: number | undefined
  /** The day of its signature; undefined when there is none. */
  readonly signed: string | undefined
  /** In the order of the network's coins, each in its smallest unit on the chain. */
  readonly balances: readonly bigint[]
}

export type ReserveNetwork = {
  readonly name: string
  readonly kind: ChainKind
  readonly chainId: number
  readonly state: ReserveState
  /** Hosts of the nodes that were asked. */
  readonly sources: readonly string[]
  readonly coins: readonly ReserveCoin[]
  /** The block of all balances, its time in milliseconds. Undefined when nothing of the network counts. */
  readonly block: { readonly number: number; readonly hash: string; readonly at: number } | undefined
  readonly factory: string | undefined
  readonly addresses: readonly ReserveAddress[]
}

/** What counts of an asset on all networks together, in units with this number of decimal digits. */
export type ReserveSum = { readonly asset: string; readonly decimals: number; readonly amount: bigint }

export type ReserveStatement = {
  readonly n: number
  readonly at: number
  readonly day: string
  readonly head: { readonly n: number; readonly hash: string }
  readonly networks: readonly ReserveNetwork[]
  /** Ascending by asset. */
  readonly sums: readonly ReserveSum[]
}

/** Whether what an address holds counts: nobody has its key and it follows by formula, or its key signed. */
export const isCounted = ({ role, signed }: Pick<ReserveAddress, 'role' | 'signed'>): boolean =>
  role === 'forwarder' || signed !== undefined

/** What counts of each asset. The digits are the most that the asset has on any network. */
export function sumsOf(networks: readonly ReserveNetwork[]): readonly ReserveSum[] {
  const digits = new Map<string, number>()
  for (const { coins } of networks) for (const { asset, decimals } of coins) digits.set(asset, Math.max(decimals, digits.get(asset) ?? 0))
  const amounts = new Map<string, bigint>([...digits.keys()].map((asset) => [asset, 0n]))
  for (const { coins, addresses } of networks)
    for (const one of addresses.filter(isCounted))
      for (const [at, { asset, decimals }] of coins.entries())
        amounts.set(asset, amounts.get(asset)! + one.balances[at]! * 10n ** BigInt(digits.get(asset)! - decimals))
  return [...amounts]
    .map(([asset, amount]) => ({ asset, decimals: digits.get(asset)!, amount }))
    .sort((a, b) => (a.asset < b.asset ? -1 : 1))
}

/** The signed text, byte by byte: lines of ASCII, each ended by a line feed. throws  Error for what is no statement */
export function reserveText(statement: Omit<ReserveStatement, 'sums'>): string {
  const { n, at, day, head, networks } = statement
  const lines = [`candor reserves 1`, `n ${n}`, `at ${at}`, `day ${day}`, `head ${head.n} ${head.hash}`]
  for (const each of networks) lines.push(...networkLines(each))
  for (const { asset, decimals, amount } of sumsOf(networks)) lines.push(`sum ${asset} ${decimals} ${amount}`)
  const text = `${lines.join('\n')}\n`
  if (readReserveText(text) === undefined) throw new Error('this is no statement of reserves')
  return text
}

function networkLines({ name, kind, chainId, state, sources, coins, block, factory, addresses }: ReserveNetwork): readonly string[] {
  return [
    `network ${name} ${kind} ${chainId} ${state}`,
    ...sources.map((host) => `source ${host}`),
    ...coins.map(({ asset, decimals, contract }) => `coin ${asset} ${decimals} ${contract}`),
    ...(block === undefined ? [] : [`block ${block.number} ${block.hash} ${block.at}`]),
    ...(factory === undefined ? [] : [`factory ${factory}`]),
    ...addresses.map(
      ({ address, role, place, signed, balances }) => `address ${address} ${role} ${place ?? '-'} ${signed ?? '-'} ${balances.join(' ')}`,
    ),
  ]
}

const digits = '(0|[1-9][0-9]{0,15})'
const hex = '([0-9a-f]{64})'
const units = '(?:0|[1-9][0-9]{0,77})'
const day = '(2[0-9]{3}-[0-9]{2}-[0-9]{2})'
const head = new RegExp(`^candor reserves 1\\nn ${digits}\\nat ${digits}\\nday ${day}\\nhead ${digits} ${hex}\\n`)
const shapes = {
  network: new RegExp(`^network ([a-z][a-z0-9-]{0,31}) (evm|tron) ${digits} (agreed|single|differ|silent)$`),
  source: /^source ([A-Za-z0-9.:[\]-]{1,255})$/,
  coin: /^coin ([A-Z0-9]{2,10}) ([0-9]|[12][0-9]|3[0-6]) (native|[0-9A-Za-z]{34,42})$/,
  block: new RegExp(`^block ${digits} ${hex} ${digits}$`),
  factory: /^factory (0x[0-9a-f]{40})$/,
  address: new RegExp(
    `^address ([0-9A-Za-z]{34,42}) (forwarder|deposit|hot|gas|cold) (-|[1-9][0-9]{0,9}) (-|${day}) (${units}(?: ${units})*)$`,
  ),
  sum: new RegExp(`^sum ([A-Z0-9]{2,10}) ([0-9]|[12][0-9]|3[0-6]) (${units})$`),
} as const

/** What is being read of a network. */
type Draft = { -readonly [Name in keyof ReserveNetwork]: ReserveNetwork[Name] } & {
  sources: string[]
  coins: ReserveCoin[]
  addresses: ReserveAddress[]
}

/** Reads the text of a statement; undefined for any other text. Lines stand in one order, and sums are those of the addresses. */
export function readReserveText(text: string): ReserveStatement | undefined {
  const found = head.exec(text)
  if (found === null || !text.endsWith('\n')) return undefined
  const networks: Draft[] = []
  const sums: ReserveSum[] = []
  const rest = text.slice(found[0].length, -1)
  for (const line of rest === '' ? [] : rest.split('\n')) if (!takeLine(line, networks, sums)) return undefined
  const [n, at, headNumber] = [found[1], found[2], found[4]].map(Number) as [number, number, number]
  const statement = { n, at, day: found[3]!, head: { n: headNumber, hash: found[5]! }, networks, sums }
  const isSound = [n, at, headNumber].every(Number.isSafeInteger) && n >= 1 && headNumber >= 1 && at <= timeMax && isDay(statement.day)
  if (!isSound || !areApart(networks) || !networks.every(isWhole)) return undefined
  // Written in one way only: this also catches lines in another order.
  return sumLines(sumsOf(networks)) === sumLines(sums) && textOf(statement) === text ? statement : undefined
}

const sumLines = (sums: readonly ReserveSum[]): string => sums.map(({ asset, decimals, amount }) => `${asset} ${decimals} ${amount}`).join()

function textOf({ n, at, day: of, head: named, networks, sums }: ReserveStatement): string {
  const lines = [`candor reserves 1`, `n ${n}`, `at ${at}`, `day ${of}`, `head ${named.n} ${named.hash}`]
  for (const each of networks) lines.push(...networkLines(each))
  return `${[...lines, ...sums.map(({ asset, decimals, amount }) => `sum ${asset} ${decimals} ${amount}`)].join('\n')}\n`
}

function takeLine(line: string, networks: Draft[], sums: ReserveSum[]): boolean {
  const word = line.slice(0, Math.max(0, line.indexOf(' '))) as keyof typeof shapes
  const found = Object.hasOwn(shapes, word) ? shapes[word].exec(line) : null
  if (found === null) return false
  const [, a = '', b = '', c = '', d = ''] = found
  if (word === 'network') {
    const about = { name: a, kind: b as ChainKind, chainId: Number(c), state: d as ReserveState }
    return networks.push({ ...about, sources: [], coins: [], block: undefined, factory: undefined, addresses: [] }) > 0
  }
  if (word === 'sum') return sums.push({ asset: a, decimals: Number(b), amount: BigInt(c) }) > 0
  const last = networks.at(-1)
  if (last === undefined) return false
  if (word === 'source') last.sources.push(a)
  else if (word === 'coin') last.coins.push({ asset: a, decimals: Number(b), contract: c })
  else if (word === 'block') last.block = { number: Number(a), hash: b, at: Number(c) }
  else if (word === 'factory') last.factory = a
  else last.addresses.push(addressFrom(found))
  return true
}

function addressFrom([, address = '', role, place, signed, , balances = '']: RegExpExecArray): ReserveAddress {
  return {
    ...{ address, role: role as ReserveRole, place: place === '-' ? undefined : Number(place) },
    ...{ signed: signed === '-' ? undefined : signed!, balances: balances.split(' ').map(BigInt) },
  }
}

/** No chain, network, contract or address is there twice: it would count twice. */
function areApart(networks: readonly ReserveNetwork[]): boolean {
  const apart = (values: readonly string[]): boolean => new Set(values).size === values.length
  return (
    apart(networks.map(({ name }) => name)) &&
    apart(networks.map(({ kind, chainId }) => `${kind} ${chainId}`)) &&
    networks.every(
      ({ sources, coins, addresses }) =>
        apart(sources) &&
        apart(coins.map(({ asset }) => asset)) &&
        apart(coins.map(({ contract }) => contract)) &&
        apart(addresses.map(({ address }) => address)),
    )
  )
}

function isWhole({ kind, chainId, state, sources, coins, block, factory, addresses }: ReserveNetwork): boolean {
  const isRead = state === 'agreed' || state === 'single'
  const isSourced = state === 'agreed' ? sources.length >= 2 : state === 'single' ? sources.length === 1 : sources.length >= 1
  const isBlock = block === undefined || ([block.number, block.at].every(Number.isSafeInteger) && block.at <= timeMax)
  return (
    isSourced &&
    isBlock &&
    Number.isSafeInteger(chainId) &&
    coins.length > 0 &&
    isRead === (block !== undefined) &&
    (isRead || (addresses.length === 0 && factory === undefined)) &&
    (factory === undefined || kind === 'evm') &&
    coins.every(({ contract }) => contract === 'native' || isChainAddress(kind, contract)) &&
    addresses.every((one) => isAddressWhole(one, kind, factory, coins.length))
  )
}

function isAddressWhole(
  { address, role, place, signed, balances }: ReserveAddress,
  kind: ChainKind,
  factory: string | undefined,
  coins: number,
) {
  const hasPlace = role === 'forwarder' || role === 'deposit'
  return (
    isChainAddress(kind, address) &&
    hasPlace === (place !== undefined) &&
    (role !== 'forwarder' || (factory !== undefined && signed === undefined)) &&
    (signed === undefined || isDay(signed)) &&
    balances.length === coins
  )
}
