import assert from 'node:assert/strict'
import type { WirePaperFault } from '@candor/core/protocol/wire/papers.ts'
import { deviceOf } from '../../identity/device.ts'
import { after, before, test } from 'node:test'
import { desk, outcomes, refused } from '../../identity/test/world.ts'
import { anna, ben, type PapersWorld, startPapersWorld } from './papers-world.ts'
import { picture } from './pictures.ts'

let here: PapersWorld
before(async () => {
  here = await startPapersWorld()
})
after(() => here[Symbol.asyncDispose]())

test('PAPERS-REVIEW-001: the oldest waits first, page by page, and a waiting check has one reviewer for half an hour', async () => {
  const { reviews } = here.office
  const first = await here.waiting({ country: 'DE', kind: 'passport' })
  here.world.pass(1_000)
  const second = await here.waiting()
  const list = await reviews.waiting()
  assert.deepEqual(
    list.map(({ id, kind, country, claimedBy, earlier }) => [id, kind, country, claimedBy, earlier]),
    [
      [first.id, 'passport', 'DE', null, 0],
      [second.id, 'id-card', 'HK', null, 0],
    ],
  )
  assert.deepEqual(
    (await reviews.waiting(list[0])).map(({ id }) => id),
    [second.id],
  )
  assert.equal((await reviews.waitingCount()).count, 2)
  await reviews.claim(first.id, anna)
  await assert.rejects(reviews.claim(first.id, ben), refused('CLAIMED'))
  await reviews.release(first.id, ben)
  assert.equal((await reviews.get(first.id)).claimedBy, anna.name)
  here.world.pass(30 * 60_000)
  await reviews.claim(first.id, ben)
  await assert.rejects(reviews.certify(first.id, anna), refused('CLAIMED'))
  await reviews.release(first.id, ben)
  await assert.rejects(reviews.certify(first.id, ben), refused('CLAIMED'), 'an unclaimed check is nobody’s')
})

test('PAPERS-REVIEW-002: every look at a photo is in the log, with the name of who looked', async () => {
  const { who, id } = await here.waiting()
  await assert.rejects(here.office.reviews.photo(id, 'front', anna), refused('CLAIMED'))
  await here.office.reviews.claim(id, anna)
  await here.office.reviews.photo(id, 'front', anna)
  await here.office.reviews.photo(id, 'back', anna)
  const { rows } = await here.world.store.pool.query(
    "select detail from audit_log where account = $1 and action = 'papers-seen' order by id",
    [who.account],
  )
  assert.deepEqual(
    rows.map((row) => (row as { detail: unknown }).detail),
    [
      { papers: id, side: 'front', by: anna.name },
      { papers: id, side: 'back', by: anna.name },
    ],
  )
})

test('USER-ACCESS-001: the owner reads what the staff decided without their address and device', async () => {
  const { who, id } = await here.waiting()
  await here.office.reviews.claim(id, anna)
  await here.office.reviews.certify(id, anna)
  const { entries } = await here.world.identity.profiles.accesses(who.account)
  const [certified, sent] = entries
  assert.deepEqual([certified?.action, certified?.ip, certified?.device], ['certified', '—', deviceOf('')])
  assert.deepEqual([sent?.action, sent?.ip], ['papers-sent', desk.ip])
})

test('PAPERS-REVIEW-003: certifying opens the products in the core, by the country of the document, and can’t be changed', async () => {
  const { papers, reviews } = here.office
  const { who, id } = await here.waiting({ country: 'PT' })
  await reviews.claim(id, anna)
  await reviews.certify(id, anna)
  assert.equal(here.certified.at(-1)?.country, 'PT')
  const { state, faults } = await papers.of(who.account)
  assert.deepEqual({ state, faults }, { state: 'certified', faults: [] })
  await assert.rejects(papers.save(who, { name: 'SOMEBODY ELSE' }), refused('PAPERS_LOCKED'))
  await assert.rejects(reviews.reject(id, [{ field: 'name', reason: 'differs' }], anna), refused('NOT_FOUND'))
  await here.world.identity.settled()
  assert.equal(here.world.sent.at(-1)?.template, 'papers-verified')
})

