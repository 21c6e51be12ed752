import { randomBytes } from 'node:crypto'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import {
  announced,
  printedProductionPage,
  type ProductionRule,
  productionRules,
  refuseUnsafe,
  type Surroundings,
  unsafeIn,
} from '../production.ts'
import { readSettings, root, SettingsFault } from '../settings.ts'

/** A start that breaks no rule. */
const safe = {
  CANDOR_MODE: 'production',
  CANDOR_PUBLIC_URL: 'https://exchange.example',
  CANDOR_TRUSTED_PROXIES: '10.0.0.0/8',
  CANDOR_SERVER_KEY: '8f0e6a1c37d94b52a6e3f10c5b7d28946e0fa3c1d5b7924860eab3d7f1c52964',
  CANDOR_WITNESS: '/candor-witness',
  CANDOR_METRICS_TOKEN: 'f3b1c9a7e5d24680b1c3d5e7f9a2b4c6',
  SMTP_URL: 'smtps://user:password@mail.example',
  MAIL_FROM: 'Candor <no-reply@exchange.example>',
  HOST: '0.0.0.0',
}
const quiet: Surroundings = { uid: 1_000, environment: {}, flags: [] }

/** `files`: by path below the folder where the command runs; its data folder is `data`, or what the settings name. `cwd`: where it runs. */
type Change = {
  readonly settings?: Readonly<Record<string, string>>
  readonly around?: Partial<Surroundings>
  readonly files?: Readonly<Record<string, string>>
  readonly cwd?: string
}
const set = (settings: Readonly<Record<string, string>>): Change => ({ settings })

const setLine = `CANDOR_SERVER_KEY=${safe.CANDOR_SERVER_KEY}\n`
const keyPlaces: readonly Change[] = [
  { files: { '.env': setLine }, settings: { CANDOR_SERVER_KEY: '', CANDOR_DATA: '.' } },
  { files: { 'data/.env': setLine }, settings: { CANDOR_SERVER_KEY: '', CANDOR_DATA: '.' }, cwd: 'data' },
  { files: { 'data/sub/.env': setLine }, settings: { CANDOR_SERVER_KEY: '', CANDOR_DATA: '..' }, cwd: 'data/sub' },
  { files: { 'data/candor.config.json': JSON.stringify({ CANDOR_SERVER_KEY: safe.CANDOR_SERVER_KEY }) } },
  // The key comes from the environment, but a copy lies with the data: in a forgotten settings file, or the generated one.
  { files: { 'data/.env': setLine } },
  { files: { 'data/server.key': `${'cd'.repeat(32)}\n${safe.CANDOR_SERVER_KEY.toUpperCase()}\n` } },
]

