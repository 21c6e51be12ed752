/**
 * Reserves: what the exchange holds on chains, compared with what it owes. Checks all that needs no chain: signatures of addresses,
 * forwarders by their formula, sums, and the heads that everything names. What an address holds, a node of the reader's choice tells.
 */
import { type CheckSignature, hasFields, type HeadKey, HeadKeys, isWritten } from '../head-keys.ts'
import type { ProofHead } from '../head.ts'
import { liabilityHash, type LiabilityStatement, readLiabilityText } from '../liabilities.ts'
import type { SignedHead } from '../remembered.ts'
import { forwarderOf } from './address.ts'
import { dayOf, daysBetween } from './day.ts'
import { headHash, isOfDay, isPossessed, ownHead, type Possession } from './possession.ts'
import { readReserveText, type ReserveAddress, type ReserveNetwork, type ReserveStatement } from './reserve-text.ts'

/** A cold address signs once a month; some days more, because people do it. */
export const coldDaysMax = 35
/** A statement is made each day. One that is older is no newest one. */
export const staleAfterMs = 36 * 3_600_000
/** No balance of an older block counts. */
export const blockAgeMaxMs = 86_400_000

/** As it is downloaded: one line of JSON, with the fields in this order. Hashes, keys and signatures in hex. */
export type ReserveFile = {
  /** Text of the statement, and its signature with the key of the head that it names. */
  readonly reserves: string
  readonly signature: string
  readonly head: SignedHead
  readonly keys: readonly HeadKey[]
  /** Text of the statement of liabilities that the head names. */
  readonly liabilities: string
  /** Earlier heads that signatures of cold addresses name, ascending. */
  readonly heads: readonly SignedHead[]
  /** In the order of the statement. `head`: the number of the head that the address signed. */
  readonly signatures: readonly { readonly network: string; readonly address: string; readonly head: number; readonly signature: string }[]
}

/** An asset's reserves beside what is owed of it. Everything in units with `decimals` digits. */
export type CoinReserves = {
  readonly asset: string
  readonly decimals: number
  /** False: the asset is on no chain that the exchange uses, as practice coins are. It has no reserves. */
  readonly isOnChain: boolean
  readonly reserves: bigint
  /** What the exchange owes to its customers, and what they owe to it. */
  readonly gross: bigint
  readonly debts: bigint
  /** Reserves less what is owed, before and after debts. Negative: a shortfall. */
  readonly overGross: bigint
  readonly overNet: bigint
  /** Reserves as millionths of what is owed, rounded down. Undefined where nothing is owed. */
  readonly grossPpm: bigint | undefined
  readonly netPpm: bigint | undefined
}

export type ProvedReserves = {
  readonly statement: ReserveStatement
  readonly head: ProofHead
  /** The public key of the first key in hex: what the reader has to trust, or to compare. */
  readonly firstKey: string
  readonly liabilities: LiabilityStatement
  /** Ascending by asset: those that the exchange holds or owes. */
  readonly coins: readonly CoinReserves[]
}

/** Checks a `ReserveFile` as it was received. Returns what it proves, or in `wrong` the first fault as a sentence. */
export async function checkReserves(file: unknown, check: CheckSignature): Promise<ProvedReserves | { readonly wrong: string }> {
  if (!hasFields(file, 'reserves,signature,head,keys,liabilities,heads,signatures')) return { wrong: 'It is no statement of reserves' }
  const { reserves: text, signature, head: given, liabilities: owed } = file
  const keys = new HeadKeys(check)
  const wrongKey = await keys.take(file['keys'])
  if (wrongKey !== undefined) return { wrong: `It ${wrongKey}` }
  const head = await readHead(keys, given)
  if (head === undefined) return { wrong: 'It has no head that its key signed' }
  const statement = typeof text === 'string' ? readReserveText(text) : undefined
  if (statement === undefined) return { wrong: 'It has no statement of reserves, or one whose sums are not those of its addresses' }
  if (!(await keys.isSigned(head, text as string, signature))) return { wrong: 'The key of its head did not sign the statement' }
  const wrongTime = timeFault(statement, head, (given as SignedHead).text)
  if (wrongTime !== undefined) return { wrong: wrongTime }
  const liabilities = readOwed(owed, head)
  if (liabilities === undefined) return { wrong: `Head ${head.n} names another statement of liabilities` }
  const heads = await readHeads(keys, file['heads'], given as SignedHead, head)
  if (heads === undefined) return { wrong: 'It has an earlier head that is none, or that no address signed' }
  const wrong = forwarderFault(statement) ?? signatureFault(statement, heads, file['signatures'])
  return wrong === undefined ? { statement, head, firstKey: keys.first!, liabilities, coins: coinsOf(statement, liabilities) } : { wrong }
}

/** Checks a downloaded file. Written in one way only, so that no byte of it can change unnoticed. */
export function checkReserveText(text: string, check: CheckSignature): Promise<ProvedReserves | { readonly wrong: string }> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return Promise.resolve({ wrong: 'It is no JSON' })
  }
  if (!isWritten(value, text.endsWith('\n') ? text.slice(0, -1) : text))
    return Promise.resolve({ wrong: 'It is not written as the exchange writes it' })
  return checkReserves(value, check)
}

/** Whether a newer statement should be there, by the reader's clock. */
export const isStale = ({ at }: Pick<ReserveStatement, 'at'>, now: number): boolean => now - at > staleAfterMs

const readHead = async (keys: HeadKeys, value: unknown): Promise<ProofHead | undefined> =>
  hasFields(value, 'n,text,signature') ? keys.read(value) : undefined

