import type { Check, CheckName, Problem, ProblemKind } from '@candor/core/protocol/wire/console/overview.ts'
import type { QueueSize, WithdrawalTroubles } from '../../store/query/console/health.ts'
import type { SystemState } from '../watch/watched.ts'

/** Times in milliseconds, and a share of the disk. They are the limits of the measured parts, or what customers would notice. */
export const limits = {
  /** From the follower's status: what is older counts as behind. */
  tablesMs: 10_000,
  silentMs: 6_000,
  slowMs: 200,
  answerMs: 250,
  feedMs: 5_000,
  /** Mails, messages and pushes; deliveries to webhooks. */
  queueMs: 5 * 60_000,
  /** Requests for withdrawals. */
  requestMs: 24 * 60 * 60_000,
  /** Space left at which the disk is told of; the engine stops taking commands later. */
  diskShare: 0.1,
} as const

const problem = (
  kind: ProblemKind,
  level: Problem['level'],
  { subject = '', value = '', limit = '', ageMs = null }: Partial<Omit<Problem, 'kind' | 'level'>> = {},
): Problem => ({ kind, level, subject, value, limit, ageMs })

/** What is wrong with processes, feeds and the disk. */
export function systemProblems(state: SystemState): readonly Problem[] {
  const { isEngineUp, isClockSynced, follower, processes, feeds, disk } = state
  const isBehind = follower.ms > limits.tablesMs
  const silent = processes.filter(({ ageMs }) => ageMs > limits.silentMs)
  const slow = processes.filter(({ ageMs, lagMs }) => ageMs <= limits.silentMs && lagMs > limits.slowMs)
  const down = feeds.venues.filter(({ isUp }) => !isUp)
  const areAllDown = down.length === feeds.venues.length
  const isLow = disk !== null && disk.free < disk.total * limits.diskShare
  return [
    ...(isEngineUp ? [] : [problem('engine', 'error')]),
    ...(isClockSynced ? [] : [problem('clock', 'error')]),
    ...(follower.problem !== null && !isBehind ? [problem('follower', 'error')] : []),
    ...(isBehind ? [problem('tables', 'error', { subject: String(follower.commands), ...measured(follower.ms, limits.tablesMs) })] : []),
    ...silent.map(({ name, ageMs }) => problem('silent', 'error', { subject: name, ...measured(ageMs, limits.silentMs), ageMs })),
    ...slow.map(({ name, lagMs }) => problem('slow', 'warning', { subject: name, ...measured(lagMs, limits.slowMs) })),
    ...down.map(({ name, ageMs }) =>
      problem('feed', areAllDown ? 'error' : 'warning', { subject: name, ...measured(ageMs, limits.feedMs), ageMs }),
    ),
    ...(feeds.isFallback ? [problem('fallback', 'warning')] : []),
    ...(isLow ? [problem('disk', disk.isFull ? 'error' : 'warning', measured(disk.free, disk.total))] : []),
  ]
}

/** Work that waits in a queue for too long, and sendings that failed and are tried again. */
export function queueProblems(queues: readonly QueueSize[], failing: number, now: number): readonly Problem[] {
  const late = queues.filter(({ name, oldestAt }) => name !== 'checks' && oldestAt !== null && now - oldestAt > limits.queueMs)
  return [
    ...late.map(({ name, oldestAt }) => {
      const ageMs = now - oldestAt!
      return problem('queue', 'warning', { subject: name, ...measured(ageMs, limits.queueMs), ageMs })
    }),
    ...(failing > 0 ? [problem('failing', 'warning', { value: String(failing) })] : []),
  ]
}

/** Reasons of payments that are an alarm: a key may be in other hands, or the signer stopped for good. */
const alarms: readonly string[] = ['NONCE_FOREIGN', 'HALTED', 'BOOKS_DIFFER', 'JOURNAL_BEHIND']

/** Requests for withdrawals that wait too long, and payments that do not move. */
export function withdrawalProblems({ late, oldestAt, stuck, reasons }: WithdrawalTroubles, now: number): readonly Problem[] {
  const ageMs = oldestAt === null ? null : now - oldestAt
  const level = reasons.some((reason) => alarms.includes(reason)) ? 'error' : 'warning'
  return [
    ...(ageMs === null ? [] : [problem('late', 'warning', { subject: String(late), ...measured(ageMs, limits.requestMs), ageMs })]),
    ...(stuck === 0 ? [] : [problem('stuck', level, { subject: String(stuck), value: reasons.join(', ') })]),
  ]
}

const measured = (value: number, limit: number) => ({ value: String(Math.round(value)), limit: String(Math.round(limit)) })

/** `assets`: how many sum to zero, and how many there are. `batches`: how many fit into the chain, and how many were computed. */
export type Books = {
  readonly at: number
  readonly assets: {
    readonly even: number
    readonly all: number
    readonly uneven: readonly { readonly asset: string; readonly sum: string }[]
  }
  readonly batches: { readonly right: number; readonly all: number; readonly broken: readonly number[] }
}

export function bookProblems({ assets, batches }: Books): readonly Problem[] {
  return [
    ...assets.uneven.map(({ asset, sum }) => problem('books', 'error', { subject: asset, value: sum, limit: '0' })),
    ...(batches.broken.length === 0 ? [] : [problem('chain', 'error', { subject: batches.broken.slice(0, 3).join(', ') })]),
  ]
}

type Measured = {
  readonly state: SystemState
  readonly books: Books
  readonly queues: readonly QueueSize[]
  readonly seq: number
  readonly now: number
}

/** The checks by name. Each comes from a measurement; without one its state is unknown. */
export function checksOf({ state, books, queues, seq, now }: Measured): readonly Check[] {
  const { follower, feeds, processes, disk, answer } = state
  const check = (name: CheckName, state: Check['state'], value: string | number, of: string | number = ''): Check => ({
    ...{ name, state, value: String(value), of: String(of) },
  })
  const isRight = (right: boolean, otherwise: 'warning' | 'error' = 'error') => (right ? 'ok' : otherwise)
  const { assets, batches } = books
  const up = feeds.venues.filter(({ isUp }) => isUp).length
  const heard = processes.filter(({ ageMs }) => ageMs <= limits.silentMs).length
  const sends = queues.find(({ name }) => name === 'notices')
  const isLate = sends !== undefined && sends.oldestAt !== null && now - sends.oldestAt > limits.queueMs
  return [
    check('books', assets.all === 0 ? 'unknown' : isRight(assets.even === assets.all), assets.even, assets.all),
    check('chain', batches.all === 0 ? 'unknown' : isRight(batches.right === batches.all), batches.right, batches.all),
    check('digests', isRight(follower.problem === null), seq, follower.commands),
    check('answer', answer.p99 === null ? 'unknown' : isRight(answer.p99 <= limits.answerMs, 'warning'), answer.p99 ?? '', answer.orders),
    check('feeds', feeds.venues.length === 0 ? 'unknown' : isRight(up === feeds.venues.length, 'warning'), up, feeds.venues.length),
    check('processes', isRight(heard === processes.length), heard, processes.length),
    check('messages', isRight(!isLate, 'warning'), sends?.waiting ?? 0),
    check('disk', disk === null ? 'unknown' : isRight(!disk.isFull), disk?.free ?? '', disk?.total ?? ''),
  ]
}
