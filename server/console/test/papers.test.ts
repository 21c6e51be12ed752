import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { csvOf } from '../../http/csv.ts'
import { codeIn, consoleWorld, type Member, type StaffBrowser } from './console-world.ts'

const world = consoleWorld()
const minute = 60_000
const claim = async ({ browser }: Member, id: string): Promise<string> => codeIn(await browser.send('POST', `/papers/${id}/claim`))
const photo = (browser: StaffBrowser, id: string, side = 'front') => browser.send('GET', `/papers/${id}/photos/${side}`)

/** Two reviewers and a check that waits. */
async function scene() {
  await world().administrators()
  const anna = await world().member('compliance')
  const others = await world().rows("select id from staff where role = 'compliance' and id <> $1", anna.id)
  const ben = others.length === 0 ? (bens[0] = await world().hire('compliance')) : bens[0]!
  for (const one of [anna, ben]) await world().logIn(one)
  const { id, who } = await world().papers.waiting()
  return { anna, ben, id, who }
}
const bens: Member[] = []

test('CONSOLE-PAPERS-001: one reviewer at a time; a claim ends after half an hour or when it is given back', async () => {
  const { anna, ben, id } = await scene()
  const both = await Promise.all([claim(anna, id), claim(ben, id)])
  assert.deepEqual([...both].sort(), ['204', '409 CLAIMED'])
  const [first, second] = both[0] === '204' ? [anna, ben] : [ben, anna]
  assert.equal(codeIn(await photo(second.browser, id)), '409 CLAIMED')
  assert.equal(codeIn(await second.browser.send('POST', `/papers/${id}/certify`)), '409 CLAIMED')
  assert.equal(codeIn(await second.browser.send('POST', `/papers/${id}/release`)), '204')
  const shown = async () =>
    (await second.browser.send('GET', '/papers')).body.waiting.find((one: { id: string }) => one.id === id).claimedBy
  assert.equal(await shown(), first.email)
  assert.equal(codeIn(await first.browser.send('POST', `/papers/${id}/release`)), '204')
  assert.equal(await shown(), null)
  assert.equal(await claim(second, id), '204')
  world().pass(29 * minute)
  await world().logIn(first)
  assert.equal(await claim(first, id), '409 CLAIMED')
  world().pass(minute)
  assert.equal(await claim(first, id), '204')
  await world().logIn(second)
  assert.equal(codeIn(await second.browser.send('POST', `/papers/${id}/certify`)), '409 CLAIMED')
})

test('CONSOLE-PAPERS-002: each look is in the log first; what can’t be logged is not shown', async () => {
  const { anna, id } = await scene()
  const before = await world().newest()
  assert.equal((await anna.browser.send('GET', `/papers/${id}`)).body.id, id)
  await claim(anna, id)
  for (const side of ['front', 'back']) assert.equal((await photo(anna.browser, id, side)).status, 200)
  assert.deepEqual(
    (await world().log(before)).map(({ staff, action, subject, after }) => [staff, action, subject, after]),
    [
      [anna.id, 'papers-opened', id, null],
      [anna.id, 'papers-claimed', id, null],
      [anna.id, 'papers-seen', id, { side: 'front' }],
      [anna.id, 'papers-seen', id, { side: 'back' }],
    ],
  )
  await world().rows("create function no_look() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$")
  await world().rows('create trigger no_look before insert on staff_log for each row execute function no_look()')
  for (const path of [`/papers/${id}`, `/papers/${id}/photos/front`]) {
    const { status, raw } = await anna.browser.send('GET', path)
    assert.equal(status, 503)
    assert.ok(raw.length < 400 && raw[0] !== 0xff)
  }
  await world().rows('drop trigger no_look on staff_log')
  const customers = await world().rows("select detail from audit_log where action = 'papers-seen'")
  assert.equal(customers.length, 2, 'the customer’s log has no look that did not happen')
})

test('CONSOLE-PAPERS-002: a request for the headers of a photo alone is refused and logged as no look', async () => {
  const { anna, id } = await scene()
  await claim(anna, id)
  const before = await world().newest()
  const url = `/console/v1/papers/${id}/photos/front`
  const headers = { host: 'localhost:80', cookie: anna.browser.cookie }
  assert.equal((await world().app.inject({ method: 'HEAD', url, headers })).statusCode, 405)
  assert.equal(await world().newest(), before)
})

