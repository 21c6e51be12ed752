import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asksForSecret } from '../secrets.ts'
import { cleanText, codePattern, lines, newCode, oneLine } from '../text.ts'

test('SUPPORT-TEXT-001: what turns, hides or covers a text is removed, and nothing that a language needs', () => {
  for (const [typed, kept] of [
    ['Send to \u202efdp.exe', 'Send to fdp.exe'],
    ['a\u2066b\u2069\u200f\u200b\ufeffc', 'abc'],
    ['one\r\ntwo\rthree\u2028four', 'one\ntwo\nthree\nfour'],
    ['a\n\n\n\n\nb', 'a\n\nb'],
    ['nul\u0000, bell\u0007, escape\u001b[31m', 'nul, bell, escape[31m'],
    [`z${'\u0335'.repeat(400)}`, `z${'\u0335'.repeat(8)}`],
    ['tag\u{e0041}\u{e0042}', 'tag'],
    ['<script>alert(1)</script> & "quotes"', '<script>alert(1)</script> & "quotes"'],
    ['👩‍👩‍👧 می‌خواهم 你好 e\u0301', '👩‍👩‍👧 می‌خواهم 你好 e\u0301'],
  ])
    assert.equal(cleanText(typed!), kept)
  assert.equal(lines(10).safeParse('\u202e \u200b').success, false)
  assert.equal(lines(10).safeParse('\ud800').success, false)
  assert.equal(lines(10).safeParse('a'.repeat(11)).success, false)
  assert.equal(oneLine(50).safeParse('Subject\r\nBcc: everybody@example.com').success, false)
})

test('SUPPORT-TICKET-002: numbers of tickets don’t repeat, and have one form', () => {
  const codes = Array.from({ length: 5_000 }, newCode)
  assert.equal(new Set(codes).size, codes.length)
  for (const code of codes) assert.match(code, codePattern)
})

test('SUPPORT-TEXT-002: a text that asks for a secret is found in each language', () => {
  for (const text of [
    'Please send me your password so that I can check.',
    'Could you tell us the 6-digit code you just received?',
    'What is your PIN?',
    'To verify you, enter your seed phrase here.',
    'Please forward the OTP.',
    'Bitte schicken Sie mir Ihr Passwort.',
    'Nennen Sie uns bitte den Code aus der SMS.',
    'Merci de nous envoyer votre mot de passe.',
    'Pourriez-vous communiquer le code reçu ?',
    'Inviaci la tua password, per favore.',
    'Comunicaci il codice ricevuto.',
    'Envíanos tu contraseña para comprobarlo.',
    'Dime el código que has recibido.',
    'Envie sua senha para conferirmos.',
    'Informe: precisamos do código que você recebeu.',
    '請提供你的驗證碼。',
    '请把密码发给我。',
    'Ｐｌｅａｓｅ ｓｅｎｄ ｙｏｕｒ ｐａｓｓｗｏｒｄ',
    'Do not worry, just send me your password.',
    'Das ist kein Problem, schicken Sie mir Ihr Passwort.',
    '不要擔心，請提供驗證碼。',
    'Please send your pass\u00adword.',
    'Please s\u034fend your pa\ufe0fssword.',
    'Please sеnd your pаsswоrd.',
    'Please send your p@ssw0rd.',
  ])
    assert.equal(asksForSecret(text), true, text)
})

test('SUPPORT-TEXT-002: warnings, and codes that are no secret, are let through', () => {
  for (const text of [
    'Never send anybody your password.',
    'We will not ask you for a code.',
    'You can reset your password under Me, Security.',
    'Please tell us the support code that the error showed.',
    'What is the order number?',
    'Please send a screenshot of the page.',
    'Geben Sie niemals Ihr Passwort weiter.',
    'Bitte nennen Sie uns den Support-Code.',
    'Ne communiquez jamais votre mot de passe.',
    'Non comunicare mai il codice a nessuno.',
    'Nunca compartas tu contraseña.',
    'Nunca informe sua senha a ninguém.',
    '請勿向任何人提供驗證碼。',
    'Your withdrawal was sent on Monday.',
    'Never share your password, your PIN or a code, whoever asks.',
    'Please send 20 USDT from address 0xc0de to test@example.com.',
  ])
    assert.equal(asksForSecret(text), false, text)
})
