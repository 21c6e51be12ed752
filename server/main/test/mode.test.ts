import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { readMode } from '../../journal/mode.ts'
import { copyPrepared } from '../../store/test/prepared.ts'
import { startInProcess } from '../exchange.ts'
import { makeIdentity } from '../roles.ts'
import { readSettings, root, type Settings } from '../settings.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'candor-mode-'))
const email = 'alice@test.example'
/** Settings of an operator who forgot the mode; all others as the tests need them. */
const forgotten: Settings = {
  ...readSettings({ CANDOR_DATA: dataFolder, PORT: '0' }, dataFolder),
  logLevel: 'silent',
  smtpUrl: 'smtp://127.0.0.1:9',
  publicUrls: ['https://exchange.example'],
  hosts: ['127.0.0.1'],
}
const production: Settings = { ...forgotten, mode: 'production', unset: [] }
const start = (settings: Settings) => startInProcess(settings, { hasHistory: false, hasFeeds: false })

before(async () => {
  copyPrepared(dataFolder)
  await using exchange = await start(production)
  await using identity = makeIdentity(exchange.ground, exchange.link, { send: () => Promise.resolve() })
  await identity.createUser({ email, password: 'correct horse battery staple', class: 'retail' })
})
after(() => rmSync(dataFolder, { recursive: true, force: true }))

/** Runs the command line in a process of its own, with this mode in its environment. */
async function candor(mode: string | undefined, ...words: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { CANDOR_MODE: _, ...environment } = process.env
  const env = { ...environment, CANDOR_DATA: dataFolder, ...(mode === undefined ? {} : { CANDOR_MODE: mode }) }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'server', 'main', 'candor.ts'), ...words], {
      env,
      cwd: dataFolder,
    })
    return { code: 0, text: stdout }
  } catch (cause) {
    const { code, stderr } = cause as { readonly code: number; readonly stderr: string }
    return { code, text: stderr }
  }
}

