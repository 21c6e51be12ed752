/** The verifier as it is downloaded: the built file, in Node and in a browser. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { FileVerdict } from '@candor/core/proof/any-file.ts'
import { headText, noLiabilities, readHeadText } from '@candor/core/proof/head.ts'
import { receiptLeaf, receiptLine, receiptText } from '@candor/core/proof/receipt.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import { both, first, keys, signed, Story } from '../../core/proof/test/story.ts'
import { makeStatement } from '../../core/proof/test/sum-trees.ts'
import { tapeLines } from '../../core/proof/test/tape-lines.ts'
import { anchorLineOf, at, ChainKey, fileOf, fileParts, headAt } from '../../server/chains/reserves/test/reserve-file.ts'
import type { Result } from '../../server/main/command.ts'
import { verify as verifyCommand } from '../../server/main/commands/verify.ts'
import { root, type Settings } from '../../server/main/settings.ts'
import { startExchange } from '../../server/main/test/exchange.ts'
import { requireFreshBuild } from '../../tools/web-stamp.ts'
import { person, startBrowser } from './person.ts'

type Verifier = {
  readonly verify: (text: string) => Promise<FileVerdict>
  readonly readingOf: (verdict: FileVerdict) => { readonly isRight: boolean; readonly lines: readonly string[] }
}

const built = resolve(import.meta.dirname, '../dist/proof/verify.mjs')
let verifier: Verifier
let folder: string
before(async () => {
  requireFreshBuild()
  verifier = (await import(pathToFileURL(built).href)) as Verifier
  folder = mkdtempSync(join(tmpdir(), 'candor-verify-'))
})
after(() => rmSync(folder, { recursive: true, force: true }))

const story = new Story(3, { keyFrom: 3 })
const heads = `${[{ keys: both }, ...story.heads].map((line) => JSON.stringify(line)).join('\n')}\n`

function receipt(): string {
  const salt = Uint8Array.from({ length: 32 }, (_, n) => n)
  const text = receiptText({ seq: 42, at: 1_790_000_000_123, user: '123456789' }, receiptLine('event', 'traded', { price: '60000.00' }))
  const head = headText({
    ...readHeadText(story.head(2).text)!,
    ...{ seq: 50, receipts: { size: 1, root: toHex(receiptLeaf(salt, text)) }, liabilities: noLiabilities, key: 1 },
  })
  const named = { n: 2, text: head, signature: signed(first, head) }
  return `${JSON.stringify({ text, salt: toHex(salt), index: 0, path: [], head: named, keys })}\n`
}

function liabilities(): string {
  const leaves = [
    { uid: '123456789', split: 0, amount: 1_250_000 },
    { uid: '987654321', split: 0, amount: 8_750_000 },
  ]
  return `${JSON.stringify(makeStatement([{ asset: 'USDT', kind: 'claims', leaves }]).proofOf('123456789'))}\n`
}

function evidence(): string {
  const other = new Story(3, { from: 2 })
  const [remembered, shown] = [
    { keys, head: story.head(2) },
    { keys, head: other.head(3) },
  ]
  const found = { evidence: 'candor heads 1', found: 'path', at: 1_790_000_000_000, host: 'exchange.example' }
  return `${JSON.stringify({ ...found, remembered, shown, path: other.path(2, 3) }, undefined, 1)}\n`
}

const files = {
  ...{ 'heads.ndjson': heads, 'receipts.ndjson': receipt(), 'liabilities.json': liabilities(), 'evidence.json': evidence() },
  'tape.ndjson': `${tapeLines(1, 6, 2).join('\n')}\n`,
}
/** Each byte of them is changed in the tests of reserves. */
const ofChains = {
  'reserves.json': JSON.stringify(fileOf(fileParts())),
  'anchors.ndjson': `${await anchorLineOf(headAt(7, at), new ChainKey())}\n`,
}

function run(...names: readonly string[]): { readonly status: number | null; readonly out: string } {
  for (const [name, text] of Object.entries({ ...files, ...ofChains })) writeFileSync(join(folder, name), text)
  writeFileSync(join(folder, 'wrong.ndjson'), heads.replace('seq 5', 'seq 6'))
  const { status, stdout } = spawnSync(process.execPath, [built, ...names], { cwd: folder, encoding: 'utf8' })
  return { status, out: stdout }
}