/** For each rule, changes that break it and no other rule. */
const breaking: Readonly<Record<ProductionRule, readonly Change[]>> = {
  'public-address': [set({ CANDOR_PUBLIC_URL: '' }), set({ CANDOR_PUBLIC_URL: 'https://a.example,http://a.example' })],
  'console-address': [set({ CANDOR_CONSOLE_URL: 'http://console.example' })],
  proxies: [set({ CANDOR_TRUSTED_PROXIES: '' })],
  'proxies-of-others': ['0.0.0.0/0', '10.0.0.0/8,::/0', '128.0.0.0/1', '10.0.0.0/7', '2000::/3'].map((networks) =>
    set({ CANDOR_TRUSTED_PROXIES: networks }),
  ),
  'plain-http': [set({ CANDOR_TRUSTED_PROXIES: 'none' }), set({ CANDOR_TRUSTED_PROXIES: 'none', HOST: '192.168.1.4' })],
  'server-key-missing': [set({ CANDOR_SERVER_KEY: '' })],
  'witness-beside-database': ['./data', 'data/witness', './data/../data/a/b']
    .map((folder) => set({ CANDOR_WITNESS: folder }))
    .concat(set({ CANDOR_WITNESS: '' })),
  'server-key-beside-data': keyPlaces,
  'server-key-weak': ['00', 'ab', '0123456789abcdef']
    .map((part) => set({ CANDOR_SERVER_KEY: part.repeat(64 / part.length) }))
    .concat(set({ CANDOR_SERVER_KEY: Buffer.from(Array.from({ length: 32 }, (_, i) => i)).toString('hex') }))
    .concat(set({ CANDOR_SERVER_KEY: `${randomBytes(32).toString('hex')},${'ab'.repeat(32)}` })),
  'metrics-token': ['', 'short', 'x'.repeat(32)].map((token) => set({ CANDOR_METRICS_TOKEN: token })),
  'mail-missing': [set({ SMTP_URL: '' })],
  'bus-open': [set({ NATS_URL: 'nats://candor:secret@bus.example:4222' }), set({ NATS_URL: 'tls://bus.example:4222' })],
  'mail-plain': [set({ SMTP_URL: 'smtp://mail.example:25' })],
  'mail-from': [set({ MAIL_FROM: '' })],
  'sms-countries': [set({ SMS_URL: 'https://sms.example' })],
  'sms-plain': [set({ SMS_URL: 'http://sms.example/send', CANDOR_PHONE_COUNTRIES: 'DE' })],
  'photos-plain': [set({ CANDOR_PHOTOS: 's3+http://id:secret@s3.example/photos' })],
  'database-plain': [
    '',
    '?sslmode=disable',
    '?sslmode=prefer',
    '?sslmode=no-verify',
    '?sslmode=require',
    '?sslmode=verify-ca',
    '?host=10.0.0.9',
  ]
    .map((query) =>
      set({ DATABASE_URL: `postgres://candor:secret@${query.startsWith('?host') ? 'localhost' : 'db.example'}:5432/candor${query}` }),
    )
    .concat(
      // The driver takes the last of two.
      set({ DATABASE_URL: 'postgres://candor:secret@db.example/candor?sslmode=verify-full&sslmode=disable' }),
      set({ DATABASE_URL: 'postgres://candor:secret@db.example/candor?host=localhost&host=db.example' }),
      { settings: { DATABASE_URL: 'postgres:///candor' }, around: { environment: { PGHOST: 'db.example' } } },
    ),
  'database-users': ['candor', 'one_follower'].map((user) =>
    set({
      DATABASE_URL: 'postgres://candor:secret@127.0.0.1/one',
      CANDOR_DATABASE_URL_FOLLOWER: 'postgres://one_follower:secret@127.0.0.1/one',
      CANDOR_DATABASE_URL_GATEWAY: `postgres://${user}:secret@127.0.0.1/one`,
    }),
  ),
  'simulated-prices': ['auto', 'simulated'].map((feed) => set({ CANDOR_FEED: feed })),
  bots: [set({ CANDOR_BOTS: 'on' })],
  'test-chains': [set({ CANDOR_TEST_CHAINS: 'on' })],
  root: [{ around: { uid: 0 } }],
  'certificates-ignored': [{ around: { environment: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } } }],
  debugger: [{ around: { environment: { NODE_OPTIONS: '--inspect=0.0.0.0:9229' } } }, { around: { flags: ['--inspect-brk'] } }],
}

