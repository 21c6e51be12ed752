/** Replaces `node:test` in the process of `runner.ts`: collects the tests of the loaded files. */

export type Test = { readonly name: string; readonly body: () => unknown }

let collected: Test[] = []

export function test(name: string, body: () => unknown): void {
  collected.push({ name, body })
}

/** The tests collected since the last call. */
export function takeTests(): readonly Test[] {
  const taken = collected
  collected = []
  return taken
}
