import { type CliCommand, type Result, UsageFault, withStore } from '../command.ts'

export const explain: CliCommand = {
  name: 'explain',
  about:
    'Execute one command of the journal again, from the nearest kept state, and show it with all its events; changes nothing and may run beside the exchange',
  operands: ['SEQ'],
  options: {},
  run(input) {
    const seq = Number(input.operands[0])
    if (!Number.isSafeInteger(seq) || seq < 1) throw new UsageFault('SEQ must be a position in the journal')
    return withStore(input.settings, ({ pool }) => explained(pool, seq))
  },
}

async function explained(pool: Parameters<typeof import('../../journal/looks.ts').takeLooks>[0], seq: number): Promise<Result> {
  // Loaded only here, because it loads the core.
  const { takeLooks } = await import('../../journal/looks.ts')
  let found: { readonly at: number; readonly command: object; readonly events: readonly object[] } | undefined
  const missed = await takeLooks(pool, [{ seq, after: (_exchange, events, { at, command }) => void (found = { at, command, events }) }], {
    reachMax: Infinity,
  })
  const [fault] = missed.values()
  if (fault !== undefined || found === undefined)
    return { json: { seq, fault }, lines: [`Command ${seq} can't be executed again: ${sentences[fault ?? 'gone']}`], isFailure: true }
  const { at, command, events } = found
  return {
    json: JSON.parse(text({ seq, at, command, events })),
    lines: [
      `Command ${seq} at ${new Date(at).toISOString()}`,
      `  ${text(command)}`,
      `Its ${events.length} events`,
      ...events.map((event) => `  ${text(event)}`),
    ],
  }
}

const sentences = {
  version: 'another version of the core decided it',
  gone: 'the journal does not have it, or nothing before it is kept',
  far: 'the nearest kept state is too far away',
  failed: 'the replay contradicts the journal; candor audit says where',
}

/** Sums beyond 2^53 as text. */
const text = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner))
