/** Each rule finds its faults. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partOf } from './app-api.ts'
import { longCalls } from './calls.ts'
import { subjectFaults } from './commits.ts'
import { dangersOf } from './dangerous.ts'
import { faultsOf as linkFaultsOf, linksIn, routesIn } from '../app-links.ts'
import { bareOffsets } from './offsets.ts'
import { faultsOf as pageFaultsOf } from './pages.ts'
import { eachTree } from './parse.ts'
import { declares } from './places.ts'
import { countsOf, faultsOf as securityFaultsOf, type Known } from './security.ts'
import { faultsOf } from './spec.ts'

const id = (name: string): string => ['A', 'RULE', name].join('-')
const page = (path: string, text: string) => ({ path, text })

test('a sentence without a test, a test without a sentence and a duplicate ID are found', () => {
  const spec = page('docs/spec/a.md', `- **${id('001')}** One.\n- **${id('002')}** Two.\n`)
  const both = page('a.test.ts', `test('${id('001')}: one', () => {})\ntest(\`${id('002')}: two of \${n}\`, () => {})\n`)
  assert.deepEqual(faultsOf([spec], [both]), [])
  assert.match(faultsOf([spec], [page('a.test.ts', `test('${id('001')}: one', () => {})`)]).join(), /002 .* is in no test title/)
  const mentioned = page('a.test.ts', `test('${id('001')}: one', () => {}) // ${id('002')} is not tried`)
  assert.match(faultsOf([spec], [mentioned]).join(), /002 .* is in no test title/)
  const unknown = page('b.test.ts', `test('${id('003')}: three', () => {})`)
  assert.deepEqual(faultsOf([spec], [both, unknown]), [`b.test.ts names ${id('003')}, which is no sentence of docs/spec`])
  assert.match(faultsOf([spec, page('docs/spec/b.md', `- **${id('001')}** Again.`)], [both]).join(), /is in docs\/spec\/b.md and in/)
  assert.match(faultsOf([page('docs/spec/a.md', '- A sentence.')], []).join(), /a.md:1 is a sentence without an ID/)
  assert.match(faultsOf([page('docs/spec/a.md', `See ${id('009')}.`)], []).join(), /a.md names .*009/)
})

test('a subject of 73 characters and one that ends with a period are found', () => {
  assert.deepEqual(subjectFaults(`1234567 ${'x'.repeat(72)}`), [])
  assert.match(subjectFaults(`1234567 ${'x'.repeat(73)}`).join(), /73 characters/)
  assert.match(subjectFaults('1234567 Mend the fence.').join(), /without a period/)
  assert.deepEqual(subjectFaults(''), [])
})

test('a link to a missing file or heading and a missing path are found', () => {
  const good = '[style](STYLE.md#tests), [here](#here), [out](https://example.com)\n## Here\n`core/money` and `npm run check`'
  assert.deepEqual(pageFaultsOf('docs/a.md', good), [])
  assert.match(pageFaultsOf('docs/a.md', '[a](gone.md)').join(), /links to gone.md/)
  assert.match(pageFaultsOf('docs/a.md', '[a](STYLE.md#gone)').join(), /links to STYLE.md#gone/)
  assert.match(pageFaultsOf('docs/a.md', '`core/gone.ts`').join(), /names core\/gone.ts/)
  assert.deepEqual(pageFaultsOf('docs/decisions/0001-parts.md', '`core/gone.ts`'), [])
})

test('a slot read by a bare number is found; the next item of a list is not', () => {
  assert.equal(bareOffsets('x.cost = data[at + 1] as Units; words[start + 2 + n] = data[6]'), 3)
  assert.equal(bareOffsets('data[at + COST] + data[0] + items[n + 1] + data[at++]'), 0)
})

test('a word is found where it is declared, not where it is used', () => {
  assert.equal(declares('export const rooms: readonly Room[] = []', 'rooms'), true)
  assert.equal(declares('export async function place(x: State) {', 'place'), true)
  assert.equal(declares("  'spot.place': placeOrder,", 'spot.place'), true)
  assert.equal(declares('  place(order)', 'place'), false)
  assert.equal(declares('return rooms.map(print)', 'rooms'), false)
  assert.equal(declares('const roomsOf = 1', 'rooms'), false)
  assert.equal(declares('  PORT: text,', 'PORT'), true)
})

test('a function with seven parameters and one with five of a plain type are found', () => {
  const types = "type Units = Brand<number, 'Units'>\ntype Take = (a: X, b: X, c: X, d: X, e: X, f: X, g: X) => void\n"
  const seven = 'function seven(a: A, b: B, c: C, d: D, e: E, f: F, g: G): void {}\n'
  const five = 'class One {\n  /** Adds. */\n  #five(a: Units, b: Units, c: Units, d: Units, e: Units): void {}\n}\n'
  const right = 'const four = (a: number, b: number, c: string, d: number, e: number, f: string) => a'
  assert.deepEqual(
    [...longCalls(new Map([['room/a.ts', types + seven + five + right]]))],
    [
      ['room/a.ts seven', 7],
      ['room/a.ts #five', 5],
    ],
  )
})

