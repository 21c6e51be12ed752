import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { outcomes, refused } from '../../identity/test/world.ts'
import { anna, type PapersWorld, startPapersWorld, whole } from './papers-world.ts'
import { picture } from './pictures.ts'

let here: PapersWorld
before(async () => {
  here = await startPapersWorld()
})
after(() => here[Symbol.asyncDispose]())

const day = 86_400_000

test('PAPERS-DRAFT-001: a draft grows field by field and photo by photo, and is there again on another device', async () => {
  const { papers } = here.office
  const who = await here.customer()
  assert.equal((await papers.of(who.account)).state, 'none')
  await papers.save(who, { kind: 'id-card', country: 'HK' })
  await papers.save(who, { name: 'CHAN TAI MAN' })
  const { photos } = await papers.addPhoto(who, 'back', await picture(2_400, 1_200))
  assert.deepEqual(
    photos.map(({ side, width, height }) => [side, width, height]),
    [['back', 2_000, 1_000]],
  )
  const { state, kind, country, name, born, number, faults, sentAt } = await papers.of(who.account)
  assert.deepEqual(
    { state, kind, country, name, born, number, faults, sentAt },
    {
      ...{ state: 'draft', kind: 'id-card', country: 'HK', name: 'CHAN TAI MAN', born: null, number: null, faults: [], sentAt: null },
    },
  )
  assert.equal((await sharp(await papers.photo(who.account, 'back')).metadata()).width, 2_000)
  await assert.rejects(papers.photo(who.account, 'front'), refused('NOT_FOUND'))
})

test('PAPERS-DRAFT-002: a photo replaces the one of its side, and a removed one is gone from its place an hour later', async () => {
  const { papers } = here.office
  const who = await here.customer()
  const first = await papers.addPhoto(who, 'front', here.photo)
  const second = await papers.addPhoto(who, 'front', await picture(700, 800))
  assert.notEqual(first.photos[0]!.id, second.photos[0]!.id)
  assert.deepEqual([second.photos.length, second.photos[0]!.width], [1, 700])
  await papers.save(who, { kind: 'id-card' })
  await papers.addPhoto(who, 'back', here.photo)
  assert.deepEqual(
    (await papers.save(who, { kind: 'passport' })).photos.map(({ side }) => side),
    ['front'],
    'a passport has one photo',
  )
  assert.deepEqual((await papers.removePhoto(who, 'front')).photos, [])
  const names = [first.photos[0]!.id, second.photos[0]!.id]
  assert.ok(names.every((name) => here.objects.files.has(name)))
  here.world.pass(3_600_001)
  await here.office.forget()
  assert.ok(names.every((name) => !here.objects.files.has(name)))
})

test('PAPERS-DRAFT-003: ten photos at once leave one photo, one draft, and no file that stays for ever', async () => {
  const who = await here.customer()
  await Promise.all(Array.from({ length: 10 }, () => here.office.papers.addPhoto(who, 'front', here.photo)))
  const { photos } = await here.office.papers.of(who.account)
  assert.equal(photos.length, 1)
  const drafts = await here.db.selectFrom('papers').select('id').where('account', '=', who.account).execute()
  assert.equal(drafts.length, 1)
  here.world.pass(3_600_001)
  await here.office.forget()
  const rows = await here.db.selectFrom('paper_photos').select('object').execute()
  assert.deepEqual([...here.objects.files.keys()].sort(), rows.map(({ object }) => object).sort())
})

test('PAPERS-SEND-001: a check is sent whole; the first part that is missing is named', async () => {
  const { papers } = here.office
  const who = await here.customer()
  const lacking = async (): Promise<unknown> => {
    try {
      return (await papers.send(who)).state
    } catch (cause) {
      const { refusal, field } = cause as { refusal: string; field: string }
      return [refusal, field]
    }
  }
  for (const field of ['kind', 'country', 'name', 'born', 'number'] as const) {
    assert.deepEqual(await lacking(), ['PAPERS_INCOMPLETE', field])
    await papers.save(who, { [field]: whole[field] })
  }
  for (const side of ['front', 'back'] as const) {
    assert.deepEqual(await lacking(), ['PAPERS_INCOMPLETE', side])
    await papers.addPhoto(who, side, here.photo)
  }
  assert.equal(await lacking(), 'waiting')
  assert.equal(await lacking(), 'waiting', 'a second tap')
})

