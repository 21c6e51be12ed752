import type { Link } from '../engine/link.ts'
import { Refused } from '../refused.ts'
import type { Store } from '../store/open.ts'
import { isRunning } from './lock.ts'
import { type Ground, makeLogger, reachEngine, reachStore } from './roles.ts'
import { inModeOf, type Settings } from './settings.ts'

/** Output of a command: an object for `--json`, and lines for people. */
export type Result = { readonly json: Readonly<Record<string, unknown>>; readonly lines: readonly string[]; readonly isFailure?: boolean }

export type Option = { readonly type: 'string' | 'boolean'; readonly about: string; readonly value?: string; readonly isRequired?: boolean }

/** One command of `candor`: its help and its function. */
export type CliCommand = {
  readonly name: string
  readonly about: string
  /** Operands after the name, such as "SYMBOL", or "[SYMBOL]" when it may be left out. */
  readonly operands: readonly string[]
  readonly options: Readonly<Record<string, Option>>
  run(input: Input): Promise<Result>
}

export type Input = {
  readonly settings: Settings
  readonly operands: readonly string[]
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

/** Wrong usage of the command line: exit code 2. */
export class UsageFault extends Error {}

/** The exchange is not running, or has other data than expected: exit code 1. */
export class CommandFault extends Error {}

/** throws  UsageFault when a required option is missing */
export function text(input: Input, name: string): string {
  const value = input.options[name]
  if (typeof value !== 'string' || value === '') throw new UsageFault(`--${name} is missing`)
  return value
}

export const optional = (input: Input, name: string): string | undefined => {
  const value = input.options[name]
  return typeof value === 'string' ? value : undefined
}

/** Uses the exchange that runs on this data folder: a command never opens a second writer. */
export async function withExchange<T>(settings: Settings, work: (link: Link, ground: Ground) => Promise<T>): Promise<T> {
  if (settings.natsUrl === undefined && !(await isRunning(settings.dataFolder))) {
    throw new CommandFault(`No exchange runs on ${settings.dataFolder}. Start it with: npm start`)
  }
  return withStore(settings, async (store) => {
    await using link = await reachEngine(settings)
    await linkUp(link)
    const own = inModeOf(settings, (await link.ask.mode()) ?? undefined)
    return await work(link, { settings: own, store, logger: makeLogger({ ...own, logLevel: 'silent' }, 'candor') })
  })
}

export async function withStore<T>(settings: Settings, work: (store: Store) => Promise<T>): Promise<T> {
  await using store = await reachStore(settings)
  return await work(store)
}

const upMaxMs = 5_000

async function linkUp(link: Link): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const limit = setTimeout(
      () => reject(new CommandFault('The engine does not accept commands now. See the log in the data folder.')),
      upMaxMs,
    )
    link.onState((state) => {
      if (state !== 'up') return
      clearTimeout(limit)
      resolve()
    })
  })
}

export function failureText(cause: unknown): string {
  if (cause instanceof Refused) return `Refused: ${cause.refusal}${cause.field ? ` (${cause.field})` : ''}`
  return cause instanceof Error ? cause.message : String(cause)
}
