import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { minute } from '../../test/quick-world.ts'
import { outcomes, refused } from '../../test/world.ts'
import { allowListEndsMs } from '../allow-list.ts'

const { world, rows, sent, customer, proveByCode } = factorWorld()
const lists = () => world().identity.allowLists

async function proven() {
  const one = await customer()
  await proveByCode(one)
  return one
}
const told = async (to: string) => (await sent(to)).map(({ template }) => template).filter((name) => name.startsWith('allow-list'))

test('USER-ALLOW-001: the lock of the withdrawal addresses is switched on at once, with a proof, and every address is told', async () => {
  const one = await customer()
  assert.deepEqual(await lists().of(one.account), { isOn: false, endsAt: null })
  await assert.rejects(lists().set(true, one.person), refused('PROOF_NEEDED'))
  await proveByCode(one)
  assert.deepEqual(await lists().set(true, one.person), { isOn: true, endsAt: null })
  assert.deepEqual(await lists().set(true, one.person), { isOn: true, endsAt: null })
  assert.deepEqual(await told(one.to), ['allow-list-on'])
  assert.deepEqual((await world().identity.safety(one.account)).allowList, { isOn: true, endsAt: null })
})

test('USER-ALLOW-002: switched off it counts for 24 hours more, every address is told, and a second wish changes no time', async () => {
  const one = await proven()
  await lists().set(true, one.person)
  const endsAt = world().clock() + allowListEndsMs
  assert.deepEqual(await lists().set(false, one.person), { isOn: true, endsAt })
  world().pass(minute)
  assert.deepEqual(await lists().set(false, one.person), { isOn: true, endsAt })
  const [, message] = (await sent(one.to)).filter(({ template }) => template.startsWith('allow-list'))
  assert.deepEqual(
    [message!.template, message!.values['until'], message!.freezeLink === undefined],
    ['allow-list-ending', String(endsAt), false],
  )
  world().pass(allowListEndsMs - minute - 1)
  assert.equal((await lists().of(one.account)).isOn, true)
  world().pass(1)
  assert.deepEqual(await lists().of(one.account), { isOn: false, endsAt: null })
  await assert.rejects(lists().set(true, one.person), refused('PROOF_NEEDED'))
})

test('USER-ALLOW-003: a lock that is being switched off is kept from any session without a proof', async () => {
  const one = await proven()
  await lists().set(true, one.person)
  await lists().set(false, one.person)
  world().pass(16 * minute)
  await assert.rejects(lists().set(false, one.person), refused('PROOF_NEEDED'))
  const both = await outcomes([lists().set(true, one.person), lists().set(true, one.person)])
  assert.deepEqual(both, ['done', 'done'])
  assert.deepEqual(await lists().of(one.account), { isOn: true, endsAt: null })
  assert.equal((await rows("select 1 from audit_log where account = $1 and action = 'allow-list-kept'", one.account)).length, 1)
  await world().identity.sessions.revoke(one.account, one.person.session.id)
  await assert.rejects(lists().set(true, one.person), refused('UNAUTHENTICATED'))
  await assert.rejects(rows('update allow_lists set is_on = false, ends_at = 9 where account = $1', one.account), /check/)
})
