/** Attacks on a freeze by requests of other sessions that hold the rows that it needs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { stranger } from '../../test/people.ts'
import { fresh } from '../../test/quick-world.ts'
import { good, outcomes } from '../../test/world.ts'

const { world, rows, customer, login, loggedIn } = factorWorld()

/** Resolves once so many requests wait for a row. What messages about the logins insert later does not count. */
async function waits(count: number): Promise<void> {
  const waiting = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query not like 'insert%'`
  while (((await rows(waiting))[0]!['n'] as number) < count) await new Promise(setImmediate)
}

/**
 * Runs `late` in the middle of `early`, which waits for the row of a session between those of the customer's first one and of the
 * one that acts in `late`.
 */
async function inTheMiddle(
  early: (one: Awaited<ReturnType<typeof scene>>) => Promise<unknown>,
  late: (one: Awaited<ReturnType<typeof scene>>) => Promise<unknown>,
) {
  const one = await scene()
  const client = await world().store.pool.connect()
  try {
    await client.query('begin')
    await client.query('select id from sessions where id = $1 for update', [one.between])
    const first = early(one)
    await waits(1)
    const ended = outcomes([first, late(one)])
    await waits(2)
    await client.query('commit')
    return await ended
  } finally {
    client.release()
  }
}

async function scene() {
  const one = await customer()
  const between = (await login(one.to)).session.id
  const [owner, thief] = [await loggedIn(await login(one.to)), await loggedIn(await login(one.to))]
  return { ...one, between, owner, thief }
}

test('USER-FREEZE-009: a thief who ends the other sessions at the moment of a freeze does not stop it', async () => {
  const { identity } = world()
  const came = await inTheMiddle(
    ({ thief }) => identity.endOtherSessions(thief.session, thief.visitor),
    ({ owner }) => identity.freezes.byOwner(owner.session, owner.visitor),
  )
  // The thief was faster, which ended the session of the freeze; neither waits for the other for ever.
  assert.deepEqual(came, ['done', 'UNAUTHENTICATED'])
})

test('USER-FREEZE-009: a change of the password and the end of other sessions do not wait for each other for ever', async () => {
  const { identity } = world()
  const came = await inTheMiddle(
    ({ thief }) => identity.endOtherSessions(thief.session, thief.visitor),
    ({ owner, to }) => {
      const form = { current: good, password: fresh, passwordAgain: fresh }
      return identity.changePassword(form, owner.session, to, { ...stranger(), ...owner.visitor })
    },
  )
  assert.deepEqual(came, ['done', 'UNAUTHENTICATED'])
})
