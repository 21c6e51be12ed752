/** What the sources of Second may contain. Apart from the other tests, because mutants change these sources. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commandCodes } from '../../../protocol/codec/layout.ts'

const root = new URL('../../../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const codeOf = (path: string): string =>
  read(path)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\/\/.*$/gm, '')

/** Words in the names of fields that could influence an outcome. */
const hand =
  /\b(outcome|winner|loser|force[sd]?|forced\w*|override\w*|overrule\w*|rigg\w*|manipul\w*|bias\w*|win_?(?:rate|control|probability)|control\w*|decree|verdict|manual\w*)\b/i

test('OPTION-FAIR-002: no command, event or table has a field that could decide or change an outcome', () => {
  const mine = Object.keys(commandCodes).filter((type) => type.startsWith('option.'))
  assert.deepEqual(mine, ['option.setTerms', 'option.open', 'option.admit', 'option.setLimits', 'option.operate'])
  // All fields of the commands and of the terms, so that a new one must be reviewed.
  const fields = (path: string, type: string): string[] => {
    const body = new RegExp(`export type ${type} = \\{([\\s\\S]*?)\\n\\}`).exec(codeOf(path))![1]!
    return [...body.matchAll(/readonly (\w+)\??:/g)].map((match) => match[1]!)
  }
  const command = 'core/protocol/command/option.ts'
  assert.deepEqual(fields(command, 'OpenOption'), ['type', 'user', 'clientId', 'market', 'direction', 'stake', 'seconds', 'guardPpm'])
  assert.deepEqual(fields(command, 'OperateOption'), ['type', 'user', 'clientId', 'amount', 'proposer', 'approver', 'reason', 'terms'])
  assert.deepEqual(fields(command, 'OptionTerms'), [
    ...['isOpen', 'rates', 'stakeMin', 'stakeMax', 'openMax', 'sideMax', 'strikeDelayMs', 'windowPpm', 'windowMaxMs', 'gapMaxMs'],
    ...['marketExposurePpm', 'totalExposurePpm', 'groupExposurePpm', 'groupPpm', 'guardVoidsFree', 'guardVoidsPpm', 'houseFloor'],
    'limitWaitMs',
  ])
  for (const path of [command, 'core/protocol/event/option.ts', 'core/protocol/wire/option.ts'])
    assert.doesNotMatch(codeOf(path), hand, path)
  for (const name of readdirSync(new URL('server/store/migrations/', root))) {
    if (!/^03\d-/.test(name)) continue
    const sql = codeOf(`server/store/migrations/${name}`)
    assert.doesNotMatch(sql, hand, name)
    // Only the tables of orders and of the tape may exist: a result is stored with its order.
    for (const [, table] of sql.matchAll(/create table (\w+)/g)) assert.match(table!, /^(options|index_tape)$/)
  }
})

test('OPTION-FAIR-003: the function that decides an order gets neither the customer, the stake, nor the possible loss of the house', () => {
  const decides = codeOf('core/proof/second.ts')
  assert.doesNotMatch(decides, /\b(user|stake|profit|payout|house|exposure|fund|operator|balance|ledger|clientId|order)\b/i)
  const imports = [...decides.matchAll(/from '([^']+)'/g)].map((match) => match[1])
  assert.deepEqual(imports, ['../money/mul-div.ts', '../protocol/command/option.ts', '../protocol/event/option.ts', './tape.ts'])
  // The core settles with that function alone.
  const settles = codeOf('core/exchange/option/decide.ts')
  assert.equal(
    [...settles.matchAll(/\bsettle\(x, ([^)]*)\)/g)].map((match) => match[1]).join('; '),
    [
      "unstruckVoids.first!, 'void', 'gap', 0",
      "runningVoids.first!, 'void', 'gap', 0",
      "order, 'void', reason, 0",
      'order, result, reason, price',
    ].join('; '),
  )
  assert.match(settles, /const result = reason === 'none' \? resultOf\(order\.direction, order\.strike!\.price, price\) : 'void'/)
  assert.match(settles, /const \{ price, reason \} = settlementOf\(x\.option\.points\.get\(order\.market\)!, order\)!/)
  assert.match(settles, /const \{ point, reason \} = strikeOf\(desk\.points\.get\(order\.market\)!, order\)!/)
  // Without a tick, the core voids at times that are fixed in the order.
  const times = codeOf('core/exchange/option/records/state.ts')
  assert.match(times, /return order\.strikeFrom \+ order\.gapMaxMs \+ 1\n/)
  assert.match(times, /return order\.expiresAt \+ order\.gapMaxMs\n/)
})
