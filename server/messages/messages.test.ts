import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import Fastify from 'fastify'
import { createTransport } from 'nodemailer'
import { type Message, templates } from '../ports.ts'
import type { Store } from '../store/open.ts'
import { type ScratchServer, startScratchServer } from '../store/test/scratch.ts'
import { MessageFault } from './fault.ts'
import { Inbox } from './inbox.ts'
import { inboxRoutes, preferredLanguage } from './inbox-routes.ts'
import { startLoopbackMail } from './loopback-mail.ts'
import { openMessages, senderOf } from './messages.ts'
import { fill, languages, renderMail, renderSms } from './render.ts'

let server: ScratchServer
let store: Store
before(async () => {
  server = await startScratchServer()
  store = await server.store()
})
after(() => server[Symbol.asyncDispose]())

const values = {
  ...{
    code: '042137',
    minutes: '10',
    date: '2026-01-29',
    device: 'Firefox · Windows',
    ip: '203.0.113.7',
    link: 'https://exchange.example/#/password?token=AAAAAAAAAAAAAAAAAAAAAA',
    time: String(Date.UTC(2026, 0, 15, 12)),
    until: String(Date.UTC(2026, 0, 22, 12)),
    hours: '24',
    ...{ network: 'TRC20', destination: 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE', txid: 'ab'.repeat(32), reason: 'unclear' },
    ...{ symbol: 'BTCUSDT', reached: '70000.5', ticket: 'K7QX-2M4P-9RTV', firm: 'Acme Capital', number: '7' },
    ...{ asset: 'USDT', quantity: '10', received: '9', repaid: '4', debt: '2.5', min: '1', missing: '0.7' },
  },
  url: 'https://hooks.example.com/candor',
  address: 'a•••e@example.com',
  label: 'grid bot',
}
const message = (given: Partial<Message> = {}): Message => ({
  channel: 'email',
  to: 'a@example.com',
  lang: 'en',
  template: 'register-code',
  values,
  ...given,
})

test('USER-MESSAGE-001: each message is complete in each of the seven languages, and no two are the same text', () => {
  assert.deepEqual(Object.keys(languages).sort(), ['ca', 'de', 'en', 'fr', 'hk', 'it', 'pt'])
  const seen = new Set<string>()
  for (const lang of Object.keys(languages)) {
    for (const template of templates) {
      const mail = renderMail(message({ lang, template }))
      const sms = renderSms(message({ lang, template }))
      for (const text of [mail.subject, mail.text, mail.html, sms]) {
        assert.doesNotMatch(text.replace(/style="[^"]*"/g, ''), /[{}]|undefined/)
        seen.add(text)
      }
      const hasCode = template.endsWith('-code')
      assert.deepEqual(
        [mail.text, mail.html, sms].map((text) => text.includes('042137')),
        [hasCode, hasCode, hasCode],
        `${lang} ${template}`,
      )
      if (['new-device', 'password-changed', 'key-widened', 'webhook-created', 'webhook-off'].includes(template))
        assert.match(mail.text, /2026.*UTC/)
      assert.ok(
        sms.length <= (lang === 'hk' ? 134 : 160) || template === 'new-device' || template === 'password-changed',
        `${lang} ${template}: ${sms.length}`,
      )
    }
  }
  assert.equal(seen.size, 7 * templates.length * 4)
})

test('USER-MESSAGE-001: an unknown language falls back to English, and a missing value throws', () => {
  assert.equal(renderMail(message({ lang: 'xx' })).subject, '042137 is your Candor code')
  assert.equal(renderMail(message({ lang: 'constructor' })).subject, '042137 is your Candor code')
  assert.throws(() => renderMail(message({ values: {} })), /needs a value for \{code\}/)
})

test('USER-MESSAGE-002: values can insert neither markup nor header lines nor placeholders', async () => {
  const device = '<img src=x onerror=alert(1)>{code}\r\nBcc: c@example.com'
  const mail = renderMail(message({ template: 'new-device', values: { ...values, device } }))
  assert.ok(!mail.html.includes('<img'))
  assert.ok(mail.text.includes('{code} Bcc: c@example.com'))
  assert.equal(fill('{code}', { code: 'a\r\nb' }), 'a b')

  const inbox = new Inbox(store)
  await using messages = await openMessages({ inbox })
  await messages.send(message({ to: 'header@example.com', values: { ...values, code: '1\r\nBcc: c@example.com' } }))
  assert.equal((await inbox.list('c@example.com')).length, 0)
  assert.equal((await inbox.list('header@example.com'))[0]?.subject, '1 Bcc: c@example.com is your Candor code')
})

test('USER-MESSAGE-003: mail goes by SMTP to the sandbox inbox in every language, short messages go there directly', async () => {
  const inbox = new Inbox(store)
  await using messages = await openMessages({ inbox })
  for (const lang of Object.keys(languages)) {
    const to = `${lang}@example.com`
    await messages.send(message({ lang, to }))
    const [received] = await inbox.list(to)
    const sent = renderMail(message({ lang, to }))
    assert.deepEqual(
      { subject: received?.subject, text: received?.text, from: received?.from, to: received?.to },
      { subject: sent.subject, text: sent.text.trim(), from: 'no-reply@candor.invalid', to },
    )
  }
  await messages.send(message({ channel: 'phone', to: '+85261234567', lang: 'hk' }))
  assert.match((await inbox.list('+85261234567'))[0]?.text ?? '', /註冊驗證碼是 042137/)
})

test('USER-MESSAGE-004: a configured SMTP server is used; one that refuses or is gone throws a fault', async () => {
  const inbox = new Inbox(store)
  const given = await startLoopbackMail(inbox)
  await using messages = await openMessages({ smtpUrl: given.url, from: 'Exchange <mail@exchange.example>' })
  await messages.send(message({ to: 'given@example.com' }))
  assert.equal((await inbox.list('given@example.com'))[0]?.from, 'mail@exchange.example')
  await assert.rejects(messages.send(message({ channel: 'phone', to: '+85261234567' })), MessageFault)
  await given[Symbol.asyncDispose]()
  await assert.rejects(messages.send(message({ to: 'gone@example.com' })), (fault) => fault instanceof MessageFault && fault.isRetryable)
  await assert.rejects(openMessages({}), /SMTP_URL is missing/)
  assert.equal(senderOf('smtps://ada%40exchange.example:secret@mail.example'), 'Candor <ada@exchange.example>')
  assert.equal(senderOf('smtp://relay:secret@mail.example:587'), 'Candor <no-reply@mail.example>')
})

test('USER-MESSAGE-005: short messages go to a carrier’s webhook with its credentials, and only a success counts', async () => {
  const seen: unknown[] = []
  let status = 202
  const carrier = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      seen.push({ path: request.url, authorization: request.headers.authorization, body: JSON.parse(body) })
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
  })
  await new Promise<void>((resolve) => carrier.listen(0, '127.0.0.1', resolve))
  const { port } = carrier.address() as AddressInfo
  const inbox = new Inbox(store)
  await using messages = await openMessages({ inbox, smsUrl: `http://user:p%40ss@127.0.0.1:${port}/send` })
  const sms = message({ channel: 'phone', to: '+4915123456789' })
  await messages.send(sms)
  const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`
  assert.deepEqual(seen, [{ path: '/send', authorization, body: { to: '+4915123456789', text: renderSms(sms) } }])
  assert.deepEqual(await inbox.list('+4915123456789'), [])
  for (status of [500, 400, 302]) await assert.rejects(messages.send(sms), MessageFault)
  carrier.closeAllConnections()
  await new Promise((resolve) => carrier.close(resolve))
})

test('USER-INBOX-001: the inbox shows the newest first, of one recipient or all, and keeps 500', async () => {
  const own = await server.store()
  const inbox = new Inbox(own)
  for (let n = 0; n < 510; n++)
    await inbox.add({ channel: 'email', to: n % 2 ? 'Odd@example.com' : 'even@example.com', from: '', subject: `${n}`, text: '' })
  assert.equal((await own.pool.query('select count(*) as n from inbox')).rows[0].n, 500)
  assert.deepEqual(
    (await inbox.list()).slice(0, 2).map(({ subject }) => subject),
    ['509', '508'],
  )

  await using app = Fastify()
  await app.register(inboxRoutes(inbox))
  const answer = await app.inject({ url: '/inbox.json?to=odd%40example.com' })
  const { messages } = answer.json() as { messages: { to: string; subject: string }[] }
  assert.equal(messages.length, 100)
  assert.deepEqual(messages[0]?.subject, '509')
  assert.ok(messages.every(({ to }) => to === 'odd@example.com'))
})

test('USER-INBOX-002: the page escapes what arrives, runs nothing, and speaks the reader’s language', async () => {
  const inbox = new Inbox(await server.store())
  const nasty = '<script>alert(1)</script>"\'&'
  await inbox.add({ channel: 'email', to: 'x@example.com', from: '', subject: nasty, text: `${nasty}\n\n042137\n\nend` })
  await using app = Fastify()
  await app.register(inboxRoutes(inbox))
  const page = await app.inject({
    url: `/inbox?to=x@example.com&lang=${encodeURIComponent(nasty)}`,
    headers: { 'accept-language': 'es-MX,es;q=0.9' },
  })
  assert.equal(page.statusCode, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(
    String(page.headers['content-security-policy']),
    /^default-src 'none'; style-src 'sha256-[A-Za-z0-9+/=]+'; form-action 'self'/,
  )
  assert.ok(!page.body.includes('<script') && !page.body.includes('alert(1)</script>'))
  assert.ok(page.body.includes('<p class="code">042137</p>'))
  const inSpanish = await app.inject({ url: '/inbox', headers: { 'accept-language': 'es-MX,es;q=0.9' } })
  assert.match(inSpanish.body, /<html lang="es-ES">/)
  const table = [
    ['zh-TW,zh;q=0.9', 'hk'],
    ['ca,en', 'en'],
    ['xx, pt-BR;q=0.5', 'pt'],
    ['', 'en'],
    ['constructor', 'en'],
  ] as const
  for (const [header, lang] of table) assert.equal(preferredLanguage(header), lang)
})

test('USER-INBOX-003: a number whose plus sign became a space is found, and an odd query is harmless', async () => {
  const inbox = new Inbox(await server.store())
  await inbox.add({ channel: 'phone', to: '+4915123456789', from: 'Candor', subject: '', text: '042137' })
  await using app = Fastify()
  await app.register(inboxRoutes(inbox))
  for (const query of ['to=+4915123456789', 'to=%2B4915123456789', 'to=4915123456789']) {
    assert.equal((await app.inject(`/inbox.json?${query}`)).json().messages.length, 1, query)
  }
  for (const query of ['to=a&to=b', 'to=%00', `to=${'x'.repeat(5_000)}`, 'lang=__proto__', "to=';drop table inbox"]) {
    assert.equal((await app.inject(`/inbox?${query}`)).statusCode, 200, query)
  }
})

test('USER-INBOX-004: the sandbox’s mail server listens on this machine only and limits its input', async () => {
  const inbox = new Inbox(store)
  await using mail = await startLoopbackMail(inbox)
  assert.equal(new URL(mail.url).hostname, '127.0.0.1')
  const transport = createTransport({ url: mail.url })
  await assert.rejects(
    transport.sendMail({ from: 'a@example.com', to: 'big@example.com', subject: 'x', text: 'x'.repeat(300_000) }),
    /552|size/i,
  )
  assert.deepEqual(await inbox.list('big@example.com'), [])
  await transport.sendMail({ from: 'a@example.com', to: ['one@example.com', 'two@example.com'], subject: 'ok', text: 'ok' })
  assert.equal((await inbox.list('two@example.com'))[0]?.text, 'ok')
  transport.close()
})
