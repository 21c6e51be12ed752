import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Outcome } from '@candor/core/protocol/port.ts'
import { ServerKeys } from '../../identity/server-keys.ts'
import { tellCertified } from '../../main/certified.ts'
import { PapersDesk } from '../desk.ts'
import { anna, type PapersWorld, SeenObjects, startPapersWorld, whole } from './papers-world.ts'

let here: PapersWorld
before(async () => {
  here = await startPapersWorld()
})
after(() => here[Symbol.asyncDispose]())

const day = 86_400_000
const hour = 3_600_000

/** A second process on the same tables and photos. */
function another(options: Partial<ConstructorParameters<typeof PapersDesk>[0]> = {}): PapersDesk {
  const { world, objects } = here
  return new PapersDesk({
    ...{ store: world.store, serverKeys: ServerKeys.of(Buffer.alloc(32, 7)), objects, clock: world.clock },
    ...{ owners: world.identity.owners, certify: () => Promise.resolve(), revoke: () => Promise.resolve() },
    ...{ onFault: () => undefined, ...options },
  })
}

test('PAPERS-DRAFT-002: however many files nothing names any more, one run deletes them', async () => {
  const names = Array.from({ length: 1_200 }, () => randomUUID())
  for (const name of names) here.objects.files.set(name, Buffer.of(1))
  const gone = names.map((object) => ({ object, since: here.world.clock() }))
  await here.db.insertInto('paper_objects_gone').values(gone).execute()
  here.world.pass(hour + 1)
  await here.office.forget()
  assert.equal(names.filter((name) => here.objects.files.has(name)).length, 0)
})

test('PAPERS-DRAFT-002: a file that can’t be deleted now keeps no other one, is reported, and is tried again', async () => {
  const names = Array.from({ length: 5 }, () => randomUUID()).sort()
  let isAway = true
  class Stubborn extends SeenObjects {
    override async delete(name: string): Promise<void> {
      if (isAway && name === names[0]) throw new Error('the store answered 500')
      await super.delete(name)
    }
  }
  const objects = new Stubborn()
  using office = another({ objects })
  for (const name of names) {
    objects.files.set(name, Buffer.of(1))
    await here.db.insertInto('paper_objects_gone').values({ object: name, since: here.world.clock() }).execute()
  }
  here.world.pass(hour + 1)
  await assert.rejects(office.forget(), AggregateError)
  assert.deepEqual([...objects.files.keys()], names.slice(0, 1))
  isAway = false
  await office.forget()
  assert.equal(objects.files.size, 0)
})

test('PAPERS-KEPT-001: a draft begun long after a rejection has its photos for 30 days from then on', async () => {
  const { papers, reviews } = here.office
  const { who, id } = await here.waiting()
  await reviews.claim(id, anna)
  await reviews.reject(id, [{ field: 'name', reason: 'differs' }], anna)
  here.world.pass(40 * day)
  await papers.save(who, { name: 'CHAN TAI MAN PETER' })
  await here.office.forget()
  assert.equal((await papers.of(who.account)).photos.length, 2)
  here.world.pass(30 * day + 1)
  await here.office.forget()
  assert.equal((await papers.of(who.account)).photos.length, 0)
})

test('PAPERS-KEPT-001: photos whose time is over while their draft is sent are sent with it, or missed before it is', async () => {
  const { papers } = here.office
  const who = await here.customer()
  await papers.save(who, { ...whole, kind: 'passport' })
  await papers.addPhoto(who, 'front', here.photo)
  here.world.pass(30 * day + 1)
  const holder = await here.world.store.pool.connect()
  try {
    // Holds the run at its delete, after it has chosen.
    await holder.query('begin')
    await holder.query('select id from paper_photos for update')
    const run = here.office.forget()
    await new Promise((done) => setTimeout(done, 300))
    await papers.send(who)
    await holder.query('commit')
    await run
  } finally {
    holder.release()
  }
  const { id } = await here.db.selectFrom('papers').select('id').where('account', '=', who.account).executeTakeFirstOrThrow()
  assert.equal((await here.office.reviews.get(id)).photos.length, 1)
})

test('PAPERS-DRAFT-002: a photo that was named as gone by mistake can be replaced', async () => {
  const { papers } = here.office
  const who = await here.customer()
  const { photos } = await papers.addPhoto(who, 'front', here.photo)
  // A draft begun at the moment when the rejected check before it lost its photos leaves this.
  await here.db.insertInto('paper_objects_gone').values({ object: photos[0]!.id, since: here.world.clock() }).execute()
  assert.equal((await papers.addPhoto(who, 'front', here.photo)).photos.length, 1)
  assert.equal((await papers.removePhoto(who, 'front')).photos.length, 0)
})

test('PAPERS-SEND-004: more first sendings at once than the process has database connections all arrive', { timeout: 60_000 }, async () => {
  using office = another()
  const people = await Promise.all(Array.from({ length: 12 }, () => here.customer()))
  for (const [at, who] of people.entries()) {
    await office.papers.save(who, { ...whole, kind: 'passport', number: `P00000${at}` })
    await office.papers.addPhoto(who, 'front', here.photo)
  }
  const results = await Promise.allSettled(people.map((who) => office.papers.send(who)))
  assert.deepEqual([...new Set(results.map(({ status }) => status))], ['fulfilled'])
})

test('PAPERS-REVIEW-009: a check that the server key doesn’t open hides no other from reviewers, and stops no other certificate', async () => {
  const lost = await here.waiting()
  const certified = [await here.waiting(), await here.waiting({ country: 'PT' })] as const
  const users: number[] = []
  for (const { who, id } of certified) {
    await here.office.reviews.claim(id, anna)
    here.failures.push(new Error('the engine is away'))
    await assert.rejects(here.office.reviews.certify(id, anna), /away/)
    const { core_user: user } = await here.db
      .selectFrom('accounts')
      .select('core_user')
      .where('id', '=', who.account)
      .executeTakeFirstOrThrow()
    const row = "insert into core_users (user_id, class, referrer, is_frozen, tier) values ($1, 'retail', 0, false, 0)"
    await here.world.store.pool.query(row, [user])
    users.push(user!)
  }
  const closed = Buffer.alloc(60, 2)
  await here.db.updateTable('papers').set({ fields: closed }).where('id', 'in', [lost.id, certified[0].id]).execute()
  const faults: unknown[] = []
  const told: number[] = []
  using office = another({ onFault: (cause) => faults.push(cause), certify: async (user) => void told.push(user) })
  await office.reviews.finish()
  assert.deepEqual([told, faults.length], [[users[1]], 1])
  const located: unknown[] = []
  const submit = async (command: unknown) => (located.push(command), { refusal: undefined }) as unknown as Outcome
  await tellCertified(here.world.store, submit, here.world.identity)
  assert.deepEqual(located, [], 'nothing opens without the rules of the document’s country')
  const open = await here.waiting()
  const list = await office.reviews.waiting()
  assert.ok(list.some(({ id }) => id === open.id))
  assert.ok(list.some(({ id, kind }) => id === lost.id && kind === null))
})
