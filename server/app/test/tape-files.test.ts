import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verify } from '../../main/commands/verify.ts'
import { root, type Settings } from '../../main/settings.ts'
import { startExchange } from '../../main/test/exchange.ts'

test('TAPE-FILE-004: the tape of a running exchange holds for the command line and Python, whole and in pieces; both give its last hash', async (t) => {
  await using exchange = await startExchange({ seed: 'tape-files' })
  const download = async (query: string): Promise<string> => {
    const path = `${exchange.url}/app/v1/proof/tape.ndjson?${query}`
    let answer = await fetch(path)
    for (; answer.status === 429; answer = await fetch(path)) await sleep(200)
    return answer.text()
  }
  // Every twentieth tick names all markets.
  const ticksOf = (text: string): readonly string[] => text.trimEnd().split('\n').slice(1)
  let whole = await download('from=1&limit=30')
  for (; ticksOf(whole).length < 25; await sleep(200)) whole = await download('from=1&limit=30')
  const [first, last] = [JSON.parse(ticksOf(whole)[0]!), JSON.parse(ticksOf(whole).at(-1)!)]
  const later = await download('from=11&limit=5')
  const folder = mkdtempSync(join(tmpdir(), 'candor-tape-'))
  try {
    const paths = [whole, later, (await download('from=1&limit=10')) + later].map((text, n) => {
      writeFileSync(join(folder, `${n}`), text)
      return join(folder, `${n}`)
    })
    const run = (path: string, options = {}) => verify.run({ settings: {} as Settings, operands: [path], options })
    for (const path of paths) {
      const { isFailure, lines } = await run(path)
      assert.equal(isFailure, undefined, lines.join('\n'))
    }
    const { json, lines } = await run(paths[0]!)
    const count = ticksOf(whole).length
    assert.deepEqual(json, { ok: true, ticks: count, first: first.tick, last: last.tick, at: last.at, hash: last.hash })
    assert.match(lines.join('\n'), new RegExp(`: ${count} ticks, 1 to ${last.tick} of .*\nLast hash: ${last.hash}\\.`))
    await assert.rejects(run(paths[0]!, { key: 'ab'.repeat(32) }), /nobody signs/)
    writeFileSync(join(folder, 'empty'), `${whole.split('\n')[0]}\n`)
    assert.equal((await run(join(folder, 'empty'))).isFailure, true)

    const { stdout, error } = spawnSync('python3', [join(root, 'docs/proof/tape.py'), ...paths], { encoding: 'latin1' })
    if (error !== undefined) return t.diagnostic('docs/proof/tape.py was not run: this machine has no python3')
    const said = stdout.trimEnd().split('\n')
    assert.equal(said.length, 3)
    assert.ok(
      said.every((line) => !line.includes(': wrong: ')),
      stdout,
    )
    assert.match(said[0]!, new RegExp(`: ticks 1 to ${last.tick}, .* last hash ${last.hash}$`))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
