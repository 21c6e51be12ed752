import { setTimeout as sleep } from 'node:timers/promises'
import { Bank, type BankOptions } from '../bank/bank.ts'
import type { Cluster } from '../machines/cluster.ts'
import type { Fault } from './faults.ts'
import type { Row } from './table.ts'
import { whole } from './whole.ts'

/** Longer than any promise: after this a round has failed. */
const servedMaxMs = 120_000
/** Acknowledgements of each customer after which orders are taken again. */
const enough = 3

/**
 * Tries one fault several times under the load of the bank, then compares.
 *
 * rounds  undefined: as many as the fault has by itself
 */
export async function tryFault(cluster: Cluster, fault: Fault, bankOptions: BankOptions, rounds = fault.rounds): Promise<Row> {
  const { say } = cluster
  const waitsMs: number[] = []
  const problems: string[] = []
  await whole(cluster)
  const bank = await Bank.open(bankOptions)
  try {
    for (let round = 0; round < rounds; round++) {
      await bank.untilServed(performance.now(), enough, servedMaxMs)
      const { waitMs, what } = await tryOnce(cluster, fault, round, bank)
      waitsMs.push(waitMs)
      say(`${fault.name}, round ${round + 1}: ${what}, orders again after ${(waitMs / 1_000).toFixed(1)} s`)
    }
  } catch (cause) {
    problems.push(sentenceOf(cause))
    say(`${fault.name}: ${sentenceOf(cause)}`)
  }
  const counts = { acknowledged: 0, lost: 0, doubled: 0, unbalanced: 0 }
  try {
    const outcome = await bank.close()
    problems.push(...[...outcome.lost, ...outcome.doubled, ...outcome.unbalanced].slice(0, 10))
    counts.acknowledged = outcome.acknowledged
    counts.lost = outcome.lost.length
    counts.doubled = outcome.doubled.length
    counts.unbalanced = outcome.unbalanced.length
  } catch (cause) {
    problems.push(sentenceOf(cause))
  }
  return { fault: fault.name, rounds, ...counts, waitsMs, promiseMs: fault.promiseMs, problems }
}

/** The wait counts from the fault until the cluster is whole again: what comes back may be a fault, too. */
async function tryOnce(cluster: Cluster, fault: Fault, round: number, bank: Bank) {
  const fromMs = performance.now()
  const { what, heal, lastsMs = 0, isOutage = false } = await fault.strike(cluster, round)
  try {
    if (!isOutage) await bank.untilServed(performance.now(), enough, servedMaxMs)
    await sleep(Math.max(0, fromMs + lastsMs - performance.now()))
  } finally {
    heal?.()
  }
  const healedMs = performance.now()
  await bank.untilServed(healedMs, enough, servedMaxMs)
  await whole(cluster)
  await bank.untilServed(performance.now(), 1, servedMaxMs)
  return { what, waitMs: bank.longestWaitMs(fromMs, performance.now()) }
}

function sentenceOf(cause: unknown): string {
  const { message, cause: below } = cause as Error
  return below instanceof Error ? `${message}: ${below.message}` : message
}