test('CONSOLE-PAPERS-003: a photo is a download that carries its viewer’s address', async () => {
  const { anna, ben, id } = await scene()
  await claim(anna, id)
  const first = await photo(anna.browser, id)
  const head = (name: string): string => String(first.headers[name])
  assert.deepEqual([head('content-type'), head('content-security-policy')], ['image/jpeg', "default-src 'none'; sandbox"])
  assert.match(head('content-disposition'), /^attachment/)
  assert.match(head('cache-control'), /no-store/)
  assert.equal((await sharp(first.raw).metadata()).format, 'jpeg')
  await anna.browser.send('POST', `/papers/${id}/release`)
  await claim(ben, id)
  const second = await photo(ben.browser, id)
  assert.ok(!first.raw.equals(second.raw), 'two viewers never get the same bytes')
  assert.equal(codeIn(await photo(ben.browser, id, 'side')), '400 FIELD_INVALID')
})

test('CONSOLE-PAPERS-004: a check is certified, or sent back with reasons; both are logged', async () => {
  const { anna, id } = await scene()
  const before = await world().newest()
  await claim(anna, id)
  for (const faults of [[], [{ field: 'front', reason: 'expired' }], [{ field: 'hat', reason: 'blurred' }], 'no'])
    assert.equal(codeIn(await anna.browser.send('POST', `/papers/${id}/reject`, { faults })), '400 FIELD_INVALID')
  const faults = [{ field: 'front', reason: 'blurred' }]
  assert.equal((await anna.browser.send('POST', `/papers/${id}/reject`, { faults })).status, 204)
  assert.equal(codeIn(await anna.browser.send('POST', `/papers/${id}/certify`)), '404 NOT_FOUND')
  const second = await world().papers.waiting()
  await claim(anna, second.id)
  assert.equal((await anna.browser.send('POST', `/papers/${second.id}/certify`)).status, 204)
  assert.equal((await anna.browser.send('GET', `/papers/${second.id}`)).body.state, 'certified')
  const decided = (await world().log(before)).filter(({ action }) => /certified|rejected/.test(action))
  assert.deepEqual(
    decided.map(({ staff, action, subject, after }) => [staff, action, subject, after.faults]),
    [
      [anna.id, 'papers-rejected', id, faults],
      [anna.id, 'papers-certified', second.id, []],
    ],
  )
})

test('CONSOLE-OVERVIEW-001: the overview and the queue count what waits', async () => {
  const { anna } = await scene()
  const queue = (await anna.browser.send('GET', '/papers')).body
  const [oldest] = queue.waiting
  world().pass(5 * minute)
  const overview = (await anna.browser.send('GET', '/overview')).body
  assert.deepEqual(overview.papers, { waiting: queue.count, oldestAgeMs: world().clock() - oldest.sentAt })
  const next = (await anna.browser.send('GET', `/papers?after=${oldest.sentAt}:${oldest.id}`)).body
  assert.deepEqual(
    next.waiting.map(({ id }: { id: string }) => id),
    queue.waiting.slice(1).map(({ id }: { id: string }) => id),
  )
  const [ann] = await world().administrators()
  const { proposals } = (await ann.browser.send('GET', '/overview')).body
  const wish = { kind: 'role', staff: anna.id, role: 'risk', reason: 'a reason' }
  assert.equal((await ann.browser.send('POST', '/staff/proposals', wish)).status, 200)
  assert.equal((await ann.browser.send('GET', '/overview')).body.proposals.waiting, proposals.waiting + 1)
})

