/** Lets through only tokens whose contracts were looked at, at the start and every ten minutes. */
import type pg from 'pg'
import type { Clock } from '../../ports.ts'
import type { NetworkConfig } from '../config.ts'
import { readersOf } from '../nodes.ts'
import { nativeContract } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import { checkEvmToken } from './evm.ts'
import { type Expected, linesOf, type TokenReport } from './traits.ts'
import { checkTronToken } from './tron.ts'

export type GateOptions = {
  readonly network: string
  /** By contract. */
  readonly tokens: ReadonlyMap<string, Expected>
  readonly check: (contract: string, expected: Expected) => Promise<TokenReport>
  readonly clock: Clock
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
}

/** A token may change, and so may what its issuer switches on. What is not proven is tried again sooner. */
const [everyMs, unprovenMs] = [600_000, 15_000]
/** Addresses that got the token last, beside the exchange's own: on TRON somebody who has some must try a transfer. */
const holdersMax = 3

type Known = { readonly report: TokenReport; readonly at: number }

export class TokenGate {
  readonly #options: GateOptions
  readonly #known = new Map<string, Known>()

  constructor(options: GateOptions) {
    this.#options = options
  }

  /** Looks at tokens whose time has come, and tells what is new. throws  NodeFault of the first that can't be read */
  async turn(): Promise<void> {
    const { tokens, clock } = this.#options
    let fault: unknown
    for (const [contract, expected] of tokens) {
      const before = this.#known.get(contract)
      const pauseMs = before?.report.verdict === 'unproven' ? unprovenMs : everyMs
      if (before !== undefined && clock() - before.at < pauseMs) continue
      await this.#look(contract, expected, before).catch((cause: unknown) => (fault ??= cause))
    }
    if (fault !== undefined) throw fault
  }

  async #look(contract: string, expected: Expected, before: Known | undefined): Promise<void> {
    const { network, check, clock, log } = this.#options
    const report = await check(contract, expected)
    // What was proven once stays so while nobody has any with which to prove it again, but for other code nothing was proven.
    const isKept = report.verdict === 'unproven' && before?.report.verdict === 'accepted' && before.report.code === report.code
    const kept = isKept ? before.report : report
    this.#known.set(contract, { report: kept, at: clock() })
    const said = linesOf(kept).join('\n')
    if (before === undefined || linesOf(before.report).join('\n') !== said) log({ message: `Token on ${network}: ${said}` })
  }

  /** Undefined: it could not be looked at yet, or nothing is proven. The native coin has no code that could do anything. */
  isGood(contract: string | undefined): boolean | undefined {
    if (contract === undefined || contract === nativeContract) return true
    const verdict = this.#known.get(contract)?.report.verdict
    return verdict === undefined || verdict === 'unproven' ? undefined : verdict === 'accepted'
  }

  /** Tokens that are neither credited nor paid now, of those that were looked at. */
  get stopped(): readonly TokenReport[] {
    return [...this.#known.values()].flatMap(({ report }) => (report.verdict === 'accepted' ? [] : [report]))
  }
}

/** The tokens of a network that have a contract, as they should be. */
export function expectedOf({ tokens }: Pick<NetworkConfig, 'tokens'>): ReadonlyMap<string, Expected> {
  return new Map(
    tokens.flatMap(({ asset, contract, symbol = asset, decimals, isTrusted = false }) =>
      contract === undefined ? [] : [[contract, { symbol, decimals, isTrusted }] as const],
    ),
  )
}

/** The newest addresses of customers that got the token. */
export async function lastHolders(pool: pg.Pool, network: string, contract: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ address: string }>(
    'select address from deposits where network = $1 and contract = $2 order by id desc limit $3',
    [network, contract, holdersMax],
  )
  return rows.map(({ address }) => address)
}

/**
 * Looks at the contract of a token with the first node that proves anything.
 *
 * holders  addresses that may have some of it, beside the exchange's own
 * throws   NodeFault when no node answers
 */
export async function checkToken(
  network: NetworkConfig,
  contract: string,
  { holders = [], expected }: { readonly holders?: readonly string[]; readonly expected?: Expected | undefined } = {},
): Promise<TokenReport> {
  const { kind, nodes, hot, sink, gas } = network
  const readers = readersOf(network)
  let unproven: TokenReport | undefined
  let fault: unknown
  for (const [place, { url }] of nodes.entries()) {
    try {
      // A node of another chain is never read.
      await readers[place]!.head()
      const report =
        kind === 'evm'
          ? await checkEvmToken(url, contract, expected)
          : await checkTronToken({ url, contract, holders: [hot, sink, gas, ...holders] }, expected)
      if (report.verdict !== 'unproven') return report
      unproven ??= report
    } catch (cause) {
      if (!(cause instanceof NodeFault)) throw cause
      fault ??= cause
    }
  }
  if (unproven === undefined) throw fault
  return unproven
}