test('PAPERS-SEND-002: nobody under 18 is checked, to the day', async () => {
  const { papers } = here.office
  const now = new Date(here.world.clock())
  const born = (days: number): string =>
    new Date(Date.UTC(now.getUTCFullYear() - 18, now.getUTCMonth(), now.getUTCDate() + days)).toISOString().slice(0, 10)
  const who = await here.customer()
  await papers.save(who, { ...whole, kind: 'passport', born: born(1) })
  await papers.addPhoto(who, 'front', here.photo)
  await assert.rejects(papers.send(who), refused('UNDER_AGE'))
  assert.equal((await papers.of(who.account)).state, 'draft')
  await papers.save(who, { born: born(-1) })
  assert.equal((await papers.send(who)).state, 'waiting')
})

test('PAPERS-SEND-003: what was sent can’t be changed, shows no photo any more and only the end of the number', async () => {
  const { papers } = here.office
  const { who } = await here.waiting({ number: 'X99887766' })
  const { state, number, photos } = await papers.of(who.account)
  assert.deepEqual({ state, number, photos }, { state: 'waiting', number: '•••766', photos: [] })
  await assert.rejects(papers.photo(who.account, 'front'), refused('NOT_FOUND'))
  for (const change of [
    () => papers.save(who, { name: 'SOMEBODY ELSE' }),
    () => papers.addPhoto(who, 'front', here.photo),
    () => papers.removePhoto(who, 'front'),
  ])
    await assert.rejects(change, refused('PAPERS_LOCKED'))
  const profile = await here.world.identity.profiles.get(who.account)
  assert.equal(profile.certification, 'in-progress')
})

test('PAPERS-SEND-004: of ten sendings at once one counts, and a change beside it is in it or refused', async () => {
  const { papers } = here.office
  const who = await here.customer()
  await papers.save(who, { ...whole, kind: 'passport' })
  await papers.addPhoto(who, 'front', here.photo)
  const sent = Array.from({ length: 10 }, () => papers.send(who))
  const results = await outcomes([...sent, papers.save(who, { name: 'ANOTHER NAME' })])
  assert.deepEqual([...new Set(results.slice(0, 10))], ['done'])
  const rows = await here.db.selectFrom('papers').selectAll().where('account', '=', who.account).execute()
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['waiting'],
  )
  const { name } = await papers.of(who.account)
  assert.equal(name, results[10] === 'done' ? 'ANOTHER NAME' : whole.name)
})

test('PAPERS-SECRET-001: a copy of database and photos without the server key shows no word and no picture of a document', async () => {
  const { who } = await here.waiting({ name: 'UNMISTAKABLE NAME', number: 'Q55544433' })
  const { rows } = await here.world.store.pool.query(
    "select papers::text || coalesce((select string_agg(p::text, '') from paper_photos p), '') as text from papers",
  )
  const text = rows.map((row) => (row as { text: string }).text).join('\n')
  for (const word of ['UNMISTAKABLE', 'Q55544433', Buffer.from('UNMISTAKABLE').toString('hex'), Buffer.from('Q55544433').toString('hex')])
    assert.doesNotMatch(text, new RegExp(word))
  for (const file of here.objects.files.values()) await assert.rejects(sharp(file).metadata())
  // The same number gives the same tag only under the key that the server has.
  const { tag } = await here.db.selectFrom('papers').select('tag').where('account', '=', who.account).executeTakeFirstOrThrow()
  const { createHash } = await import('node:crypto')
  assert.notDeepEqual(tag, createHash('sha256').update('id-card:HK:Q55544433').digest())
})

test('PAPERS-KEPT-001: photos are deleted when their time is over; what was decided stays', async () => {
  const { papers, reviews } = here.office
  const draft = await here.customer()
  const abandoned = (await papers.addPhoto(draft, 'front', here.photo)).photos[0]!.id
  const { who, id } = await here.waiting()
  const { object } = await here.db
    .selectFrom('paper_photos')
    .select('object')
    .where('papers', '=', id)
    .where('side', '=', 'back')
    .executeTakeFirstOrThrow()
  await reviews.claim(id, anna)
  await reviews.reject(id, [{ field: 'front', reason: 'blurred' }], anna)
  // The new draft names the photo of the back too.
  await papers.addPhoto(who, 'front', here.photo)
  here.world.pass(31 * day)
  await here.office.forget()
  here.world.pass(3_600_001)
  await here.office.forget()
  assert.deepEqual([here.objects.files.has(abandoned), here.objects.files.has(object)], [false, true])
  here.world.pass(60 * day)
  await here.office.forget()
  here.world.pass(3_600_001)
  await here.office.forget()
  assert.equal(here.objects.files.has(object), false)
  const { state, faults } = await here.db.selectFrom('papers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  assert.deepEqual({ state, faults }, { state: 'rejected', faults: [{ field: 'front', reason: 'blurred' }] })
})
