/** Attacks by what the exchange tells owners: text messages to a number by which somebody earns, and floods of mail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { factorWorld } from '../../factors/test/factor-world.ts'
import { stranger } from '../../test/people.ts'
import { phoneNumber } from '../../test/quick-world.ts'

const { world, rows, sent, customer, login } = factorWorld()
const day = 86_400_000

test('USER-MESSAGE-006: logins from any number of new devices send five text messages a day, and mail goes on', async () => {
  const one = await customer()
  const phone = phoneNumber()
  await rows('update accounts set phone = $2 where id = $1', one.account, phone)
  const before = (await sent(one.to)).length
  const count = async (template: string) => (await sent(phone)).filter((message) => message.template === template).length
  await Promise.all(Array.from({ length: 8 }, () => login(one.to)))
  for (let n = 0; n < 4; n++) await login(one.to)
  assert.deepEqual([await count('new-device'), (await sent(one.to)).length - before], [5, 12])
  const links = await rows('select token from freeze_links where account = $1', one.account)
  assert.equal(links.length, 5 + 12, 'a message that was not sent left no link')

  world().pass(day - 1)
  await login(one.to)
  assert.equal(await count('new-device'), 5)
  world().pass(1)
  await login(one.to)
  assert.equal(await count('new-device'), 6)
  await world().identity.freezes.byOwner(one.person.session, stranger())
  assert.equal(await count('account-frozen'), 1, 'no kind silences another')
})

test('USER-MESSAGE-006: a thief who knows the password buries the owner under no more than fifty mails a day', async () => {
  const one = await customer()
  const before = (await sent(one.to)).length
  for (let n = 0; n < 54; n++) await login(one.to)
  assert.equal((await sent(one.to)).length - before, 50)
  await world().identity.freezes.byOwner(one.person.session, stranger())
  assert.equal((await sent(one.to)).at(-1)?.template, 'account-frozen')
})
