/** Replaces `node:test` in the process of `runner.ts`: collects the tests of the loaded files, and what they run before and after. */

/** The real one. An import of it would be replaced. */
const real = process.getBuiltinModule('node:test')
const Mocks = real.mock.constructor as new () => typeof real.mock

type Hook = () => unknown
/** What a test is given: a part of `TestContext`. */
type Context = { readonly mock: typeof real.mock; after(hook: Hook): void }
type Body = (context: Context) => unknown
export type Test = { readonly name: string; readonly body: () => Promise<void> }
/** A loaded test file. `end` runs its `after`. */
export type TestFile = { readonly tests: readonly Test[]; end(): Promise<void> }

type Hooks = { readonly before: Hook[]; readonly beforeEach: Hook[]; readonly afterEach: Hook[]; readonly after: Hook[] }

export const mock = real.mock
let named: { readonly name: string; readonly body: Body }[] = []
let hooks: Hooks = noHooks()

export function test(name: string, ...rest: readonly unknown[]): void {
  named.push({ name, body: rest.at(-1) as Body })
}

export const before = (hook: Hook): unknown => hooks.before.push(hook)
export const beforeEach = (hook: Hook): unknown => hooks.beforeEach.push(hook)
export const afterEach = (hook: Hook): unknown => hooks.afterEach.push(hook)
export const after = (hook: Hook): unknown => hooks.after.push(hook)

/** The tests collected since the last call. What they run before all of them runs when the first of them does. */
export function takeTests(): TestFile {
  const [taken, own] = [named, hooks]
  named = []
  hooks = noHooks()
  let begun: Promise<void> | undefined
  return {
    tests: taken.map(({ name, body }) => ({
      name,
      async body() {
        await (begun ??= runAll(own.before))
        await runOne(body, own)
      },
    })),
    async end() {
      if (begun !== undefined) await runAll(own.after)
    },
  }
}

async function runOne(body: Body, { beforeEach: first, afterEach: last }: Hooks): Promise<void> {
  const ends: Hook[] = []
  const mocks = new Mocks()
  try {
    await runAll(first)
    await body({ mock: mocks, after: (hook) => void ends.push(hook) })
  } finally {
    mocks.reset()
    await runAll([...ends, ...last])
  }
}

async function runAll(list: readonly Hook[]): Promise<void> {
  for (const hook of list) await hook()
}

function noHooks(): Hooks {
  return { before: [], beforeEach: [], afterEach: [], after: [] }
}
