import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { WebhookEvent } from '@candor/core/protocol/wire/webhooks.ts'

export type Post = {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly event: WebhookEvent
  readonly at: number
}

/** A program on this machine that receives webhooks' deliveries. */
export type Receiver = AsyncDisposable & {
  readonly url: string
  /** Received posts, without challenges. */
  readonly posts: readonly Post[]
  readonly challenges: readonly Post[]
  /** Answers challenges from now on. Default: with the value. */
  answerChallenge: (response: ServerResponse, value: string, post: Post) => void
  /** Answers deliveries from now on. Default: 200. */
  answer: (response: ServerResponse, post: Post) => void
  /** Resolves with the posts once `count` of them fit. */
  until(count: number, fits?: (post: Post) => boolean): Promise<readonly Post[]>
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const posts: Post[] = []
  const challenges: Post[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      const post = { path: request.url ?? '', headers: request.headers, text, event: JSON.parse(text) as WebhookEvent, at: Date.now() }
      const { type, challenge } = JSON.parse(text) as { readonly type: string; readonly challenge: string }
      if (type === 'challenge') {
        challenges.push(post)
        return receiver.answerChallenge(response, challenge, post)
      }
      posts.push(post)
      receiver.answer(response, post)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    posts,
    challenges,
    answerChallenge: (response, value) => response.end(value),
    answer: (response) => response.end('ok'),
    async until(count, fits = () => true) {
      for (let attempt = 0; attempt < 3_000; attempt++) {
        const found = posts.filter(fits)
        if (found.length >= count) return found
        await sleep(10)
      }
      throw new Error(`${posts.filter(fits).length} of ${count} posts came: ${posts.map(({ text }) => text).join('\n')}`)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}

/** Whether a post is signed with a secret, checked as the documentation tells receivers to. */
export function isSigned({ headers, text }: Post, secret: string, now = Date.now()): boolean {
  const parts = String(headers['candor-signature']).split(',')
  const seconds = parts.find((part) => part.startsWith('t='))?.slice(2)
  const mark = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return Math.abs(now / 1_000 - Number(seconds)) < 300 && parts.includes(`v1=${mark}`)
}
