import assert from 'node:assert/strict'
import { test } from 'node:test'
import { good } from '../../identity/test/world.ts'
import { codeIn, consoleWorld, type Member } from './console-world.ts'

const world = consoleWorld()

const marks = async (account: string) =>
  (await world().rows('select staff, cause, told_at from staff_marks where account = $1 order by marked_at', account)) as {
    staff: string
    cause: string
    told_at: number | null
  }[]

async function customer() {
  const { account } = await world().papers.world.customer()
  const [row] = await world().rows('select uid, core_user from accounts where id = $1', account)
  return { account, uid: row!['uid'] as string, user: row!['core_user'] as number }
}

const declare = async ({ browser }: Member, uid: string | null): Promise<string> =>
  codeIn(await browser.send('POST', '/auth/account', { uid }))

test('CONSOLE-STAFF-ACCOUNT-001: a member declares the own customer account, or that there is none, within 15 minutes of a login', async () => {
  const sam = await world().hire('support')
  const { uid, account, user } = await customer()
  const read = async () => (await sam.browser.send('GET', '/auth/account')).body.declared
  assert.equal(await read(), null)
  assert.equal(await declare(sam, '999999999'), '404 USER_UNKNOWN')
  const before = await world().newest()
  assert.equal(await declare(sam, uid), '204')
  assert.equal((await read()).uid, uid)
  const [mark] = await marks(account)
  assert.deepEqual([mark!.staff, mark!.cause], [sam.id, 'declared'])
  assert.notEqual(mark!.told_at, null)
  assert.deepEqual(world().marked, [user])
  assert.deepEqual(
    (await world().log(before)).map(({ action, subject }) => [action, subject]),
    [['account-declared', uid]],
  )
  world().pass(16 * 60_000)
  assert.equal(await declare(sam, null), '403 SESSION_NOT_FRESH')
})

test('CONSOLE-STAFF-ACCOUNT-002: an account with the address of a member is marked when either appears', async () => {
  const sam = await world().hire('support')
  const { identity } = world().papers.world
  const { account: later } = await identity.createUser({ email: sam.email, password: good })
  assert.deepEqual(
    (await marks(later)).map(({ staff, cause }) => [staff, cause]),
    [[sam.id, 'address']],
  )
  const { account, uid } = await customer()
  await world().rows('update accounts set email = $2 where id = $1', account, 'tina@staff.example')
  assert.deepEqual(await marks(account), [])
  await world().enrol('tina@staff.example', await world().invite('tina@staff.example', 'risk'))
  assert.deepEqual(
    (await marks(account)).map(({ cause }) => cause),
    ['address'],
  )
  const { browser } = await world().member('compliance')
  const shown = (await browser.send('GET', `/customers/${uid}`)).body
  assert.deepEqual([shown.staff[0].email, shown.staff[0].cause], ['tina@staff.example', 'address'])
  const list = (await browser.send('GET', '/customers?state=staff')).body.customers as { uid: string; isStaff: boolean }[]
  assert.ok(list.some((row) => row.uid === uid) && list.every(({ isStaff }) => isStaff))
  await world().people.marks.tell()
  assert.ok((await marks(account)).every(({ told_at: toldAt }) => toldAt !== null))
})

test('CONSOLE-STAFF-ACCOUNT-002: of an account and a member that appear at once, the later one sees the other', async () => {
  const { pool } = world().papers.world.store
  const sam = await world().hire('support')
  const { account } = await customer()
  const email = 'both@staff.example'
  const [one, two] = [await pool.connect(), await pool.connect()]
  try {
    // The trigger of staff asks for no proposal here: only the address matters.
    await one.query('begin')
    await one.query('update accounts set email = $2 where id = $1', [account, email])
    await two.query('begin')
    await two.query('alter table staff disable trigger staff_needs_two')
    const second = two.query('update staff set email = $2 where id = $1', [sam.id, email])
    await one.query('commit')
    await second
    await two.query('alter table staff enable trigger staff_needs_two')
    await two.query('commit')
  } finally {
    one.release()
    two.release()
  }
  assert.equal((await marks(account)).length, 1)
})

test('CONSOLE-STAFF-ACCOUNT-002: one statement can add more accounts than a transaction can hold locks', async () => {
  const { rows } = await world().papers.world.store.pool.query(
    `with made as (
       insert into accounts (id, uid, email, password, password_changed_at, lang, invitation_code, class, created_at)
       select gen_random_uuid(), (900000000 + n)::text, 'many' || n || '@example.com', '-', 0, 'en', 'MANY' || n, 'retail', 0
       from generate_series(1, 20000) n returning 1)
     select count(*)::int as n from made`,
  )
  assert.deepEqual(rows, [{ n: 20_000 }])
})

test('CONSOLE-STAFF-ACCOUNT-003: a mark stays, whatever its member declares later and whoever asks the database', async () => {
  const sam = await world().hire('support')
  const [first, second] = [await customer(), await customer()]
  for (const uid of [first.uid, second.uid, null]) assert.equal(await declare(sam, uid), '204')
  for (const { account } of [first, second]) assert.equal((await marks(account)).length, 1)
  for (const change of [
    'delete from staff_marks where account = $1',
    'update staff_marks set told_at = null where account = $1',
    "update staff_marks set cause = 'address' where account = $1",
  ])
    await assert.rejects(world().rows(change, first.account), /stays/)
})

test('CONSOLE-STAFF-ACCOUNT-004: nobody opens the own frozen account, declared or by address, even after declaring another', async () => {
  const [anna, ben] = [await world().hire('compliance'), await world().hire('compliance')]
  const { uid } = await customer()
  assert.equal(await declare(anna, uid), '204')
  assert.equal(await declare(anna, null), '204')
  assert.equal(codeIn(await ben.browser.send('POST', '/freezes', { uid, reason: 'a call from the owner' })), '204')
  const [{ id }] = (await ben.browser.send('GET', '/freezes')).body.freezes
  assert.equal(codeIn(await anna.browser.send('POST', `/freezes/${id}/lift`, { reason: 'it is me' })), '403 FORBIDDEN')
  const { body } = await ben.browser.send('POST', `/freezes/${id}/lift`, { reason: 'the owner came by' })
  assert.equal(codeIn(await anna.browser.send('POST', `/freezes/lifts/${body.id}/approve`)), '403 FORBIDDEN')
})

test('CONSOLE-STAFF-ACCOUNT-005: a member marks at most three accounts in 30 days, also in parallel, so that nobody bars customers alone', async () => {
  const sam = await world().hire('support')
  const people = []
  for (let count = 0; count < 6; count++) people.push(await customer())
  const answers = await Promise.all(people.map(({ uid }) => declare(sam, uid)))
  assert.deepEqual(answers.toSorted(), [...Array(3).fill('204'), ...Array(3).fill('429 RATE_LIMITED')])
  const marked = await Promise.all(people.map(async ({ account }) => (await marks(account)).length))
  assert.equal(
    marked.reduce((sum, one) => sum + one, 0),
    3,
  )
  const [own, other] = [people[marked.indexOf(1)]!, people[marked.indexOf(0)]!]
  for (const uid of [own.uid, null]) assert.equal(await declare(sam, uid), '204')
  world().pass(30 * 86_400_000)
  await world().logIn(sam)
  assert.equal(await declare(sam, other.uid), '204')
})