test('PROOF-VERIFIER-001: one file that imports nothing else checks what the exchange gives, and says what each file shows', () => {
  const code = readFileSync(built, 'utf8')
  assert.doesNotMatch(code, /^\s*(import|export)\b[^(]*\bfrom\b|\brequire\(/m)
  assert.deepEqual([...new Set([...code.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, name]) => name))].toSorted(), [
    'node:fs',
    'node:fs/promises',
    'node:url',
  ])
  const right = run(...Object.keys({ ...files, ...ofChains }))
  assert.equal(right.status, 0, right.out)
  const said = [
    /^heads\.ndjson: right: heads: 3 heads up to command 15 of 2026-/m,
    /^receipts\.ndjson: right: receipts: 1,/m,
    /command 42 of 2026-\S+, user 123456789: traded \(head 2\)/,
    /^liabilities\.json: right: liabilities: customer 123456789/m,
    /USDT claims: 1\.25\d* of 10/,
    /^reserves\.json: right: reserves: statement 5 of 2026-11-30\S+ \(head 7\)/m,
    /USDT: holds 9\.5, owes 10: 95\.00 %, SHORTFALL 0\.5/,
    /^anchors\.ndjson: right: anchors: 1,/m,
    /^tape\.ndjson: right: tape: 6 ticks, 1 to 6 of 2026-\S+, each following/m,
    /^evidence\.json: right: evidence: the newer head does not follow from the remembered one \(exchange\.example/m,
  ]
  for (const line of said) assert.match(right.out, line)
  assert.match(right.out, new RegExp(`First key: ${first.publicKey}`))
  const wrong = run('heads.ndjson', 'wrong.ndjson')
  assert.equal(wrong.status, 1)
  assert.match(wrong.out, /^wrong\.ndjson: WRONG: heads: line \d/m)
  assert.equal(run().status, 1)
  assert.equal(run('missing.ndjson').status, 1)
})

/** A file of which each byte is changed, the script in `docs/proof` that checks it, and from where on its bytes are proved. */
type Small = { readonly name: string; readonly text: string; readonly script: string; readonly from: number }

const small = new Story(2)
const tape = `${tapeLines(1, 2, 2).join('\n')}\n`
const smallFiles: readonly Small[] = [
  { name: 'heads', text: `${[{ keys }, ...small.heads].map((line) => JSON.stringify(line)).join('\n')}\n`, script: 'verify.py', from: 0 },
  { name: 'receipts', text: files['receipts.ndjson'], script: 'verify.py', from: 0 },
  { name: 'liabilities', text: files['liabilities.json'], script: 'liabilities.py', from: 0 },
  // Names of venues and markets, and how far the tape reaches by now, are in no hash.
  { name: 'tape', text: tape, script: 'tape.py', from: tape.indexOf('\n') },
]

/** The text, with one byte changed at each place in turn. */
function changedEverywhere({ text, from }: Small): readonly string[] {
  const places = Array.from({ length: text.length - from }, (_, n) => from + n)
  return places.map((at) => `${text.slice(0, at)}${String.fromCharCode(text.charCodeAt(at) ^ 1)}${text.slice(at + 1)}`)
}

for (const file of smallFiles)
  test(`PROOF-VERIFIER-002: in ${file.name}, any one byte that was changed is noticed by the verifier, the command line and Python`, {
    timeout: 600_000,
  }, async (t) => {
    const { verify, readingOf } = verifier
    const changed = changedEverywhere(file)
    const paths = [file.text, ...changed].map((text, n) => {
      const path = join(folder, `${file.name}-${n}`)
      writeFileSync(path, text, 'latin1')
      return path
    })
    for (const [n, text] of [file.text, ...changed].entries()) {
      const shown = text.slice(Math.max(0, file.from + n - 20), file.from + n + 20)
      assert.equal(readingOf(await verify(text)).isRight, n === 0, `verify.mjs, byte ${n - 1}: ${shown}`)
      const { isFailure } = await commandLine(paths[n]!)
      assert.equal(isFailure === true, n > 0, `candor verify, byte ${n - 1}: ${shown}`)
    }
    const { stdout, error } = spawnSync('python3', [join(root, 'docs/proof', file.script), ...paths], {
      encoding: 'latin1',
      maxBuffer: 2 ** 26,
    })
    if (error !== undefined) return t.diagnostic(`docs/proof/${file.script} was not run: this machine has no python3`)
    const said = stdout.trimEnd().split('\n')
    assert.equal(said.length, paths.length, stdout.slice(-500))
    for (const [n, line] of said.entries()) assert.equal(line.includes(': wrong: '), n > 0, `byte ${n - 1}: ${line}`)
  })

/** What `candor verify` says. Files that it takes for nothing that it knows are no success either. */
const commandLine = (path: string): Promise<Pick<Result, 'isFailure'>> =>
  verifyCommand.run({ settings: {} as Settings, operands: [path], options: {} }).catch(() => ({ isFailure: true }))

test('PROOF-VERIFIER-003: where there is no Ed25519 the verifier says so and gives no verdict', async () => {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'crypto')!
  const unknown = { importKey: () => Promise.reject(new DOMException('no Ed25519', 'NotSupportedError')) }
  for (const crypto of [{}, { subtle: unknown }]) {
    Object.defineProperty(globalThis, 'crypto', { value: crypto, configurable: true })
    // Another key, because those that were imported are kept.
    const text = heads.replaceAll(first.publicKey, 'ab'.repeat(32))
    await assert
      .rejects(verifier.verify(text), /There is no Ed25519 here, so nothing was checked/)
      .finally(() => Object.defineProperty(globalThis, 'crypto', own))
  }
})

test('PROOF-VERIFIER-001: the served file does the same in a browser', { timeout: 300_000 }, async () => {
  await using exchange = await startExchange({ seed: 'verifier', hasFeeds: false })
  const browser = await startBrowser()
  const { page, go } = await person(browser, exchange.url)
  const served = await fetch(`${exchange.url}/proof/verify.mjs`)
  assert.match(served.headers.get('content-type') ?? '', /^text\/javascript/)
  assert.equal(await served.text(), readFileSync(built, 'utf8'))
  await go('/about')
  const seen = await page.evaluate(
    async (texts) => {
      const path = '/proof/verify.mjs'
      const { verify, readingOf } = (await import(path)) as Verifier
      const readings = []
      for (const text of texts) readings.push(readingOf(await verify(text)))
      return readings
    },
    [...Object.values(files), heads.replace('seq 5', 'seq 6')],
  )
  assert.deepEqual(
    seen.map(({ isRight }) => isRight),
    [true, true, true, true, true, false],
  )
  assert.deepEqual(seen[0], verifier.readingOf(await verifier.verify(heads)))
  await browser.close()
})
