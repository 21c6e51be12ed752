import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { headLeaf, readHeadText } from '@candor/core/proof/head.ts'
import { isTextSigned } from '@candor/core/proof/deposit-address.ts'
import { areEqual, isExtended, rootOfPath } from '@candor/core/proof/merkle.ts'
import { fromHex } from '@candor/core/proof/sha256.ts'
import { audit } from '../../journal/audit.ts'
import { startExchange } from '../../main/test/exchange.ts'
import { headKeyFile } from '../../proof/head-key.ts'
import { HeadMaker } from '../../proof/head-maker.ts'
import { rotateHeadKey } from '../../proof/rotate-key.ts'
import { verify } from '../../main/commands/verify.ts'
import { root, type Settings } from '../../main/settings.ts'

type Shown = { readonly n: number; readonly text: string; readonly signature: string }

/** Makes a head once there is something in the tables. */
async function made(maker: HeadMaker): Promise<void> {
  while ((await maker.turn()) === undefined) await sleep(20)
}

test('PROOF-HEAD-007: all heads and keys are public; paths and extensions between any two heads lead to the roots that they carry', async () => {
  await using exchange = await startExchange({ seed: 'heads' })
  const { pool } = exchange.store
  const get = async (path: string, status = 200) => {
    const answer = await fetch(`${exchange.url}/app/v1/proof/${path}`)
    assert.equal(answer.status, status, path)
    return answer
  }
  // The follower signs the first one by itself.
  while (((await (await get('heads')).json()) as { heads: unknown[] }).heads.length === 0) await sleep(50)
  let now = Date.now()
  const maker = new HeadMaker({ pool, keyFile: headKeyFile(exchange.dataFolder), clock: () => now })
  for (let n = 0; n < 10; n++) {
    now += 60_000
    assert.notEqual(await maker.turn(), undefined)
  }
  const [first, ...lines] = (await (await get('heads.ndjson')).text()).trimEnd().split('\n')
  const { keys } = JSON.parse(first!) as { keys: { key: number; publicKey: string; signature: null }[] }
  const heads = lines.map((line) => JSON.parse(line) as Shown)
  assert.deepEqual([keys.length, keys[0]?.key, keys[0]?.signature, heads.length >= 11], [1, 1, null, true])
  const key = fromHex(keys[0]!.publicKey)!
  let seq = 0
  for (const [index, { n, text, signature }] of heads.entries()) {
    assert.ok(await isTextSigned(globalThis.crypto.subtle, key, text, fromHex(signature)!))
    const head = readHeadText(text)!
    assert.deepEqual([head.n, n, head.seq >= seq], [index + 1, index + 1, true])
    seq = head.seq
    for (const earlier of heads.slice(0, index)) {
      const path = (await (await get(`heads/${earlier.n}/path?in=${n}`)).json()) as { path: string[] }
      const root = rootOfPath(
        headLeaf(earlier.text),
        earlier.n - 1,
        n - 1,
        path.path.map((hash) => fromHex(hash)!),
      )
      assert.ok(root !== undefined && areEqual(root, fromHex(head.log)!))
      const shown = (await (await get(`heads/${earlier.n}/extension?in=${n}`)).json()) as { old: string[]; added: string[] }
      const proof = { old: shown.old.map((hash) => fromHex(hash)!), added: shown.added.map((hash) => fromHex(hash)!) }
      const old = { root: fromHex(readHeadText(earlier.text)!.log)!, size: earlier.n - 1 }
      assert.ok(isExtended(old, { root: fromHex(head.log)!, size: n - 1 }, proof))
    }
  }
  const newest = heads.at(-1)!.n
  assert.deepEqual(((await (await get(`heads?limit=2&before=${newest}`)).json()) as { heads: Shown[] }).heads, [
    heads[newest - 2],
    heads[newest - 3],
  ])
  assert.equal((await (await get(`heads.ndjson?from=${newest}`)).text()).trimEnd().split('\n').length, 2)
  assert.equal(((await (await get('heads/1/path')).json()) as { in: number }).in, newest)
  for (const path of [
    `heads/${newest}/path`,
    `heads/3/path?in=3`,
    `heads/3/extension?in=2`,
    `heads/1/path?in=${newest + 1}`,
    `heads/99/extension`,
  ])
    await get(path, 404)
  for (const path of [
    'heads/0/path',
    'heads/x/path',
    'heads/1/path?in=-1',
    'heads?limit=101',
    'heads?before=0',
    'heads.ndjson?from=1.5',
    'heads?x=1',
  ])
    await get(path, 400)
})

