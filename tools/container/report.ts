/** Prints one line for each thing that is tried. */
export class Report {
  #failed = 0

  get failed(): number {
    return this.#failed
  }

  title(text: string): void {
    process.stdout.write(`\n${text}\n`)
  }

  /** `work` may return a detail to print. Rethrows what it throws, after its line. */
  async check(what: string, work: () => unknown): Promise<void> {
    const began = performance.now()
    try {
      const detail = await work()
      const seconds = ((performance.now() - began) / 1_000).toFixed(1)
      process.stdout.write(`  ok   ${what}${typeof detail === 'string' ? `: ${detail}` : ''} (${seconds} s)\n`)
    } catch (cause) {
      this.#failed++
      process.stdout.write(`  FAIL ${what}: ${textOf(cause)}\n`)
      throw cause
    }
  }
}

/** Programs that failed say why on their error output. */
function textOf(cause: unknown): string {
  const { message, stderr, cause: inner } = cause as Error & { readonly stderr?: unknown }
  const lines = [message, typeof stderr === 'string' ? stderr.trim() : '', inner instanceof Error ? inner.message : '']
  return lines.filter((line) => line !== '').join('\n    ')
}