function brokenBy({ settings = {}, around = {}, files = {}, cwd = '.' }: Change): readonly ProductionRule[] {
  const folder = mkdtempSync(join(tmpdir(), 'candor-unsafe-'))
  try {
    mkdirSync(join(folder, cwd), { recursive: true })
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    return unsafeIn(readSettings({ ...safe, ...settings }, join(folder, cwd)), { ...quiet, ...around })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('MAIN-PRODUCTION-002: a safe start breaks no rule, also with its database, mail and messages on this machine', () => {
  assert.deepEqual(brokenBy({}), [])
  for (const settings of [
    { DATABASE_URL: 'postgres://candor:secret@db.example/candor?sslmode=verify-full' },
    { DATABASE_URL: 'postgres://candor:secret@127.0.0.1:5432/candor' },
    { DATABASE_URL: 'postgres://candor:secret@localhost/candor?host=/run/postgresql' },
    { SMTP_URL: 'smtp://127.0.0.1:25', SMS_URL: 'http://localhost:8080/sms', CANDOR_PHONE_COUNTRIES: 'DE' },
    { CANDOR_TRUSTED_PROXIES: 'none', HOST: '127.0.0.1' },
    { CANDOR_TRUSTED_PROXIES: 'fc00::/7,203.0.113.8' },
  ]) {
    assert.deepEqual(brokenBy({ settings }), [], JSON.stringify(settings))
  }
  // A key beside the data folder, or another exchange's key inside it, is not a copy of this one.
  assert.deepEqual(brokenBy({ files: { '.env': setLine, 'data/.env': 'PORT=1\n' }, settings: { CANDOR_SERVER_KEY: '' } }), [])
  assert.deepEqual(brokenBy({ files: { 'data/server.key': `${'cd'.repeat(32)}\n` } }), [])
  // A server of its own has its own backups.
  const own = { DATABASE_URL: 'postgres://candor:secret@127.0.0.1/candor', CANDOR_WITNESS: '' }
  assert.deepEqual(brokenBy({ settings: own }), [])
  assert.doesNotThrow(() => refuseUnsafe(readSettings({}, tmpdir()), { ...quiet, uid: 0 }))
})

for (const [rule, changes] of Object.entries(breaking) as [ProductionRule, readonly Change[]][]) {
  test(`MAIN-PRODUCTION-002: ${rule} alone is refused, in one line`, () => {
    assert.ok(changes.length > 0)
    for (const change of changes) assert.deepEqual(brokenBy(change), [rule], JSON.stringify(change))
    assert.match(productionRules[rule].line, /^[^\n]+$/)
  })
}

test('MAIN-PRODUCTION-002: a link that leads back into the data folder counts as a part of it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'candor-unsafe-'))
  try {
    mkdirSync(join(folder, 'data', 'inside'), { recursive: true })
    symlinkSync(join(folder, 'data', 'inside'), join(folder, 'outside'))
    const settings = readSettings({ ...safe, CANDOR_WITNESS: './outside/new' }, folder)
    assert.deepEqual(unsafeIn(settings, quiet), ['witness-beside-database'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('GATEWAY-PROXY-002: production that was told that there are no proxies prints what this means at its start', () => {
  const lines = (settings: Readonly<Record<string, string>>) => announced(readSettings({ ...safe, ...settings }, tmpdir()))
  const [mode, ...more] = lines({ CANDOR_TRUSTED_PROXIES: 'none' })
  assert.equal(mode, 'This is production.')
  assert.match(more.join(), /^CANDOR_TRUSTED_PROXIES is none: whoever connects is taken for the customer/)
  assert.deepEqual(lines({}), ['This is production.'])
  assert.deepEqual(lines({ CANDOR_TRUSTED_PROXIES: 'none', CANDOR_MODE: 'sandbox' }), ['This is a sandbox.'])
})

test('MAIN-PRODUCTION-002: the page equals the table in the code', () => {
  assert.equal(readFileSync(join(root, 'docs', 'production.md'), 'utf8'), printedProductionPage(), 'node tools/tidy/print.ts writes it')
})

test('MAIN-PRODUCTION-002: a start prints all lines at once, and creates no database before', async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'candor-production-start-'))
  try {
    const env = {
      ...process.env,
      CANDOR_DATA: dataFolder,
      CANDOR_MODE: 'production',
      PORT: '0',
      CANDOR_FEED: 'simulated',
      CANDOR_BOTS: 'on',
    }
    const started = promisify(execFile)(process.execPath, [join(root, 'server', 'main', 'candor.ts'), 'start'], { env, cwd: dataFolder })
    await assert.rejects(started, (error: { readonly code: number; readonly stderr: string }) => {
      assert.equal(error.code, 1)
      for (const rule of ['public-address', 'proxies', 'server-key-missing', 'simulated-prices', 'bots'] as const) {
        assert.ok(error.stderr.split('\n').includes(`  ${productionRules[rule].line}`), `${rule} in ${error.stderr}`)
      }
      return true
    })
    assert.equal(existsSync(join(dataFolder, 'postgres')), false)
    assert.throws(() => refuseUnsafe(readSettings(env, dataFolder), quiet), SettingsFault)
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
})
