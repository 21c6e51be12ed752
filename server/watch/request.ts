import { AsyncLocalStorage } from 'node:async_hooks'

/** Parts of the interface, for counts of requests. */
export type Area = 'spot' | 'futures' | 'coin' | 'wallet' | 'app' | 'console' | 'hooks' | 'pages'

/** A command that a request sent to the engine, on the steady clock. `seq`: once it is answered. */
export type SentCommand = { readonly type: string; readonly begunAt: number; endedAt?: number; seq?: number }

/** Where the time of one request goes, on the steady clock. */
export class RequestClock {
  readonly begunAt = performance.now()
  /** When its body was there and its caller known; undefined for one that was refused before. */
  readyAt: number | undefined
  readonly commands: SentCommand[] = []
  /** Whether its spans are sent to a collector. */
  isTraced = false
}

/** `route`: as it is declared, with names instead of values, so that no secret of a path is in it. */
export type Answered = {
  readonly area: Area
  readonly method: string
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly clock?: RequestClock | undefined
}

/** Called for each answer, for metrics, the log of slow requests, and traces. */
export type Ended = (answered: Answered) => void

/** The clock of the request that is being answered. */
export const clocks: AsyncLocalStorage<RequestClock> = new AsyncLocalStorage()

/** Notes a command of the request that is being answered, if there is one. */
export function timed<Outcome extends { readonly seq: number }>(type: string, send: () => Promise<Outcome>): Promise<Outcome> {
  const clock = clocks.getStore()
  if (clock === undefined) return send()
  const command: SentCommand = { type, begunAt: performance.now() }
  clock.commands.push(command)
  return send().then(
    (outcome) => {
      command.endedAt = performance.now()
      command.seq = outcome.seq
      return outcome
    },
    (cause: unknown) => {
      command.endedAt = performance.now()
      throw cause
    },
  )
}