function timeFault({ at, day, head: named, networks }: ReserveStatement, head: ProofHead, text: string): string | undefined {
  if (named.n !== head.n || named.hash !== headHash(text)) return 'The statement names another head'
  if (!isOfDay(head, day) || dayOf(at) !== day || at < head.at) return 'The statement is not of the day of its head'
  const isOld = ({ block }: ReserveNetwork): boolean =>
    block !== undefined && (block.at < at - blockAgeMaxMs || block.at > at + blockAgeMaxMs)
  return networks.some(isOld) ? 'A block of the statement is more than a day away from it' : undefined
}

/** Undefined: another one than the head names. */
function readOwed(text: unknown, { liabilities }: ProofHead): LiabilityStatement | undefined {
  const statement = typeof text === 'string' ? readLiabilityText(text) : undefined
  return statement !== undefined && statement.n === liabilities.n && liabilityHash(text as string) === liabilities.hash
    ? statement
    : undefined
}

type NamedHead = { readonly head: ProofHead; readonly named: Possession['head'] }

/** All heads that signatures may name, by number. */
async function readHeads(
  keys: HeadKeys,
  given: unknown,
  own: SignedHead,
  newest: ProofHead,
): Promise<ReadonlyMap<number, NamedHead> | undefined> {
  if (!Array.isArray(given)) return undefined
  const found = new Map<number, NamedHead>()
  let last = 0
  for (const one of given as readonly unknown[]) {
    const head = await readHead(keys, one)
    if (head === undefined || head.n <= last || head.n >= newest.n || head.at > newest.at) return undefined
    found.set(head.n, { head, named: ownHead(keys.first!, one as SignedHead) })
    last = head.n
  }
  return found.set(newest.n, { head: newest, named: ownHead(keys.first!, own) })
}

function forwarderFault({ networks }: ReserveStatement): string | undefined {
  for (const { name, chainId, factory, addresses } of networks)
    for (const { address, role, place } of addresses)
      if (role === 'forwarder' && forwarderOf({ chainId, factory: factory!, place: place! }) !== address)
        return `${name}: ${address} is not the forwarder at place ${place}`
  return undefined
}

/** Each address that says that it is signed has exactly one signature, in the order of the statement, and each earlier head is named. */
function signatureFault(statement: ReserveStatement, heads: ReadonlyMap<number, NamedHead>, given: unknown): string | undefined {
  const signed = statement.networks.flatMap((network) =>
    network.addresses.flatMap((one) => (one.signed === undefined ? [] : [{ network, one, day: one.signed }])),
  )
  if (!Array.isArray(given) || given.length !== signed.length) return 'It has not one signature for each address that is signed'
  const named = new Set([statement.head.n])
  for (const [index, { network, one, day }] of signed.entries()) {
    const about = (given as readonly unknown[])[index]
    const where = `${network.name}: ${one.address}`
    if (!hasFields(about, 'network,address,head,signature')) return `${where} has no signature`
    if (about['network'] !== network.name || about['address'] !== one.address) return `${where} has the signature of another address`
    const head = heads.get(about['head'] as number)
    if (head === undefined || !isOfDay(head.head, day)) return `${where} signed no head of ${day}`
    if (!isInTime(one, day, statement.day)) return `${where} signed on ${day}, which is too long ago`
    named.add(head.head.n)
    const { name, kind, chainId } = network
    const text = { network: name, kind, chainId, address: one.address, day, head: head.named }
    if (!isPossessed(text, about['signature'])) return `${where} is not signed by its key`
  }
  return named.size === heads.size ? undefined : 'It has an earlier head that no address signed'
}

function isInTime({ role }: ReserveAddress, signed: string, day: string): boolean {
  const age = daysBetween(signed, day)
  return role === 'cold' ? age >= 0 && age <= coldDaysMax : age === 0
}

function coinsOf({ sums, networks }: ReserveStatement, owed: LiabilityStatement): readonly CoinReserves[] {
  const assets = new Set([...sums.map(({ asset }) => asset), ...owed.trees.map(({ asset }) => asset)])
  const onChain = new Set(networks.flatMap(({ coins }) => coins.map(({ asset }) => asset)))
  return [...assets].sort().map((asset) => {
    const trees = owed.trees.filter((tree) => tree.asset === asset)
    const held = sums.find((sum) => sum.asset === asset)
    const decimals = Math.max(held?.decimals ?? 0, ...trees.map(({ scale }) => scale))
    const owedOf = (wanted: 'claims' | 'debts'): bigint =>
      trees.filter(({ kind }) => kind === wanted).reduce((all, { sum, scale }) => all + BigInt(sum) * 10n ** BigInt(decimals - scale), 0n)
    const reserves = held === undefined ? 0n : held.amount * 10n ** BigInt(decimals - held.decimals)
    const [gross, debts] = [owedOf('claims'), owedOf('debts')]
    const ppm = (of: bigint): bigint | undefined => (of > 0n ? (reserves * 1_000_000n) / of : undefined)
    return {
      ...{ asset, decimals, isOnChain: onChain.has(asset), reserves, gross, debts },
      ...{ overGross: reserves - gross, overNet: reserves - (gross - debts), grossPpm: ppm(gross), netPpm: ppm(gross - debts) },
    }
  })
}

/** A sum as people read it: `1.5` of 1500000 with 6 digits, without zeros at its end. */
export function decimalText(amount: bigint, decimals: number): string {
  const all = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const [whole, rest] = [all.slice(0, all.length - decimals), all.slice(all.length - decimals).replace(/0+$/, '')]
  return `${amount < 0n ? '-' : ''}${whole}${rest === '' ? '' : `.${rest}`}`
}
