/** What a checked file of reserves or anchors says, in English sentences, for terminals. */
import { forwarderCode } from './address.ts'
import type { ProvedAnchor } from './anchor.ts'
import { timeText } from './day.ts'
import { isCounted, type ReserveNetwork } from './reserve-text.ts'
import { type CoinReserves, decimalText, isStale, type ProvedReserves } from './reserves.ts'

const states: Readonly<Record<ReserveNetwork['state'], string>> = {
  agreed: 'all sources say the same',
  single: 'ONE SOURCE ONLY, which nobody confirms',
  differ: 'NOT COUNTED: the sources say different things',
  silent: 'NOT COUNTED: a source did not answer, or knows no block of the last day',
}

/** `now`: the reader's clock, in milliseconds. */
export function reserveLines({ statement, head, coins }: ProvedReserves, now: number): readonly string[] {
  const { n, at, networks } = statement
  return [
    `reserves: statement ${n} of ${timeText(at)} (head ${head.n})${isStale(statement, now) ? ': OLD, a newer one should be there' : ''}`,
    ...coins.map(coinLine),
    ...networks.flatMap(networkLines),
    'Addresses are signed and follow from the formula, and the sums are right. What they hold, a node of your own choice tells.',
    ...networks.flatMap(sinkLines),
    'This does not show whether reserves are borrowed, or owed to others than customers.',
  ]
}

function coinLine({ asset, decimals, isOnChain, reserves, gross, debts, overGross, overNet, grossPpm, netPpm }: CoinReserves): string {
  const sum = (amount: bigint): string => decimalText(amount, decimals)
  if (!isOnChain) return `${asset}: NO RESERVES, it is on no chain; owed ${sum(gross)}`
  const said = (over: bigint, ppm: bigint | undefined): string =>
    `${ppm === undefined ? '' : `${percentText(ppm)}, `}${over < 0n ? `SHORTFALL ${sum(-over)}` : `surplus ${sum(over)}`}`
  const net = `less debts of ${sum(debts)}: ${said(overNet, netPpm)}`
  return `${asset}: holds ${sum(reserves)}, owes ${sum(gross)}: ${said(overGross, grossPpm)}; ${net}`
}

/** Millionths as percent with two digits, rounded down: `103.20 %`. */
export function percentText(ppm: bigint): string {
  return `${decimalParts(ppm / 100n)} %`
}

const decimalParts = (hundredths: bigint): string => `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`

function networkLines({ name, chainId, state, block, sources, coins, addresses }: ReserveNetwork): readonly string[] {
  const where = block === undefined ? '' : ` at block ${block.number} of ${timeText(block.at)} (${block.hash})`
  return [
    `${name} (chain ${chainId})${where}: ${states[state]}: ${sources.join(', ')}`,
    ...addresses.map((one) => {
      const sums = coins.map(({ asset, decimals }, at) => `${decimalText(one.balances[at]!, decimals)} ${asset}`)
      const by = one.role === 'forwarder' ? `by formula, place ${one.place}` : one.signed === undefined ? '' : `signed ${one.signed}`
      return `  ${one.address} ${one.role}, ${isCounted(one) ? by : 'NOT SIGNED, not counted'}: ${sums.join(', ')}`
    }),
  ]
}

/** Anybody can name the forwarders of somebody else's factory. */
function sinkLines({ name, factory, addresses }: ReserveNetwork): readonly string[] {
  if (factory === undefined || !addresses.some(({ role }) => role === 'forwarder')) return []
  return [
    `${name}: forwarders belong to whom they pay: sink() of ${forwarderCode(factory)} must be an address above that signed. A node tells.`,
  ]
}

export function anchorLines(proved: readonly ProvedAnchor[]): readonly string[] {
  return [
    `anchors: ${proved.length}, each with a signed head`,
    ...proved.map(({ head, network, chainId, txid, block }) => {
      const where = block === null ? 'in no final block yet' : `block ${block.number}`
      return `head ${head.n} of ${timeText(head.at)}: ${network} (chain ${chainId}), ${txid}, ${where}`
    }),
    'That a block has a transaction, a node or an explorer of your own choice tells.',
  ]
}
