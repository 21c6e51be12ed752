import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { startExchange, type TestExchange } from '@candor/server/main/test/exchange.ts'
import { buildClient } from './build-client.ts'
import { root } from './tidy/files.ts'

const run = promisify(execFile)
/** A folder like that of somebody else's program: the package is installed, and nothing of this repository is there. */
let home: string
let exchange: TestExchange

before(async () => {
  home = mkdtempSync(join(tmpdir(), 'candor-program-'))
  buildClient(join(home, 'built'))
  await run('npm', ['pack', join(home, 'built'), '--offline', '--pack-destination', home], {
    cwd: home,
    shell: process.platform === 'win32',
  })
  const archive = readdirSync(home).find((name) => name.endsWith('.tgz')) as string
  const place = join(home, 'node_modules', '@candor', 'client')
  mkdirSync(place, { recursive: true })
  await run('tar', ['-xzf', join(home, archive), '-C', place, '--strip-components=1'])
  rmSync(join(home, 'built'), { recursive: true })
  cpSync(join(root, 'client', 'examples'), join(home, 'examples'), { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'program', private: true, type: 'module' }))
  exchange = await startExchange({ bots: true })
})
after(async () => {
  await exchange[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

test('API-SDK-011: the package stands alone: no dependencies, declarations for every module', () => {
  const place = join(home, 'node_modules', '@candor', 'client')
  const manifest = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8'))
  assert.equal(manifest.dependencies, undefined)
  assert.equal(manifest.private, undefined)
  assert.equal(manifest.sideEffects, false)
  const files = readdirSync(place, { recursive: true, encoding: 'utf8' })
  for (const { types, default: code } of Object.values(manifest.exports) as { types: string; default: string }[]) {
    for (const file of [types, code]) assert.ok(files.includes(file.slice(2)), file)
  }
  assert.ok(files.includes('README.md') && files.includes('LICENSE'))
  for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
    assert.doesNotMatch(readFileSync(join(place, file), 'utf8'), /@candor\/core|from ['"]node:|from ['"]\.[^'"]*\.ts['"]/, file)
  }
})

test('API-SDK-012: programs compile against its declarations, strictly', async () => {
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', moduleResolution: 'nodenext', strict: true, noEmit: true, skipLibCheck: false },
    ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, lib: ['esnext', 'dom'] },
    ...{ typeRoots: [join(root, 'node_modules', '@types')], types: ['node'] },
  }
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['examples'] }))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { stdout } = await run(process.execPath, [compiler, '-p', home]).catch((error: { stdout: string }) => error)
  assert.equal(stdout, '')
})

test('API-SDK-013: the examples run against an exchange, with a secret and with an Ed25519 key', async () => {
  const user = await exchange.user({ funds: { USDT: '100000', BTC: '1' }, isCertified: true })
  const own = { label: 'example', scopes: ['read', 'trade'], ips: [], password: user.password }
  const hmac = await user.call('POST', '/keys', own)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const pem = publicKey.export({ type: 'spki', format: 'pem' })
  const ed25519 = await user.call('POST', '/keys', { ...own, publicKey: pem })
  assert.deepEqual([hmac.status, ed25519.status], [201, 201], JSON.stringify([hmac.body, ed25519.body]))
  const keys = [
    { CANDOR_KEY: hmac.body.key.key, CANDOR_SECRET: hmac.body.secret },
    { CANDOR_KEY: ed25519.body.key.key, CANDOR_PRIVATE_KEY: String(privateKey.export({ type: 'pkcs8', format: 'pem' })) },
  ] as const
  const example = async (name: string, env: Readonly<Record<string, string>> = keys[0], ...args: readonly string[]): Promise<string> => {
    const path = process.env['PATH'] ?? ''
    const { stdout } = await run(process.execPath, [join(home, 'examples', `${name}.ts`), ...args], {
      env: { PATH: path, CANDOR_URL: exchange.url, ...env },
      timeout: 60_000,
    })
    return stdout
  }
  await waitForBooks()
  assert.match(
    await example('place-order'),
    /is NEW\ntraded 0\.\d+ of 0\.002\d*\nsmaller now: 0\.001\d*\ncancelled before: -2011 Unknown order sent\.\n$/,
  )
  for (const market of ['spot', 'futures']) assert.match(await example('stream-book', {}, '4', market), /\n\d+ bids, \d+ asks\n$/)
  for (const env of keys) assert.match(await example('user-stream', env), /NEW NEW.*CANCELED CANCELED/)
  assert.match(await example('transfer'), /^one transfer\nFutures has 10\S* USDT\n\d+ transfer back\n$/)
  const moved = { clientId: 'to-futures', asset: 'USDT', from: 'spot', to: 'perp', amount: '10000' }
  assert.equal((await user.call('POST', '/transfer', moved)).status, 200)
  assert.match(await example('futures-position'), /^holds 0\.001\d* at \d.*\nthe stop is NEW\n0 positions\ntold: .*0\.001\d*.*, 0\.?0*\n$/)
})

/** Waits until the bots have quoted both books. */
async function waitForBooks(): Promise<void> {
  const end = Date.now() + 60_000
  for (const path of ['/api/v3/depth?symbol=BTCUSDT&limit=5', '/fapi/v1/depth?symbol=BTCUSDT&limit=5']) {
    for (;;) {
      const { bids, asks } = (await (await fetch(exchange.url + path)).json()) as { bids?: unknown[]; asks?: unknown[] }
      if ((bids?.length ?? 0) > 0 && (asks?.length ?? 0) > 0) break
      if (Date.now() > end) throw new Error(`${path} stays empty`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

test('API-SDK-014: importing one function bundles little more, and nothing that only Node has', async () => {
  const one = await bundled(
    "import { makeCall } from '@candor/client/call'\nimport { depth } from '@candor/client/market'\nexport { makeCall, depth }",
  )
  const same = await bundled("import { makeCall, market } from '@candor/client'\nexport const depth = market.depth\nexport { makeCall }")
  const all = await bundled("import { makeProgram } from '@candor/client'\nexport { makeProgram }")
  for (const text of [one, same]) {
    assert.match(text, /\/api\/v3\/depth/)
    assert.doesNotMatch(text, /\/api\/v3\/klines|\/fapi\/|\/sapi\/|WebSocket/)
    assert.ok(gzipSync(text).length < 2_500, `${gzipSync(text).length} bytes`)
  }
  assert.ok(gzipSync(all).length < 12_000, `${gzipSync(all).length} bytes`)
  assert.doesNotMatch(all, /node:|require\(|process\./)
})

async function bundled(source: string): Promise<string> {
  const input = join(home, 'entry.js')
  writeFileSync(input, source)
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' })
  const { output } = await bundle.generate({ format: 'esm', minify: true })
  await bundle.close()
  assert.equal(output.length, 1)
  assert.deepEqual(output[0].imports, [])
  return output[0].code
}