test('the page of an API names what a route takes and gives, with types and limits', () => {
  const order = {
    type: 'object',
    properties: { id: { type: 'integer', minimum: 1 }, note: { type: 'string', maxLength: 9 } },
    required: ['id'],
  }
  const operation = {
    tags: ['spot'],
    summary: 'Place an order',
    parameters: [{ name: 'symbol', in: 'path', required: true, schema: { type: 'string', enum: ['A', 'B'] } }],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } } },
    responses: { 201: { content: { 'application/json': { schema: { type: 'array', items: { type: 'boolean' } } } } }, 400: {} },
    security: [{}],
  }
  const document = {
    tags: [{ name: 'spot', description: 'Spot' }],
    paths: { '/orders/{symbol}': { post: operation } },
    components: { schemas: { Order: order, Unused: order } },
  }
  const printed = partOf(document, new Map())
  for (const line of [
    '## Spot',
    '### POST /orders/{symbol}',
    'Place an order. Needs a session.',
    '| `symbol` | `A` \\| `B` | path |',
    'Body: [Order](#order) · Answer: 201 list of boolean',
    '| `id` | integer | at least 1 |',
    '| `note?` | text | at most 9 characters |',
  ]) {
    assert.ok(printed.split('\n').includes(line), `${line}\n\n${printed}`)
  }
  assert.doesNotMatch(printed, /Unused/)
  assert.throws(() => partOf({ ...document, tags: [] }, new Map()), /routes of no group: POST \/orders\/\{symbol\}/)
})

test('text that is run as code, shown as HTML or given to a shell is found', () => {
  assert.deepEqual(dangersOf('web/a.ts', 'const at = pattern.exec(line); retrieval(at); element.textContent = at'), [])
  assert.deepEqual(dangersOf('server/main/settings.ts', "import { execFileSync } from 'node:child_process'"), [])
  const faulty: readonly (readonly [string, string])[] = [
    ['eval(given)', 'runs text as code'],
    ['new Function(given)', 'runs text as code'],
    ['element.innerHTML = given', 'writes text as HTML'],
    ['<p dangerouslySetInnerHTML={given} />', 'writes text as HTML'],
    ['run(program, { shell: true })', 'starts a shell'],
    ["import { fork } from 'node:child_process'", 'starts another program and is not among the files that may'],
  ]
  for (const [source, fault] of faulty) assert.deepEqual(dangersOf('web/a.ts', source), [`web/a.ts ${fault}`])
})

