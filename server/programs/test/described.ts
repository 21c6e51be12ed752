import assert from 'node:assert/strict'
import { z } from 'zod'
import { descriptions } from '../describe/all.ts'
import type { Fields, Program } from './program.ts'

/** Sends a request that must succeed and checks the answer against the published description of its route. */
export async function described(program: Program, method: string, path: string, fields: Fields = {}): Promise<any> {
  const body = await program.done(method, path, fields)
  const description = descriptions[`${method} ${path}`]
  assert.ok(description, `${method} ${path} is described`)
  const { answer, oneWith } = description
  const { error } = (oneWith === undefined || oneWith in fields ? answer : z.array(answer)).safeParse(body)
  assert.equal(error, undefined, `${method} ${path} ${JSON.stringify(fields)}: ${JSON.stringify(body)}: ${error?.message}`)
  return body
}
