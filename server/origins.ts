import { AsyncLocalStorage } from 'node:async_hooks'
import type { UserClass } from '@candor/core/protocol/command/user.ts'

/**
 * Where a request that changes something comes from: a session, or an API key by its number. `member`: of a firm, whoever acts for its
 * account, and `memberUser` the core's user of that person. `device`: empty for programs.
 */
export type Origin = {
  readonly account: string
  readonly user: number
  readonly class: UserClass
  readonly session: string | null
  readonly member?: string | undefined
  readonly memberUser?: number | undefined
  readonly key: number | null
  readonly ip: string
  readonly device: string
}

/** The origin of the request that is being answered, for the place that sends commands to the engine. */
export const origins: AsyncLocalStorage<Origin> = new AsyncLocalStorage()
