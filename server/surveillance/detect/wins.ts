import { amountText, countText, type Found, ordersMax, plural, shareText, type Who } from '../found.ts'
import type { Contract, Player } from '../read/contracts.ts'
import type { Thresholds } from '../thresholds.ts'
import { shareOf } from './links.ts'

/** An account with its orders by time. `accounts`: so many had enough orders to be looked at. */
export type Played = { readonly player: Player; readonly contracts: readonly Contract[]; readonly accounts: number }

/** More wins than chance explains. */
export function secondWins({ player, contracts, accounts }: Played, who: Who, { secondWins: limits }: Thresholds): Found | undefined {
  const apart = apartOf(contracts)
  const wins = apart.filter(({ isWon }) => isWon).length
  if (apart.length < limits.contractsMin || shareOf(wins, apart.length) <= limits.fairShare) return undefined
  const chance = tailOf(wins, apart.length, limits.fairShare)
  if (chance > limits.chanceMax) return undefined
  const profit = contracts.reduce((sum, { result }) => sum + result, 0)
  const text =
    `${who(player.user)} won ${countText(wins)} of ${countText(apart.length)} orders of Second that did not overlap in time, in ${limits.backDays} days. If each were the toss of a ` +
    `fair coin, about 1 in ${oneIn(chance)} accounts with as many orders would win that many or more by luck. ${plural(accounts, 'account')} had enough orders to be looked at, ` +
    `so luck alone explains it badly. It does not say why: prices that come late, a pattern in the index, or a fault of ours.`
  return {
    ...{ kind: 'second-wins', market: null, users: [player.user], weight: -Math.log10(Math.max(chance, Number.MIN_VALUE)), text },
    measures: [
      { name: 'Orders that do not overlap', seen: countText(apart.length), limit: `at least ${limits.contractsMin}` },
      { name: 'Won', seen: `${countText(wins)}, ${shareText(shareOf(wins, apart.length))}`, limit: null },
      { name: 'By chance', seen: `1 in ${oneIn(chance)}`, limit: `1 in ${oneIn(limits.chanceMax)} or rarer` },
      { name: 'All orders won and lost', seen: countText(player.wins + player.losses), limit: null },
      { name: 'Profit of all these orders, USDT', seen: amountText(profit), limit: null },
    ],
    orders: apart
      .filter(({ isWon }) => isWon)
      .slice(-ordersMax)
      .map(({ id }) => id),
    ...{ from: contracts[0]!.accepted, to: contracts.at(-1)!.accepted },
  }
}

/**
 * Orders that begin after the one before has ended: those that overlap see the same prices, and would count one piece of luck many times.
 * Which ones are taken depends on times alone, not on results.
 */
export function apartOf(contracts: readonly Contract[]): readonly Contract[] {
  const apart: Contract[] = []
  for (const contract of contracts) if (apart.length === 0 || contract.accepted >= apart.at(-1)!.expires) apart.push(contract)
  return apart
}

/**
 * Probability of `wins` or more wins in `tosses`, each with probability `share`.
 *
 *   Σ from k = wins to tosses of C(tosses, k) · share^k · (1 − share)^(tosses − k)
 */
export function tailOf(wins: number, tosses: number, share: number): number {
  let log = tosses * Math.log(1 - share)
  let sum = wins === 0 ? Math.exp(log) : 0
  for (let k = 1; k <= tosses; k++) {
    log += Math.log((tosses - k + 1) / k) + Math.log(share / (1 - share))
    if (k >= wins) sum += Math.exp(log)
  }
  return Math.min(1, sum)
}

/** Three digits say enough of a chance. */
const oneIn = (chance: number): string => {
  const times = 1 / Math.max(chance, 1e-300)
  return times >= 1e15 ? `10^${Math.floor(Math.log10(times))}` : countText(Number(times.toPrecision(3)))
}
