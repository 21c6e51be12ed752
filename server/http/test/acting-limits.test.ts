import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { actingHeader } from '@candor/core/protocol/wire/firm/acts.ts'
import type { UserClass } from '@candor/core/protocol/command/user.ts'
import type { Session } from '../../ports.ts'
import { refused } from '../../identity/test/world.ts'
import { ActingSessions } from '../acting.ts'
import { gateOf } from '../gate.ts'
import { Limits, tiers } from '../limits.ts'
import { Sessions } from '../sessions.ts'

const account = { user: 900, uid: '900000000' }
const session = (name: string, user: number, userClass: UserClass = 'retail'): Session => ({
  ...{ id: name, account: name, user, uid: String(user), lang: 'en', class: userClass, loggedInAt: 0 },
})
const people = new Map([session('ann', 1), session('bob', 2), session('max', 3, 'maker')].map((one) => [one.id, one]))

/** A gate at which the time stands still, and where everybody may act for one account of a firm. */
function gate() {
  const acting = new ActingSessions(async (own) => ({
    session: {
      ...{ ...own, ...account, account: 'desk', class: 'retail' },
      member: { id: own.id, account: own.account, user: own.user, firm: 'f', role: 'trader', rights: ['read', 'trade'], label: own.id },
    },
    isArchived: false,
  }))
  const sessions = new Sessions(async (token) => people.get(token))
  const limits = new Limits(() => 0)
  const tokenOf = ({ headers }: IncomingMessage) => headers.cookie
  const admit = gateOf({ mode: 'sandbox', publicUrls: [], sessions, acting, limits, tokenOf, deviceOf: () => undefined })
  const asks = async (who: string, isActing = true, method = 'GET') => {
    const headers = { cookie: who, ...(isActing ? { [actingHeader]: account.uid } : {}) }
    return admit({ method, headers } as unknown as IncomingMessage, '127.0.0.1', { auth: 'session', acts: 'read', isOriginFree: true })
  }
  return { limits, sessions, acting, asks }
}

test('FIRM-ACT-007: a member who asks as often as they can leaves the others their allowance for the account', async () => {
  const { limits, asks } = gate()
  for (let left = tiers.retail.read.burst; left > 0; left--) await asks('ann')
  await assert.rejects(asks('ann'), refused('RATE_LIMITED'))
  const { session: found } = await asks('bob')
  assert.equal(found?.user, account.user)

  // A market maker has more as a person, and as a member as much as everybody.
  for (let left = tiers.retail.read.burst; left > 0; left--) await asks('max')
  await assert.rejects(asks('max'), refused('RATE_LIMITED'))
  await asks('max', false)
  limits.close()
})

test('USER-SESSION-007: a write is refused whose session ends before its body has come', async () => {
  const { limits, sessions, acting, asks } = gate()
  people.set('eve', session('eve', 4))
  const [own, forFirm] = [await asks('eve', false, 'POST'), await asks('eve', true, 'POST')]
  for (let left = 2 * tiers.retail.write.burst; left > 0; left--) {
    await own.again?.()
    await forFirm.again?.()
  }
  assert.equal((await asks('eve')).again, undefined)
  people.delete('eve')
  sessions.forgetAccount('eve')
  acting.forgetAccount('eve')
  for (const { again } of [own, forFirm]) await assert.rejects(async () => again!(), refused('UNAUTHENTICATED'))
  limits.close()
})
