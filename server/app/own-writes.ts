import { setTimeout as sleep } from 'node:timers/promises'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Context } from '../live/context.ts'
import type { App } from './app.ts'
import type { Cookies } from './user/cookies.ts'

/** How long a request waits for events that a write at another gateway released. They are on their way here already. */
const waitMaxMs = 250
const pollMs = 5

export type OwnWritesParts = Pick<Context, 'followed' | 'freshness'> & {
  readonly cookies: Pick<Cookies, 'seqOf' | 'noteSeq'>
  readonly hasOthers: () => boolean
}

/**
 * Lets a customer who writes by one gateway read it by another one. A short cookie carries the place of the last write in the journal;
 * the gateway that reads waits until it has heard of it, and then treats it like a write of its own. A made-up place waits for nothing but
 * what this gateway has.
 */
export function carryOwnWrites(app: App, { followed, freshness, cookies, hasOthers }: OwnWritesParts): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (request.session !== undefined && hasOthers()) {
      const seq = Math.max(0, ...request.clock.commands.map((command) => command.seq ?? 0))
      if (seq > 0) cookies.noteSeq(reply, seq)
    }
    done()
  })
  app.addHook('preHandler', async (request) => {
    if (request.session === undefined || !hasOthers()) return
    const seq = cookies.seqOf(request.raw)
    if (seq === undefined) return
    const until = performance.now() + waitMaxMs
    while (seq > followed.seq && performance.now() < until) await sleep(pollMs)
    freshness.wrote(request.session.user as UserId, Math.min(seq, followed.seq))
  })
}
