import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { FeedStatus } from '../../live/feed-status.ts'
import { Limits } from '../limits.ts'
import { servePages } from '../pages.ts'
import { Sessions } from '../sessions.ts'

const folder = mkdtempSync(join(tmpdir(), 'candor-pages-'))
let app: FastifyInstance

before(async () => {
  mkdirSync(join(folder, 'assets'))
  const page = '<!doctype html><title>x</title>'
  writeFileSync(join(folder, 'index.html'), page)
  writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(page))
  writeFileSync(join(folder, 'index.html.gz'), gzipSync(page))
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'export {}')
  writeFileSync(join(folder, 'csp.json'), '{"scripts":["sha256-AAAA","\'unsafe-inline\'"],"styles":["sha256-BBBB"]}')
  writeFileSync(join(folder, '.hidden.html'), 'x')
  app = Fastify()
  servePages(app, '/', folder)
  await app.ready()
})
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

test('pages are compressed as the browser accepts, with a policy that allows only the build’s own hashes', async () => {
  const plain = await app.inject('/')
  assert.equal(plain.headers['cache-control'], 'no-cache')
  const policy = String(plain.headers['content-security-policy'])
  assert.match(policy, /script-src 'self' 'sha256-AAAA';/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.equal((await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br' } })).headers['content-encoding'], 'br')
  assert.equal((await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip, br;q=0' } })).headers['content-encoding'], 'gzip')
  const again = await app.inject({ url: '/', headers: { 'if-none-match': String(plain.headers.etag) } })
  assert.equal(again.statusCode, 304)
})

test('only files whose name changes with their content may be cached for ever', async () => {
  assert.match(String((await app.inject('/assets/app-1a2b.js')).headers['cache-control']), /immutable/)
  const script = await app.inject('/assets/app-1a2b.js')
  assert.equal(script.headers['content-security-policy'], "frame-ancestors 'none'")
  for (const path of [
    '/csp.json',
    '/.hidden.html',
    '/index.html.br',
    '/../package.json',
    '/assets/',
    '/assets/none.js',
    '/assets/../csp.json',
  ]) {
    assert.equal((await app.inject(path)).statusCode, 404, path)
  }
})

test('a bucket empties, refills with time, and returns the time to wait', () => {
  let now = 0
  const limits = new Limits(() => now)
  const allowance = { burst: 2, perSecond: 1 }
  assert.deepEqual([limits.take('a', allowance), limits.take('a', allowance), limits.take('a', allowance)], [0, 0, 1])
  assert.equal(limits.take('b', allowance), 0)
  now = 1_000
  assert.equal(limits.take('a', allowance), 0)
  assert.throws(() => limits.check('a', allowance), { refusal: 'RATE_LIMITED', retryAfter: 1 })
  limits.close()
})

test('a session is looked up once and dropped when it is revoked, even during its look-up', async () => {
  let lookups = 0
  let now = 0
  const session = { id: 's', account: 'a', user: 1, uid: '1', lang: 'en', class: 'retail', loggedInAt: 0 } as const
  const sessions = new Sessions(
    async () => {
      lookups++
      return session
    },
    () => now,
  )
  assert.equal(await sessions.find('t'), session)
  assert.equal(sessions.remembered('t'), session)
  sessions.forgetAccount('a')
  assert.equal(sessions.remembered('t'), undefined)
  const finding = sessions.find('t')
  sessions.forgetAccount('a')
  await finding
  assert.equal(sessions.remembered('t'), undefined)
  await sessions.find('t')
  now = 5_001
  assert.equal(sessions.remembered('t'), undefined)
  assert.equal(lookups, 3)
})

test('feeds that fall silent count as down', () => {
  let now = 0
  const feed = new FeedStatus(() => now)
  feed.hear({ mode: 'live', isFallback: false, venues: [{ name: 'one', isUp: true, ageMs: 10 }] })
  assert.equal(feed.now().venues[0]!.isUp, true)
  now = 5_001
  assert.deepEqual(feed.now().venues, [{ name: 'one', isUp: false, ageMs: 5_011 }])
})
