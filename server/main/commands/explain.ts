import type { LiquidationAt } from '../../explain/liquidation/command.ts'
import type { Seen } from '../../journal/looks.ts'
import type { Event } from '@candor/core/protocol/event/index.ts'
import type { Seq } from '@candor/core/protocol/ids.ts'
import { type CliCommand, type Result, UsageFault, withStore } from '../command.ts'

export const explain: CliCommand = {
  name: 'explain',
  about:
    'Execute one command of the journal again, from the nearest kept state, and show it with all its events and what it did to accounts in liquidation; changes nothing and may run beside the exchange',
  operands: ['SEQ'],
  options: {},
  run(input) {
    const seq = Number(input.operands[0])
    if (!Number.isSafeInteger(seq) || seq < 1) throw new UsageFault('SEQ must be a position in the journal')
    return withStore(input.settings, ({ pool }) => explained(pool, seq))
  },
}

async function explained(pool: Parameters<typeof import('../../journal/looks.ts').takeLooks>[0], seq: number): Promise<Result> {
  // Loaded only here, because they load the core.
  const [{ takeLooks }, { liquidationsAt }] = await Promise.all([
    import('../../journal/looks.ts'),
    import('../../explain/liquidation/command.ts'),
  ])
  let found: (Seen & { readonly events: readonly Event[] }) | undefined
  const missed = await takeLooks(pool, [{ seq, after: (_exchange, events, seen) => void (found = { ...seen, events }) }], {
    reachMax: Infinity,
  })
  const [fault] = missed.values()
  if (fault !== undefined || found === undefined)
    return { json: { seq, fault }, lines: [`Command ${seq} can't be executed again: ${sentences[fault ?? 'gone']}`], isFailure: true }
  const { at, command, events } = found
  const liquidations = await liquidationsAt(pool, seq as Seq, events)
  return {
    json: JSON.parse(text({ seq, at, command, events, liquidations })),
    lines: [
      `Command ${seq} at ${new Date(at).toISOString()}`,
      `  ${text(command)}`,
      `Its ${events.length} events`,
      ...events.map((event) => `  ${text(event)}`),
      ...liquidations.flatMap(linesOf),
    ],
  }
}

/** What stood behind it before, and each step. */
function linesOf({ user, futures, margin, fault }: LiquidationAt): readonly string[] {
  return [
    ...(fault === undefined ? [] : [`Liquidation of user ${user}: it can't be explained: ${fault}`]),
    ...(futures?.stages ?? []).flatMap(({ trigger, before, cancelled, steps }) => [
      `Liquidation of user ${user}, Futures ${futures!.mode}${futures!.mode === 'cross' ? '' : ` position ${futures!.positionId}`}`,
      `  decided by ${text(trigger ?? {})}`,
      `  before ${text(before ?? {})}`,
      `  cancelled ${text(cancelled)}`,
      ...steps.map((step) => `  step ${text(step)}`),
      `  after ${text(futures!.end)}`,
    ]),
    ...(margin?.stages ?? []).flatMap(({ trigger, cancelled, repaid, steps }) => [
      `Liquidation of user ${user}, Margin ${margin!.symbol ?? 'cross'}`,
      ...(trigger === undefined ? [] : [`  decided by ${text(trigger)}`]),
      `  cancelled ${text(cancelled)}`,
      `  repaid ${text(repaid)}`,
      ...steps.map((step) => `  step ${text(step)}`),
      `  after ${text(margin!.end)}`,
    ]),
  ]
}

const sentences = {
  version: 'another version of the core decided it',
  gone: 'the journal does not have it, or nothing before it is kept',
  far: 'the nearest kept state is too far away',
  failed: 'the replay contradicts the journal; candor audit says where',
}

/** Sums beyond 2^53 as text. */
const text = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
