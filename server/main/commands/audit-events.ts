import { closeSync, fsyncSync, ftruncateSync, openSync, readSync, fstatSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AuditCursor,
  type AuditEvent,
  AuditEvents,
  beginning,
  CursorFault,
  cursorText,
  type KnownEntry,
  parseCursor,
} from '../../watch/audit-events.ts'
import { type CliCommand, CommandFault, failureText, optional, type Result, UsageFault, withStore } from '../command.ts'

/** Between looks for new entries, and while some are not committed. */
const restMs = 500
const waitMs = 50
/** Without `--follow`, how long it waits for entries that are not committed. */
const patienceMs = 5_000

/** Where events go: each call resolves when its lines are out. `known`: entries before `after`, as far as they are there. */
type Target = Disposable & { readonly after: AuditCursor; readonly known: readonly KnownEntry[]; write(lines: string): Promise<void> }

export const auditEvents: CliCommand = {
  name: 'audit-events',
  about: 'Print the audit logs of customers, staff and firms, a JSON object on each line; each line has the cursor after it',
  operands: [],
  options: {
    follow: { type: 'boolean', about: 'go on with new entries until told to end' },
    after: { type: 'string', value: 'CURSOR', about: 'the cursor of the last line that you have; default: from the beginning' },
    to: { type: 'string', value: 'FILE', about: 'append to a file, after the cursor of its last line; synced to the disk' },
  },
  async run(input): Promise<Result> {
    const [after, file] = [optional(input, 'after'), optional(input, 'to')]
    if (after !== undefined && file !== undefined) throw new UsageFault('--after is for the output; a file knows its own cursor')
    const cursor = after === undefined ? beginning : parseCursor(after)
    if (cursor === undefined) throw new UsageFault('--after must be the cursor of a line, such as c12-s3-f0')
    using target = file === undefined ? output(cursor) : appended(file)
    const written = await withStore(input.settings, (store) =>
      copy(new AuditEvents(store.pool, target.after), target, input.options['follow'] === true),
    )
    return { json: written, lines: [] }
  },
}

async function copy(
  events: AuditEvents,
  target: Target,
  isFollowing: boolean,
): Promise<{ readonly events: number; readonly cursor: string }> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  let [count, cursor, waitedMs, isChecked] = [0, cursorText(target.after), 0, false]
  const known = new Map(target.known.map((entry) => [entry.log, entry]))
  while (!stop.signal.aborted) {
    let found: readonly AuditEvent[] = []
    try {
      if (!isChecked) await events.check([...known.values()])
      isChecked = true
      found = await events.next()
    } catch (cause) {
      if (cause instanceof CursorFault) throw new CommandFault(cause.message)
      if (!isFollowing) throw cause
      isChecked = false
      // The database is away for a moment; the cursor stands where it stood.
      process.stderr.write(`${failureText(cause)}; trying again\n`)
    }
    if (found.length > 0) {
      await target.write(found.map((event) => `${JSON.stringify(event)}\n`).join(''))
      for (const event of found) known.set(event.log, event)
      count += found.length
      cursor = found.at(-1)!.cursor
      waitedMs = 0
      continue
    }
    const pauseMs = events.isWaiting ? waitMs : restMs
    if (!isFollowing && (!events.isWaiting || waitedMs > patienceMs)) break
    waitedMs += pauseMs
    await sleep(pauseMs, undefined, { signal: stop.signal }).catch(() => undefined)
  }
  return { events: count, cursor }
}

function output(after: AuditCursor): Target {
  return {
    after,
    known: [],
    write: (lines) => new Promise((resolve) => process.stdout.write(lines, () => resolve())),
    [Symbol.dispose]: () => undefined,
  }
}

/** throws  UsageFault when the file has something else in it */
function appended(file: string): Target {
  const fd = openSync(file, 'a+', 0o600)
  try {
    const { size } = fstatSync(fd)
    const bytes = Buffer.alloc(Math.min(size, tailMax))
    readSync(fd, bytes, 0, bytes.length, size - bytes.length)
    // A write that a crash cut short leaves a part of a line, which is written again as a whole.
    const end = bytes.lastIndexOf(0x0a) + 1
    const line = bytes.subarray(bytes.lastIndexOf(0x0a, end - 2) + 1, end).toString('utf8')
    const isFirstCut = end === 0 && size < tailMax && bytes.toString('utf8').startsWith(lineStart)
    const after = size === 0 || isFirstCut ? beginning : cursorOf(line)
    if (after === undefined) throw new UsageFault(`${file} does not end with a line of audit-events`)
    let length = size - bytes.length + end
    ftruncateSync(fd, length)
    return {
      after,
      known: entriesIn(bytes.subarray(0, end).toString('utf8')),
      async write(lines) {
        // Two readers with one file would write each entry twice.
        if (fstatSync(fd).size > length) throw new CommandFault(`Somebody else writes to ${file}`)
        length = fstatSync(fd).size + Buffer.byteLength(lines)
        for (let rest = Buffer.from(lines); rest.length > 0; ) rest = rest.subarray(writeSync(fd, rest))
        fsyncSync(fd)
      },
      [Symbol.dispose]: () => closeSync(fd),
    }
  } catch (cause) {
    closeSync(fd)
    throw cause
  }
}

const lineStart = '{"cursor":"'
/** Longer than any line. */
const tailMax = 1 << 20

/** The last entry of each log. The first line may be a part of one. */
function entriesIn(text: string): readonly KnownEntry[] {
  const last = new Map<string, KnownEntry>()
  for (const line of text.split('\n')) {
    try {
      const entry = JSON.parse(line) as KnownEntry
      last.set(entry.log, entry)
    } catch {}
  }
  return [...last.values()]
}

function cursorOf(line: string): AuditCursor | undefined {
  try {
    const { cursor } = JSON.parse(line) as { cursor?: unknown }
    return typeof cursor === 'string' ? parseCursor(cursor) : undefined
  } catch {
    return undefined
  }
}