test('a line of docs/security with a wrong number, level, state or pointer is found, and lines are counted', () => {
  const known: Known = {
    isFile: (path) => path === 'server/a.test.ts',
    isSentence: (one) => one === id('001') || one === id('002'),
    titledIn: (one, path) => one === id('001') && path === 'server/a.test.ts',
  }
  const head = '# 3. Pages\n\n| number | level | what it asks | state | where, or why |\n|---|---|---|---|---|\n'
  const of = (...rows: readonly string[]) => page('docs/security/03-pages.md', `${head}${rows.join('\n')}\n`)
  const there = '[`a.test.ts`](../../server/a.test.ts)'
  const good = of(
    `| 3.1.1 | 1 | Pages are safe | met | \`${id('001')}\` in ${there} |`,
    '| 3.1.2 | 2 | No plug-ins | not applicable | there are none |',
  )
  assert.deepEqual(securityFaultsOf([good], known), [])
  const faulty: readonly (readonly [string, RegExp])[] = [
    [`| 4.1.1 | 1 | Safe | met | ${there} |`, /number 4.1.1, which is none of chapter 3/],
    [`| 3.1.1 | 4 | Safe | met | ${there} |`, /level 4/],
    [`| 3.1.1 | 1 | Safe | done | ${there} |`, /unknown state done/],
    [`| 3.1.1 | 1 | ${'so '.repeat(13).trim()} | met | ${there} |`, /in 13 words/],
    ['| 3.1.1 | 1 | Safe | open |  |', /neither a place nor a reason/],
    ['| 3.1.1 | 1 | Safe | met | surely |', /met without a pointer/],
    ['| 3.1.1 | 1 | Safe | met | [`b.ts`](../../server/b.ts) |', /points to server\/b.ts, which does not exist/],
    [`| 3.1.1 | 1 | Safe | met | \`${id('003')}\` in ${there} |`, /003, which is no sentence/],
    [`| 3.1.1 | 1 | Safe | met | \`${id('002')}\` in ${there} |`, /002 in server\/a.test.ts, where no test has it/],
    [
      `| 3.1.1 | 1 | Safe | met | ${there} |\n| 3.1.1 | 1 | Safe | met | ${there} |`,
      /number 3.1.1, which docs\/security\/03-pages.md:5 has too/,
    ],
  ]
  for (const [row, fault] of faulty) {
    const found = securityFaultsOf([of(row)], known)
    assert.equal(found.length, 1, row)
    assert.match(found[0]!, fault)
  }
  assert.deepEqual(countsOf([good]).split('\n').slice(2), [
    '| [3. Pages](security/03-pages.md) | 1 | 0 | 1 | 2 |',
    '| level 1 | 1 | 0 | 0 | 1 |',
    '| level 2 | 0 | 0 | 1 | 1 |',
    '| level 3 | 0 | 0 | 0 | 0 |',
    '| all | 1 | 0 | 1 | 2 |',
  ])
})

test('a link to no screen, to a query that the screen does not read and to another tab than it says are found', () => {
  const routes = routesIn("  '/spot': 'spot',\n  '/entrust': 'orders',\nexport const redirects = { '/deal': '/spot' }")
  const codes: Readonly<Record<string, string>> = { spot: "query.get('symbol')", orders: "query.get('tab') ['open', 'history']" }
  const faults = (code: string): readonly string[] =>
    [...eachTree(new Map([['a.tsx', code]]), linksIn).values()]
      .flat()
      .flatMap((link) => linkFaultsOf(link, routes, (one) => codes[one] ?? ''))
  for (const good of [
    'const a = <a href="#/spot?symbol=BTC">b</a>',
    'const a = <a href="#/deal">b</a>',
    'const a = <a href="/docs">b</a>',
    'navigate(`/spot?symbol=${symbol}`)',
    'const a = <a href="#/entrust?tab=history">{t("orders.history")}</a>'.replaceAll('"orders.history"', "'orders.history'"),
    'const a = <Orders history="/entrust?tab=history" />',
  ])
    assert.deepEqual(faults(good), [], good)
  assert.match(faults('const a = <a href="#/spots">b</a>').join(), /no screen has the path of #\/spots/)
  assert.match(faults('navigate(isIt ? "/there" : "/spot")').join(), /no screen has the path of \/there/)
  assert.match(faults('const a = <Row to={`/spot?pair=${pair}`} />').join(), /the screen of \/spot\?pair=… does not read pair/)
  assert.match(faults('const a = "/entrust?tab=fills"').join(), /the screen of \/entrust\?tab=fills does not know fills/)
  assert.match(faults("const a = <a href='#/entrust'>{t('orders.history')}</a>").join(), /called history and opens another tab/)
  assert.match(faults('const a = <Orders history="/entrust" />').join(), /called history and opens another tab/)
})