test('PAPERS-REVIEW-003: a core that was away learns of the certificate later, once', async () => {
  const { reviews } = here.office
  const { who, id } = await here.waiting({ country: 'IT' })
  await reviews.claim(id, anna)
  here.failures.push(new Error('the engine is away'))
  await assert.rejects(reviews.certify(id, anna), /engine is away/)
  const { core_user: user } = await here.db
    .selectFrom('accounts')
    .select('core_user')
    .where('id', '=', who.account)
    .executeTakeFirstOrThrow()
  const told = () => here.certified.filter((one) => one.user === user).map(({ country }) => country)
  await here.world.store.pool.query(
    "insert into core_users (user_id, class, referrer, is_frozen, tier) values ($1, 'retail', 0, false, 0)",
    [user],
  )
  assert.deepEqual(told(), [])
  await reviews.finish()
  assert.deepEqual(told(), ['IT'])
  await here.world.store.pool.query('update core_users set is_certified = true where user_id = $1', [user])
  await reviews.finish()
  assert.deepEqual(told(), ['IT'])
})

test('PAPERS-REVIEW-004: a document certifies one account, however its number is written and however fast two reviewers are', async () => {
  const { reviews } = here.office
  const same = [
    await here.waiting({ number: 'C 777.888-9' }),
    await here.waiting({ number: 'c7778889' }),
    await here.waiting({ number: 'C777888(9)', country: 'DE' }),
  ] as const
  const seen = await reviews.get(same[0].id)
  assert.deepEqual(
    seen.sameDocument.map(({ state }) => state),
    ['waiting'],
    'the same number of another country is another document',
  )
  for (const { id } of same) await reviews.claim(id, anna)
  const results = await outcomes(same.map(({ id }) => reviews.certify(id, anna)))
  assert.deepEqual([...results].sort(), ['PAPERS_IN_USE', 'done', 'done'])
  assert.equal(results[2], 'done')
})

test('PAPERS-REVIEW-005: a rejection says why, part by part; only what was at fault must be renewed', async () => {
  const { papers, reviews } = here.office
  const { who, id } = await here.waiting()
  await reviews.claim(id, anna)
  const faults = [
    { field: 'name', reason: 'differs' },
    { field: 'front', reason: 'glare' },
  ] as const
  await reviews.reject(id, faults, anna)
  const told = await papers.of(who.account)
  assert.deepEqual({ state: told.state, faults: told.faults, photos: told.photos.length }, { state: 'rejected', faults, photos: 2 })
  assert.equal((await here.world.identity.profiles.get(who.account)).certification, 'none')
  await assert.rejects(papers.send(who), refused('PAPERS_INCOMPLETE'))
  assert.deepEqual((await papers.save(who, { name: 'CHAN TAI MAN PETER' })).faults, [faults[1]])
  await assert.rejects(papers.send(who), refused('PAPERS_INCOMPLETE'))
  assert.deepEqual((await papers.addPhoto(who, 'front', await picture(800, 700))).faults, [])
  assert.equal((await papers.send(who)).state, 'waiting')
  const again = (await reviews.waiting()).find(({ account }) => account === who.account)!
  assert.equal(again.earlier, 1)
  assert.deepEqual((await reviews.get(again.id)).before[0]?.faults, faults)
})

test('PAPERS-REVIEW-006: a rejection needs a reason of the catalogue for each part that it names, once', async () => {
  const { reviews } = here.office
  const { id } = await here.waiting({ kind: 'passport' })
  await reviews.claim(id, anna)
  for (const faults of [
    [],
    [{ field: 'name', reason: 'glare' }],
    [{ field: 'back', reason: 'glare' }],
    [{ field: '__proto__', reason: 'glare' }],
    [
      { field: 'name', reason: 'differs' },
      { field: 'name', reason: 'incomplete' },
    ],
  ])
    await assert.rejects(reviews.reject(id, faults as WirePaperFault[], anna), refused('FIELD_INVALID'))
  assert.equal((await reviews.get(id)).state, 'waiting')
})

test('PAPERS-REVIEW-007: of a certificate and a rejection at the same moment one counts', async () => {
  const { reviews } = here.office
  const { who, id } = await here.waiting()
  await reviews.claim(id, anna)
  const results = await outcomes([reviews.certify(id, anna), reviews.reject(id, [{ field: 'name', reason: 'differs' }], anna)])
  assert.deepEqual([...results].sort(), ['NOT_FOUND', 'done'])
  const { certification } = await here.world.identity.profiles.get(who.account)
  assert.equal(certification, results[0] === 'done' ? 'certified' : 'none')
})

test('PAPERS-REVIEW-008: after ten decisions the customer reads how long one usually takes', async () => {
  const { papers, reviews } = here.office
  for (let n = 0; n < 10; n++) {
    const { id } = await here.waiting()
    here.world.pass(3 * 3_600_000 + 1)
    await reviews.claim(id, ben)
    await reviews.certify(id, ben)
  }
  here.world.pass(300_000)
  const who = await here.customer()
  assert.equal((await papers.of(who.account)).usualHours, 4)
})