test('PROOF-HEAD-008: the audit finds a head that is changed, signed by nobody, out of place, or not of this journal', async () => {
  await using exchange = await startExchange({ seed: 'heads' })
  const { pool } = exchange.store
  let now = Date.now()
  const maker = new HeadMaker({ pool, keyFile: headKeyFile(exchange.dataFolder), clock: () => now })
  for (let n = 0; n < 3; n++) {
    now += 60_000
    await made(maker)
  }
  const problems = async () => (await audit({ pool })).problems
  assert.deepEqual(await problems(), [])
  /** Runs one change, audits, and takes it back. */
  const finds = async (change: string, wanted: RegExp): Promise<void> => {
    const rows = (await pool.query('select * from proof_heads order by n')).rows
    await pool.query(change)
    const found = await problems()
    assert.ok(
      found.some((one) => wanted.test(one)),
      `${change}: ${found.join()}`,
    )
    await pool.query('delete from proof_heads')
    for (const row of rows)
      await pool.query('insert into proof_heads (n, at_ms, seq, body, signature) values ($1, $2, $3, $4, $5)', [
        row.n,
        row.at_ms,
        row.seq,
        row.body,
        row.signature,
      ])
  }
  await finds(`update proof_heads set body = replace(body, 'epoch 1', 'epoch 2') where n = 2`, /^Head 2 is not signed by its key$/)
  await finds(`update proof_heads set signature = translate(signature, '0123', '1032') where n = 3`, /^Head 3 is not signed by its key$/)
  await finds(`delete from proof_heads where n = 2`, /^Head 3 is out of place$/)
  await finds(`update proof_heads set body = body || 'x' where n = 1`, /^Head 1 is out of place$/)
  await finds(`update proof_heads set seq = seq - 1 where n = 1`, /^Head 1 is not of this journal/)
  assert.deepEqual(await problems(), [])
})

test('PROOF-HEAD-010: the command line and the foreign verifier accept the file of heads, and refuse it with any change', async (t) => {
  await using exchange = await startExchange({ seed: 'heads' })
  const keyFile = headKeyFile(exchange.dataFolder)
  let now = Date.now()
  const maker = new HeadMaker({ pool: exchange.store.pool, keyFile, clock: () => now })
  const make = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      now += 60_000
      await made(maker)
    }
  }
  await make(3)
  await rotateHeadKey(exchange.store.pool, keyFile)
  await make(2)
  const whole = await (await fetch(`${exchange.url}/app/v1/proof/heads.ndjson`)).text()
  const lines = whole.trimEnd().split('\n')
  const folder = mkdtempSync(join(tmpdir(), 'candor-verify-'))
  try {
    const fileOf = (name: string, text: string): string => {
      const path = join(folder, name)
      writeFileSync(path, text, 'latin1')
      return path
    }
    const ours = async (path: string): Promise<boolean> => {
      const result = await verify.run({ settings: {} as Settings, operands: [path], options: {} }).catch(() => ({ isFailure: true }))
      return result.isFailure !== true
    }
    const right = fileOf('right', whole)
    // Several files may follow one another.
    const twice = fileOf('twice', `${lines.slice(0, 3).join('\n')}\n${lines[0]}\n${lines.slice(3).join('\n')}\n`)
    const wrong: string[] = []
    const change = (text: string): void => void wrong.push(fileOf(`wrong${wrong.length}`, text))
    // Every byte of the keys and of two heads. Python's arithmetic is slow: it gets every tenth of these files.
    const end = lines.slice(0, 3).join('\n').length
    for (let at = 0; at < end; at++) {
      if (whole[at] === '\n') continue
      change(whole.slice(0, at) + String.fromCharCode(whole.charCodeAt(at) ^ 1) + whole.slice(at + 1))
    }
    const slow = wrong.filter((_, n) => n % 10 === 0)
    const bytes = wrong.length
    for (let one = 1; one < lines.length - 1; one++) {
      change(`${[...lines.slice(0, one), ...lines.slice(one + 1)].join('\n')}\n`)
      change(`${[...lines.slice(0, one), lines[one], lines[one], ...lines.slice(one + 1)].join('\n')}\n`)
      change(`${[...lines.slice(0, one), lines[one + 1], lines[one], ...lines.slice(one + 2)].join('\n')}\n`)
    }
    for (const n of ['true', '1.0', '"1"', 'null', '01']) change(whole.replace('{"n":1,', `{"n":${n},`))
    change(whole.replaceAll('"', "'"))
    // With a key of small order, this is a signature of any text for whoever does not look at the key.
    const weak = { key: 1, publicKey: `01${'00'.repeat(31)}`, signature: null }
    const signature = `01${'00'.repeat(63)}`
    change(`${JSON.stringify({ keys: [weak] })}\n${JSON.stringify({ ...(JSON.parse(lines[1]!) as object), signature })}\n`)
    change(whole.replace('{"n"', '{ "n"'))
    for (const path of [right, twice]) assert.ok(await ours(path), path)
    for (const path of wrong) assert.ok(!(await ours(path)), path)

    slow.push(...wrong.slice(bytes))
    const python = await new Promise<string | undefined>((resolve) =>
      execFile('python3', ['--version'], (error, out) => resolve(error === null ? out : undefined)),
    )
    if (python === undefined) return t.diagnostic('docs/proof/verify.py was not run: this machine has no python3')
    const script = join(root, 'docs/proof/verify.py')
    const said = await new Promise<string>((resolve) =>
      execFile('python3', [script, right, twice, ...slow], { maxBuffer: 2 ** 24 }, (_, out) => resolve(out)),
    )
    const verdicts = said.trimEnd().split('\n')
    assert.equal(verdicts.length, slow.length + 2, said.slice(-500))
    assert.deepEqual(
      verdicts.map((line) => line.includes(': wrong: ')),
      [false, false, ...slow.map(() => true)],
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