test('MAIN-MODE-001: no environment lets the command line credit practice funds, or open test classes, on production data', async () => {
  await using exchange = await start(production)
  const faucet = ['faucet', '--email', email, '--asset', 'USDT', '--amount', '1000']
  for (const mode of ['sandbox', undefined]) {
    const { code, text } = await candor(mode, ...faucet)
    assert.equal(code, 1, text)
    assert.match(text, mode === 'sandbox' ? /^This data is a production exchange and can't run as sandbox/ : /only in the sandbox/)
  }
  for (const more of [['--certified'], ['--class', 'bench']]) {
    const created = await candor(undefined, 'user', 'create', '--email', 'bob@test.example', '--password', 'a long enough one', ...more)
    assert.deepEqual([created.code, /only in the sandbox/.test(created.text)], [1, true])
  }
  assert.deepEqual(await exchange.link.ask.balances(1 as UserId), [])
})

test('MAIN-MODE-004: the command line makes no API key for a customer of production, but one for a market maker', async () => {
  await using exchange = await start(production)
  const { code, text } = await candor(undefined, 'apikey', 'create', '--email', email, '--scopes', 'read,trade')
  assert.deepEqual([code, /customers create their keys in the app/.test(text)], [1, true], text)
  assert.equal((await exchange.store.pool.query('select from api_keys')).rowCount, 0)
  await using identity = makeIdentity(exchange.ground, exchange.link, { send: () => Promise.resolve() })
  await identity.createUser({ email: 'mia@test.example', password: 'correct horse battery staple', class: 'maker' })
  const made = await candor(undefined, 'apikey', 'create', '--email', 'mia@test.example', '--ips', '203.0.113.7')
  assert.equal(made.code, 0, made.text)
})

test('MAIN-MODE-005: the command line makes no customer of production an account of the house', async () => {
  await using exchange = await start(production)
  const customer = await candor(undefined, 'user', 'house', email)
  assert.deepEqual([customer.code, /no customer’s account/.test(customer.text)], [1, true], customer.text)
  await using identity = makeIdentity(exchange.ground, exchange.link, { send: () => Promise.resolve() })
  await identity.createUser({ email: 'firm@test.example', password: 'correct horse battery staple', class: 'maker' })
  const firm = await candor(undefined, 'user', 'house', 'firm@test.example')
  assert.equal(firm.code, 0, firm.text)
})

test('MAIN-MODE-002: data runs in its own mode if none is requested: the inbox of production stays closed', async () => {
  await using exchange = await start(forgotten)
  assert.equal(exchange.ground.settings.mode, 'production')
  assert.equal(exchange.ground.settings.hasBots, false)
  for (const path of ['/inbox', '/inbox.json?to=alice@test.example']) {
    assert.equal((await fetch(`${exchange.url}${path}`)).status, 404)
  }
})

test('MAIN-MODE-002: a start in another mode is refused in one line', async () => {
  await assert.rejects(start({ ...forgotten, unset: [] }), (error: Error) => {
    assert.match(error.message, /^This data is a production exchange and can't run as sandbox: [^\n]+$/)
    return true
  })
})

test('MAIN-MODE-003: the mode is read without recovering the data: from the newest snapshot, otherwise from the first command', async () => {
  await using exchange = await start(production)
  const { pool } = exchange.store
  assert.equal(await readMode(pool), 'production')
  await pool.query('delete from snapshots')
  assert.equal(await readMode(pool), 'production')
})

test('MAIN-PASSWORD-001: a password comes on standard input, and in production not as an argument', async () => {
  await using exchange = await start(production)
  const asArgument = await candor(undefined, 'user', 'create', '--email', 'carol@test.example', '--password', 'a long enough one')
  assert.deepEqual([asArgument.code, /standard input/.test(asArgument.text)], [1, true])
  const piped = (input: string) =>
    new Promise<{ code: number | null; stdout: string }>((resolve) => {
      const words = [join(root, 'server', 'main', 'candor.ts'), 'user', 'create', '--email', 'carol@test.example', '--json']
      const { CANDOR_MODE: _, ...environment } = process.env
      const child = spawn(process.execPath, words, { env: { ...environment, CANDOR_DATA: dataFolder }, cwd: dataFolder })
      let stdout = ''
      child.stdout.on('data', (chunk) => (stdout += chunk))
      child.on('close', (code) => resolve({ code, stdout }))
      child.stdin.end(input)
    })
  assert.equal((await piped('')).code, 2)
  const { code, stdout } = await piped('a long enough one\n')
  assert.deepEqual([code, /^[0-9]{9}$/.test(JSON.parse(stdout).uid)], [0, true])
  await using identity = makeIdentity(exchange.ground, exchange.link, { send: () => Promise.resolve() })
  const login = { channel: 'email', to: 'carol@test.example', password: 'a long enough one', lang: 'en' } as const
  await identity.login(login, { ip: '203.0.113.1', userAgent: '' })
})

test('USER-REGION-009: the command line shows the open products by region, and a customer’s maximum leverage', async () => {
  await using _exchange = await start(production)
  const all = await candor(undefined, 'region', 'show')
  assert.deepEqual(all, { code: 0, text: '*   leverage above 2: off, Second: off\n' })
  const one = await candor(undefined, 'region', 'show', '--email', email)
  assert.deepEqual(one, { code: 0, text: `${all.text}${email}: leverage up to 2, because of the region\n` })
})

test('JOURNAL-WITNESS-005: production does not start on its data while the witness is missing, until a person accepts it', async () => {
  rmSync(join(dataFolder, 'witness'))
  await assert.rejects(start(production), (error: Error) => error.message.includes(join(dataFolder, 'witness')))
  const { code, text } = await candor('production', 'witness', 'accept')
  assert.equal(code, 0, text)
  await (await start(production))[Symbol.asyncDispose]()
})