test('CONSOLE-LOG-001: the log page by page, by member and action, and as a file without formulas', async () => {
  const { anna } = await scene()
  const [ann] = await world().administrators()
  const wish = { kind: 'role', staff: anna.id, role: 'support', reason: '=HYPERLINK("http://x","y")' }
  const { proposals } = (await ann.browser.send('GET', '/staff/proposals')).body
  for (const { id } of proposals) await ann.browser.send('POST', `/staff/proposals/${id}/decline`, { reason: 'no' })
  assert.equal((await ann.browser.send('POST', '/staff/proposals', wish)).status, 200)
  await world().rows("insert into staff_log (at, ip, device, action) select 1, 'x', 'y', 'old' from generate_series(1, 150)")
  const first = (await ann.browser.send('GET', '/log?action=old')).body
  const second = (await ann.browser.send('GET', `/log?action=old&before=${first.next}`)).body
  assert.deepEqual([first.entries.length, second.entries.length], [100, 50])
  assert.ok(second.entries[0].id < first.entries.at(-1).id)
  const own = (await ann.browser.send('GET', `/log?staff=${ann.id}&action=proposed`)).body.entries
  assert.deepEqual([own[0].email, own[0].why], [ann.email, wish.reason])
  const file = await ann.browser.send('GET', `/log.csv?staff=${ann.id}`)
  const text = file.raw.toString()
  assert.match(String(file.headers['content-type']), /^text\/csv/)
  assert.match(text, /^id,at,email,staff,session,ip,device,action,subject,why,before,after\r\n/)
  assert.ok(text.includes(`"'=HYPERLINK(""http://x"",""y"")"`))
  assert.match(text.split('\r\n')[1]!, /log-exported/)
  const files = await Promise.all(Array.from({ length: 10 }, async () => codeIn(await ann.browser.send('GET', '/log.csv'))))
  assert.ok(files.filter((answer) => answer === '429 RATE_LIMITED').length >= 5, files.join())
})

test('CONSOLE-LOG-001: a cell has no formula behind a separator that other spreadsheets split at', () => {
  for (const sign of ['=', '+', '-', '@', '＝', '＋', '－', '＠'])
    for (const before of ['', ' ', 'x;', 'x\t', 'x|', 'x\n', 'x; '])
      assert.ok(
        !new RegExp(`(^|[;\\t|\\n"])\\s*${sign === '+' ? '\\+' : sign}`, 'm').test(csvOf(['a'], [{ a: `${before}${sign}A1` }]).slice(3)),
        before + sign,
      )
})

test('CONSOLE-PAPERS-005: a reviewer holds ten checks at most, so that the queue is for all', async () => {
  const { anna, ben } = await scene()
  const ids: string[] = []
  while (ids.length < 12) ids.push((await world().papers.waiting()).id)
  await world().logIn(anna)
  const answers = await Promise.all(ids.map((id) => claim(anna, id)))
  assert.ok(answers.filter((answer) => answer === '204').length <= 10, answers.join())
  assert.ok(answers.includes('429 RATE_LIMITED'))
  const [left] = ids.filter((_, at) => answers[at] !== '204')
  assert.equal(await claim(ben, left!), '204')
  const [own] = ids.filter((_, at) => answers[at] === '204')
  assert.equal(await claim(anna, own!), '204', 'the own claim for another half an hour')
  for (const id of ids) for (const one of [anna, ben]) await one.browser.send('POST', `/papers/${id}/release`)
})

test('CONSOLE-PAPERS-006: nobody reviews the own check', async () => {
  const { anna, ben, id, who } = await scene()
  await world().rows('update accounts set email = $2 where id = $1', who.account, anna.email)
  assert.equal(await claim(anna, id), '403 FORBIDDEN')
  assert.equal(await claim(ben, id), '204')
  // Claimed before the address of the account was the reviewer's.
  await world().rows('update accounts set email = $2 where id = $1', who.account, ben.email)
  assert.equal(codeIn(await ben.browser.send('POST', `/papers/${id}/certify`)), '403 FORBIDDEN')
})

test('CONSOLE-PAPERS-006: nobody reviews the check of the account that they declared', async () => {
  const { anna, ben, id, who } = await scene()
  const [{ uid }] = (await world().rows('select uid from accounts where id = $1', who.account)) as [{ uid: string }]
  for (const one of [anna, ben]) await world().logIn(one)
  assert.equal(codeIn(await anna.browser.send('POST', '/auth/account', { uid })), '204')
  assert.equal(await claim(anna, id), '403 FORBIDDEN')
  assert.equal(await claim(ben, id), '204')
})
