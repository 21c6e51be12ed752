/** Questions on a terminal. What is typed in answer to a hidden one is not shown. */
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export type Terminal = {
  show(line: string): void
  ask(question: string): Promise<string>
  askHidden(question: string): Promise<string>
}

/** The terminal of this process. */
export const terminal: Terminal = {
  show: (line) => void process.stderr.write(`${line}\n`),
  ask: (question) => answer(question, process.stderr),
  askHidden,
}

export async function askHidden(question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  // The terminal stops showing what is typed as soon as this exists: only then the question appears.
  const lines = linesTo(silent)
  process.stderr.write(question)
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

async function answer(question: string, output: NodeJS.WritableStream): Promise<string> {
  const lines = linesTo(output)
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}

const linesTo = (output: NodeJS.WritableStream) => createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY === true })
